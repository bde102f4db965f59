// Package declare renders what scripts may use of a package as Go source, for people and for the prompt of a model.
//
// It may not decide what that is: it prints what the table of a policy has.
package declare

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// Of is what the declarations of one package are made from.
type Of struct {
	Table       *builtins.Table
	Predeclared []types.Object    // names that need no import
	Offered     []string          // standard packages that a policy may list
	Path        string            // of the package; "" for names that need no import
	Package     *types.Package    // nil for these names
	Own, Docs   map[string]string // comments by member: the host's for its package, and others

	Hidden func(name string) bool // members that are left out; nil for none
}

// Source is a package without bodies. It omits what the policy hides.
func Source(of Of) (string, error) {
	d := &printer{Of: of, pkg: of.Package, imports: map[string]string{}, known: map[types.Object]bool{}}
	if of.Package == nil {
		if len(of.Predeclared) > 0 {
			d.pkg = of.Predeclared[0].Pkg()
		}
		return d.source("main", slices.Clone(of.Predeclared))
	}
	var objects []types.Object
	for _, n := range d.pkg.Scope().Names() {
		if obj := d.pkg.Scope().Lookup(n); obj.Exported() {
			objects = append(objects, obj)
		}
	}
	return d.source(d.pkg.Name(), objects)
}

// A printer writes the declarations of one package.
type printer struct {
	Of
	pkg     *types.Package    // of the names that are written without one
	imports map[string]string // path to name
	hidden  bool              // what is being written mentions a type that no script can name
	opaque  []string          // these
	more    []types.Object    // types that scripts cannot name, of values that they have
	known   map[types.Object]bool
	body    strings.Builder
}

func (d *printer) source(name string, objects []types.Object) (string, error) {
	if d.Hidden != nil {
		objects = slices.DeleteFunc(objects, func(obj types.Object) bool { return d.Hidden(obj.Name()) })
	}
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
func (d *printer) qualify(pkg *types.Package) string {
	if pkg == d.pkg || d.needsNoImport(pkg) {
		return ""
	}
	if name, ok := d.imports[pkg.Path()]; ok {
		return name
	}
	if _, err := d.Table.Import(pkg.Path()); err != nil {
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
func (d *printer) needsNoImport(pkg *types.Package) bool {
	return len(d.Predeclared) > 0 && d.Predeclared[0].Pkg() == pkg
}

func (d *printer) taken(name string) bool {
	for _, n := range d.imports {
		if n == name {
			return true
		}
	}
	return d.pkg.Scope().Lookup(name) != nil
}

func (d *printer) text(t types.Type) string {
	d.mention(t)
	d.noteOpaque(t, map[types.Type]bool{})
	return types.TypeString(t, d.qualify)
}

// noteOpaque notes types that no script can name, of which it has values maybe.
func (d *printer) noteOpaque(t types.Type, seen map[types.Type]bool) {
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
		if _, err := d.Table.Import(pkg.Path()); err != nil {
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
func (d *printer) mention(t types.Type) {
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
func (d *printer) object(obj types.Object) {
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
func (d *printer) write(name, decl string) {
	d.body.WriteString(d.comment(name, ""))
	if d.hidden {
		decl = "// " + strings.ReplaceAll(decl, "\n", "\n// ")
		decl = d.reason() + decl
	}
	d.hidden, d.opaque = false, nil
	d.body.WriteString(decl + "\n\n")
}

// reason is a comment that says why scripts cannot name what is being written; "" if it is not about a type of a value.
func (d *printer) reason() string {
	slices.Sort(d.opaque)
	names := strings.Join(slices.Compact(d.opaque), ", ")
	if names == "" {
		return ""
	}
	why := "the type is no plain data, and the policy does not list it"
	if pkg, _, _ := strings.Cut(names, "."); slices.Contains(d.Offered, pkg) && !strings.Contains(names, ", ") {
		why = "the policy does not list package " + pkg
	}
	return "// Scripts can pass a value of type " + names + " on, but use nothing of it: " + why + ".\n"
}

// comment is what there is to say of a member, a method or a field, in lines that begin with indent.
func (d *printer) comment(name, indent string) string {
	doc := d.Own[name]
	if doc == "" {
		doc = d.Docs[name]
	}
	var b strings.Builder
	for line := range strings.Lines(doc) {
		b.WriteString(indent + "// " + strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// signature is that of a function or a method "T.M", with the names of its parameters if they are known.
func (d *printer) signature(name string, sig *types.Signature) string {
	names, params := d.Table.ParamNames(d.Path, name), slices.Collect(sig.Params().Variables())
	if len(names) == len(params) {
		for i, v := range params {
			params[i] = types.NewParam(token.NoPos, v.Pkg(), names[i], v.Type())
		}
	}
	return d.typeParams(sig.TypeParams()) + strings.TrimPrefix(d.text(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())), "func")
}
