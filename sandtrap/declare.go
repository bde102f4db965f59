package sandtrap

import (
	"fmt"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Packages lists what scripts may import under the plan, sorted.
func (p *Plan) Packages() []string { return slices.Clone(p.table.Paths()) }

// Declarations renders what scripts may use of a package as Go source: its declarations
// without bodies, with the comments of Package.Docs or, where that has none, of docs,
// which may be nil. It is meant for people and for a model's prompt. The path "" stands
// for names that need no import. It omits what the policy hides.
func (p *Plan) Declarations(path string, docs map[string]string) (string, error) {
	d := &declarer{plan: p, path: path, imports: map[string]string{}, known: map[types.Object]bool{}, own: p.docs(path), docs: docs}
	var objects []types.Object
	name := "main"
	if path == "" {
		objects = p.universe.Predeclared()
		if len(objects) > 0 {
			d.pkg = objects[0].Pkg()
		}
	} else {
		pkg, err := p.table.Import(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, ErrImport)
		}
		d.pkg, name = pkg, pkg.Name()
		for _, n := range pkg.Scope().Names() {
			if obj := pkg.Scope().Lookup(n); obj.Exported() {
				objects = append(objects, obj)
			}
		}
	}
	return d.source(name, objects)
}

// Reference renders what the policy adds to Go, for a model's prompt: the names that need no
// import and the host's own packages in the form of Declarations, each with its import path,
// and the paths of the standard packages that can be imported.
func (p *Plan) Reference() (string, error) {
	var b strings.Builder
	if len(p.universe.Predeclared()) > 0 {
		text, err := p.Declarations("", nil)
		if err != nil {
			return "", err
		}
		b.WriteString("// There without import:\n\n" + text + "\n")
	}
	var std []string
	for _, path := range p.Packages() {
		if p.table.Standard(path) {
			std = append(std, path)
			continue
		}
		text, err := p.Declarations(path, nil)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "// import %q\n\n%s\n", path, text)
	}
	if len(std) > 0 {
		b.WriteString("// Of the standard library there are, not always with all of their members: " + strings.Join(std, ", ") + "\n")
	}
	return b.String(), nil
}

// docs are the comments that the host gives the members of a package.
func (p *Plan) docs(path string) map[string]string {
	members, docs := p.policy.Funcs, p.policy.Docs
	if path != "" {
		members, docs = nil, nil
	}
	for _, own := range p.policy.Packages {
		if own.Path == path {
			members, docs = own.Members, own.Docs
		}
	}
	all := map[string]string{}
	for name, value := range members {
		if m, ok := value.(Member); ok && m.Doc != "" {
			all[name] = m.Doc
		}
	}
	maps.Copy(all, docs)
	return all
}

// A declarer writes the declarations of one package.
type declarer struct {
	plan    *Plan
	path    string
	pkg     *types.Package
	own     map[string]string // comments: the host's for its package
	docs    map[string]string // and others
	imports map[string]string // path to name
	hidden  bool              // what is being written mentions a type that no script can name
	opaque  []string          // these
	more    []types.Object    // types that scripts cannot name, of values that they have
	known   map[types.Object]bool
	body    strings.Builder
}

func (d *declarer) source(name string, objects []types.Object) (string, error) {
	slices.SortStableFunc(objects, func(a, b types.Object) int { return rank(a) - rank(b) })
	for _, obj := range objects {
		d.known[obj] = true
	}
	for _, obj := range objects {
		d.object(obj)
	}
	for len(d.more) > 0 {
		obj := d.more[0]
		d.more = d.more[1:]
		d.object(obj)
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\n", name)
	paths := make([]string, 0, len(d.imports))
	for path := range d.imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if name := d.imports[path]; path == name || strings.HasSuffix(path, "/"+name) {
			fmt.Fprintf(&head, "import %q\n", path)
		} else {
			fmt.Fprintf(&head, "import %s %q\n", name, path)
		}
	}
	text, err := format.Source([]byte(head.String() + "\n" + d.body.String()))
	return string(text), err
}

// rank puts constants before variables, functions and types.
func rank(obj types.Object) int {
	switch obj.(type) {
	case *types.Const:
		return 0
	case *types.Var:
		return 1
	case *types.Func:
		return 2
	}
	return 3
}

// qualify names packages; two of the same name get different ones.
func (d *declarer) qualify(pkg *types.Package) string {
	if pkg == d.pkg || d.needsNoImport(pkg) {
		return ""
	}
	if name, ok := d.imports[pkg.Path()]; ok {
		return name
	}
	if _, err := d.plan.table.Import(pkg.Path()); err != nil {
		d.hidden = true
		return pkg.Name()
	}
	name := pkg.Name()
	for n := 2; d.taken(name); n++ {
		name = pkg.Name() + strconv.Itoa(n)
	}
	d.imports[pkg.Path()] = name
	return name
}

// needsNoImport reports the package of what needs none.
func (d *declarer) needsNoImport(pkg *types.Package) bool {
	list := d.plan.universe.Predeclared()
	return len(list) > 0 && list[0].Pkg() == pkg
}

func (d *declarer) taken(name string) bool {
	for _, n := range d.imports {
		if n == name {
			return true
		}
	}
	return d.pkg.Scope().Lookup(name) != nil
}

func (d *declarer) text(t types.Type) string {
	d.mention(t)
	d.noteOpaque(t, map[types.Type]bool{})
	return types.TypeString(t, d.qualify)
}

// noteOpaque notes types that no script can name, of which it has values maybe.
func (d *declarer) noteOpaque(t types.Type, seen map[types.Type]bool) {
	if t = types.Unalias(t); seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		pkg := t.Obj().Pkg()
		if pkg == nil || pkg == d.pkg {
			return
		}
		if _, err := d.plan.table.Import(pkg.Path()); err != nil {
			d.opaque = append(d.opaque, types.TypeString(t, (*types.Package).Name))
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				d.noteOpaque(v.Type(), seen)
			}
		}
	case *types.Map:
		d.noteOpaque(t.Key(), seen)
		d.noteOpaque(t.Elem(), seen)
	case interface{ Elem() types.Type }:
		d.noteOpaque(t.Elem(), seen)
	}
}

// mention notes types of the package whose names are its own.
func (d *declarer) mention(t types.Type) {
	switch t := t.(type) {
	case *types.Pointer:
		d.mention(t.Elem())
	case *types.Slice:
		d.mention(t.Elem())
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			d.mention(p.Constraint())
		}
		for v := range t.Results().Variables() {
			d.mention(v.Type())
		}
		for v := range t.Params().Variables() {
			d.mention(v.Type())
		}
	case *types.Named:
		if obj := t.Obj(); obj.Pkg() == d.pkg && !obj.Exported() && !d.known[obj] {
			d.known[obj] = true
			d.more = append(d.more, obj)
		}
	}
}

// object writes one declaration.
func (d *declarer) object(obj types.Object) {
	switch obj := obj.(type) {
	case *types.Const:
		d.write(obj.Name(), "const "+obj.Name()+d.constType(obj)+" = "+constText(obj.Val()))
	case *types.Var:
		d.write(obj.Name(), "var "+obj.Name()+" "+d.text(obj.Type()))
	case *types.Func:
		d.write(obj.Name(), "func "+obj.Name()+d.signature(obj.Name(), obj.Signature()))
	case *types.TypeName:
		d.typeName(obj)
	}
}

// write adds a declaration with its comment. One that mentions what scripts cannot
// name becomes a comment itself.
func (d *declarer) write(name, decl string) {
	d.body.WriteString(d.comment(name, ""))
	if d.hidden {
		decl = "// " + strings.ReplaceAll(decl, "\n", "\n// ")
		decl = d.reason() + decl
	}
	d.hidden, d.opaque = false, nil
	d.body.WriteString(decl + "\n\n")
}

// reason is a comment that says why scripts cannot name what is being written; "" if it is not about a type of a value.
func (d *declarer) reason() string {
	slices.Sort(d.opaque)
	names := strings.Join(slices.Compact(d.opaque), ", ")
	if names == "" {
		return ""
	}
	why := "the type is no plain data, and the policy does not list it"
	if pkg, _, _ := strings.Cut(names, "."); slices.Contains(StdDefault(), pkg) && !strings.Contains(names, ", ") {
		why = "the policy does not list package " + pkg
	}
	return "// Scripts can pass a value of type " + names + " on, but use nothing of it: " + why + ".\n"
}

// comment is what there is to say of a member, a method or a field, in lines that begin with indent.
func (d *declarer) comment(name, indent string) string {
	doc := d.own[name]
	if doc == "" {
		doc = d.docs[name]
	}
	var b strings.Builder
	for line := range strings.Lines(doc) {
		b.WriteString(indent + "// " + strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// tagText is a tag of a field as it is written.
func tagText(tag string) string {
	if tag == "" {
		return ""
	}
	if strconv.CanBackquote(tag) {
		return " `" + tag + "`"
	}
	return " " + strconv.Quote(tag)
}

// signature is that of a function or a method "T.M", with the names of its parameters if they are known.
func (d *declarer) signature(name string, sig *types.Signature) string {
	names, params := d.plan.table.ParamNames(d.path, name), slices.Collect(sig.Params().Variables())
	if len(names) == len(params) {
		for i, v := range params {
			params[i] = types.NewParam(token.NoPos, v.Pkg(), names[i], v.Type())
		}
	}
	return d.typeParams(sig.TypeParams()) + strings.TrimPrefix(d.text(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())), "func")
}

func (d *declarer) constType(c *types.Const) string {
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return ""
	}
	return " " + d.text(c.Type())
}

func constText(v constant.Value) string {
	if v.Kind() != constant.Float {
		return v.ExactString()
	}
	if f, exact := constant.Float64Val(v); exact || f != 0 && f < 1e300 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.String()
}

func (d *declarer) typeName(obj *types.TypeName) {
	named, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() || named.Obj() != obj {
		d.write(obj.Name(), "type "+obj.Name()+" = "+d.text(obj.Type()))
		return
	}
	d.write(obj.Name(), "type "+obj.Name()+d.typeParams(named.TypeParams())+" "+d.underlying(named))
	for m := range named.Methods() {
		recv := d.text(m.Signature().Recv().Type())
		d.write(obj.Name()+"."+m.Name(), "func ("+recv+") "+m.Name()+d.signature(obj.Name()+"."+m.Name(), m.Signature()))
	}
}

func (d *declarer) typeParams(list *types.TypeParamList) string {
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+d.text(p.Constraint()))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// nameable is t, of an interface what scripts can name.
func nameable(t types.Type) types.Type {
	it, ok := t.(*types.Interface)
	if !ok || !it.IsMethodSet() {
		return t
	}
	var methods []*types.Func
	for m := range it.Methods() {
		if m.Exported() {
			methods = append(methods, types.NewFunc(token.NoPos, m.Pkg(), m.Name(), m.Signature()))
		}
	}
	if len(methods) == it.NumMethods() {
		return t
	}
	return types.NewInterfaceType(methods, nil)
}

// underlying writes structs a field a line; what is hidden is one field that
// nothing can name.
func (d *declarer) underlying(named *types.Named) string {
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return d.text(nameable(named.Underlying()))
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range st.NumFields() {
		switch f := st.Field(i); {
		case !token.IsExported(f.Name()):
			b.WriteString("\t// and what is not for scripts\n")
		case f.Anonymous():
			b.WriteString(d.field("", f.Type(), st.Tag(i)))
		default:
			b.WriteString(d.comment(named.Obj().Name()+"."+f.Name(), "\t") + d.field(f.Name()+" ", f.Type(), st.Tag(i)))
		}
	}
	b.WriteString("}")
	return b.String()
}

// field is the line of a field. One of a type that scripts cannot name is a comment, with the reason: they use the other
// fields of the struct all the same.
func (d *declarer) field(name string, t types.Type, tag string) string {
	hidden, opaque := d.hidden, d.opaque
	d.hidden, d.opaque = false, nil
	line := name + d.text(t) + tagText(tag) + "\n"
	if d.hidden {
		line = d.reason() + "\t// " + line
	}
	d.hidden, d.opaque = hidden, opaque
	return "\t" + line
}
