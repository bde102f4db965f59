package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// maxMono bounds the copies that are made of generic declarations.
const maxMono = 500

// A mono writes a program again without generic declarations: one copy of each
// for every list of type arguments. What it cannot write it refuses.
type mono struct {
	*unit
	types     *types.Context
	instances map[types.Object][]*instance
	queue     []*instance
	made      int
	generic   map[types.Object]*template
	names     map[string]bool // of types; a local variable in a copy must not hide one
	out       []ast.Decl
	refused   diag.Rejections
	shown     map[string]string // what a made-up name stands for
}

// A template is a generic declaration.
type template struct {
	fn      *ast.FuncDecl
	spec    *ast.TypeSpec
	params  []*types.TypeParam
	methods []*ast.FuncDecl
}

// An instance is a template with type arguments.
type instance struct {
	*template
	name string
	args []types.Type
}

// monomorphic returns u without generic declarations: u itself if it has none.
func monomorphic(u *unit) (*unit, diag.Rejections) {
	m := &mono{
		unit: u, types: types.NewContext(), instances: map[types.Object][]*instance{},
		generic: map[types.Object]*template{}, names: map[string]bool{}, shown: map[string]string{},
	}
	if !m.collect() {
		return u, nil
	}
	m.typeNames()
	var files []*ast.File
	for _, f := range u.files {
		n := &ast.File{Package: f.Package, Name: ident(f.Name.Pos(), f.Name.Name), FileStart: f.FileStart, FileEnd: f.FileEnd, GoVersion: f.GoVersion}
		n.Decls = m.plain(f)
		files = append(files, n)
	}
	for len(m.queue) > 0 && len(m.refused) == 0 {
		next := m.queue[0]
		m.queue = m.queue[1:]
		m.instantiate(next)
	}
	if len(m.refused) > 0 {
		return nil, m.refused
	}
	files[0].Decls = append(files[0].Decls, m.out...)
	return m.recheck(files)
}

func (m *mono) refuse(pos token.Pos, what string) {
	if len(m.refused) > 0 {
		return // the rest follows from it
	}
	m.refused = append(m.refused, refusal(m.unit, pos, what))
}

// collect finds the generic declarations, and tells whether there are any.
func (m *mono) collect() bool {
	for _, f := range m.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				m.collectFunc(n)
			case *ast.TypeSpec:
				if n.TypeParams != nil {
					o := m.info.Defs[n.Name]
					t := m.template(o)
					t.spec, t.params = n, paramsOf(o.Type())
				}
			}
			return true
		})
	}
	return len(m.generic) > 0 || m.hasConstraints()
}

func (m *mono) collectFunc(f *ast.FuncDecl) {
	o, ok := m.info.Defs[f.Name].(*types.Func)
	if !ok {
		return
	}
	sig := o.Signature()
	switch {
	case sig.TypeParams().Len() > 0:
		t := m.template(o)
		t.fn, t.params = f, list(sig.TypeParams())
	case sig.RecvTypeParams().Len() > 0:
		if n := namedOf(sig.Recv().Type()); n != nil {
			t := m.template(n.Obj())
			t.methods = append(t.methods, f)
		}
	}
}

func (m *mono) template(o types.Object) *template {
	if m.generic[o] == nil {
		m.generic[o] = &template{}
	}
	return m.generic[o]
}

func paramsOf(t types.Type) []*types.TypeParam {
	switch t := t.(type) {
	case *types.Named:
		return list(t.TypeParams())
	case *types.Alias:
		return list(t.TypeParams())
	}
	return nil
}

func list(l *types.TypeParamList) []*types.TypeParam {
	var out []*types.TypeParam
	for p := range l.TypeParams() {
		out = append(out, p)
	}
	return out
}

// namedOf is the named type that t is or points to.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// hasConstraints reports whether the program declares interfaces that only
// constrain; without generic code the interpreter has no use for them either.
func (m *mono) hasConstraints() bool {
	for _, o := range m.info.Defs {
		if constraint(o) {
			return true
		}
	}
	return false
}

func constraint(o types.Object) bool {
	n, ok := o.(*types.TypeName)
	if !ok {
		return false
	}
	if _, ok := n.Type().(*types.TypeParam); ok {
		return false
	}
	i, ok := n.Type().Underlying().(*types.Interface)
	return ok && !i.IsMethodSet()
}

// typeNames notes the names that written types can start with.
func (m *mono) typeNames() {
	for _, s := range []*types.Scope{types.Universe, m.pkg.Scope()} {
		for _, n := range s.Names() {
			if _, ok := s.Lookup(n).(*types.TypeName); ok {
				m.names[n] = true
			}
		}
	}
}

// instance returns the copy of o for these arguments, which are free of type
// parameters. It is nil if there can be none.
func (m *mono) instance(pos token.Pos, o types.Object, args []types.Type) *instance {
	t := m.generic[o]
	if t == nil || len(args) != len(t.params) {
		return nil
	}
next:
	for _, in := range m.instances[o] {
		for i, a := range in.args {
			if !types.Identical(a, args[i]) {
				continue next
			}
		}
		return in
	}
	if m.made++; m.made > maxMono {
		m.refuse(pos, fmt.Sprintf("make more than %d instances of generic code", maxMono))
		return nil
	}
	in := &instance{template: t, args: args, name: fmt.Sprintf("%s_g%d_%s", abi.Prefix, m.made, o.Name())}
	m.instances[o] = append(m.instances[o], in)
	m.queue = append(m.queue, in)
	m.shown[in.name] = o.Name() + "[...]"
	if t.spec != nil {
		m.shown[in.name] = o.Name() + argsText(args)
	}
	return in
}

// plain copies the declarations of f that are not generic.
func (m *mono) plain(f *ast.File) []ast.Decl {
	var out []ast.Decl
	c := &copier{mono: m}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			sig := m.info.Defs[d.Name].(*types.Func).Signature()
			if sig.TypeParams().Len() == 0 && sig.RecvTypeParams().Len() == 0 {
				out = append(out, c.copy(d).(ast.Decl))
			}
		case *ast.GenDecl:
			if g := c.genDecl(d); g != nil {
				out = append(out, g)
			}
		}
	}
	return out
}

// instantiate adds the declarations of in.
func (m *mono) instantiate(in *instance) {
	if in.fn != nil {
		c := m.copier(in.params, in.args)
		t := in.fn.Type
		m.out = append(m.out, c.copy(&ast.FuncDecl{
			Name: ident(in.fn.Name.Pos(), in.name),
			Type: &ast.FuncType{Func: t.Func, Params: t.Params, Results: t.Results},
			Body: in.fn.Body,
		}).(ast.Decl))
		c.done(in.fn)
		return
	}
	if in.spec.Assign.IsValid() {
		return // aliases are written out
	}
	c := m.copier(in.params, in.args)
	pos := in.spec.Pos()
	spec := &ast.TypeSpec{Name: ident(pos, in.name), Type: c.copy(in.spec.Type).(ast.Expr)}
	m.out = append(m.out, &ast.GenDecl{TokPos: pos, Tok: token.TYPE, Specs: []ast.Spec{spec}})
	c.done(in.spec)
	for _, f := range in.methods {
		m.method(in, f)
	}
}

func (m *mono) method(in *instance, f *ast.FuncDecl) {
	sig := m.info.Defs[f.Name].(*types.Func).Signature()
	c := m.copier(list(sig.RecvTypeParams()), in.args)
	pos := f.Recv.Pos()
	var recv ast.Expr = ident(pos, in.name)
	if _, ok := types.Unalias(sig.Recv().Type()).(*types.Pointer); ok {
		recv = &ast.StarExpr{Star: pos, X: recv}
	}
	field := &ast.Field{Type: recv}
	for _, id := range f.Recv.List[0].Names {
		field.Names = append(field.Names, c.copy(id).(*ast.Ident))
	}
	n := &ast.FuncDecl{Name: ident(f.Name.Pos(), f.Name.Name), Recv: &ast.FieldList{List: []*ast.Field{field}}, Type: c.copy(f.Type).(*ast.FuncType)}
	if f.Body != nil {
		n.Body = c.copy(f.Body).(*ast.BlockStmt)
	}
	m.out = append(m.out, n)
	c.done(f)
}
