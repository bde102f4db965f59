package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// topLevel gives the top-level statements of a snippet their final form: values
// of variables are assigned where they stand, and results are echoed.
func (l *lowerer) topLevel() {
	if l.Body == nil {
		return
	}
	l.entry = l.Body.Name.Name
	placed, declares := map[ast.Stmt][]ast.Stmt{}, l.declarations()
	values := map[ast.Expr]bool{}
	for _, top := range l.Tops {
		for _, v := range top.Spec.Values {
			values[v] = true
		}
		placed[top.Placeholder] = l.place(top, declares[top.Spec])
	}
	l.Info.InitOrder = slices.DeleteFunc(l.Info.InitOrder, func(init *types.Initializer) bool { return values[init.Rhs] })
	var list []ast.Stmt
	for i, s := range l.Body.Body.List {
		if stmts, ok := placed[s]; ok {
			list = append(list, stmts...)
			continue
		}
		list = append(list, l.echo(s, l.IsLast(i)))
	}
	l.Body.Body.List = list
}

// place takes the values from g, the declaration of a top-level variable, and
// returns the statements that assign them. The declaration stays, with a type.
func (l *lowerer) place(top *parse.TopVar, g *ast.GenDecl) []ast.Stmt {
	spec, pos := top.Spec, top.Placeholder.Pos()
	if len(spec.Values) == 0 {
		return nil
	}
	set := &ast.AssignStmt{TokPos: pos, Tok: token.ASSIGN, Rhs: spec.Values}
	for _, name := range spec.Names {
		set.Lhs = append(set.Lhs, l.use(name, l.Info.Defs[name]))
	}
	stmts := []ast.Stmt{set}
	for _, a := range top.Assign {
		stmts = append(stmts, &ast.AssignStmt{
			Lhs: []ast.Expr{l.use(a.To, l.Info.Uses[a.To])}, TokPos: pos, Tok: token.ASSIGN,
			Rhs: []ast.Expr{l.use(a.Temp, l.Info.Defs[a.Temp])},
		})
	}
	spec.Values = nil
	if spec.Type == nil {
		l.spellTypes(spec, g)
	}
	return stmts
}

// use makes a name of obj, which name declares or uses; the blank name has none.
func (l *lowerer) use(name *ast.Ident, obj types.Object) *ast.Ident {
	id := ident(name.Name, name.Pos())
	if obj == nil || name.Name == "_" {
		l.Info.Defs[id] = nil
		return id
	}
	l.Info.Uses[id] = obj
	l.set(id, specimens().variable, obj.Type())
	return id
}

// spellTypes gives each name of spec, which g has, a declaration of its own, with its type.
func (l *lowerer) spellTypes(spec *ast.ValueSpec, g *ast.GenDecl) {
	g.Specs = nil
	for _, name := range spec.Names {
		v, ok := l.Info.Defs[name].(*types.Var)
		if !ok || name.Name == "_" {
			continue
		}
		t := l.spell(v.Type(), name.Pos(), l.hiddenAtTop)
		if t == nil {
			l.refuse(name, name.Name, "the type of %s, %s, cannot be written here; declare the variable inside a function", name.Name, v.Type())
		}
		g.Specs = append(g.Specs, &ast.ValueSpec{Names: []*ast.Ident{name}, Type: t})
	}
	if len(g.Specs) != 1 {
		g.Lparen, g.Rparen = g.TokPos, g.TokPos
	}
}

// declarations are those that have the specs of variables.
func (l *lowerer) declarations() map[ast.Spec]*ast.GenDecl {
	declares := map[ast.Spec]*ast.GenDecl{}
	for _, d := range l.File.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				declares[spec] = g
			}
		}
	}
	return declares
}

// hiddenAtTop reports whether the script declares name at package level.
func (l *lowerer) hiddenAtTop(name string) bool { return l.Pkg.Scope().Lookup(name) != nil }

// echo makes a bare call that has results report them. Printing has results
// that nobody looks at.
func (l *lowerer) echo(s ast.Stmt, last bool) ast.Stmt {
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return s
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok || l.isQuiet(call) {
		return s
	}
	t := l.Info.TypeOf(call)
	id := len(l.Echoes)
	l.Echoes = append(l.Echoes, parse.Echo{Pos: call.Pos(), Type: t, Last: last})
	results, ok := t.(*types.Tuple)
	if !ok {
		stmt.X = l.echoCall(id, call.Pos(), call)
		return stmt
	}
	set := &ast.AssignStmt{TokPos: call.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{call}}
	var values []ast.Expr
	for i, t := range check.VarTypes(results) {
		name := ident(abi.Prefix+"_r"+strconv.Itoa(i), call.Pos())
		v := types.NewVar(call.Pos(), l.Pkg, name.Name, t)
		l.Info.Defs[name] = v
		set.Lhs = append(set.Lhs, name)
		values = append(values, l.use(name, v))
	}
	show := &ast.ExprStmt{X: l.echoCall(id, call.Pos(), values...)}
	return &ast.BlockStmt{Lbrace: call.Pos(), List: []ast.Stmt{set, show}, Rbrace: call.Pos()}
}

func (l *lowerer) echoCall(id int, pos token.Pos, values ...ast.Expr) ast.Expr {
	number := &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(id)}
	l.setConst(number, types.Typ[types.Int], constantInt(id))
	return l.gateCall(abi.Echo, pos, append([]ast.Expr{number}, values...)...)
}

// isQuiet reports whether a call has no result worth reporting: none at all, an
// echo, or what fmt.Print and its kin return.
func (l *lowerer) isQuiet(call *ast.CallExpr) bool {
	if tv := l.Info.Types[call]; tv.IsVoid() {
		return true
	}
	id := memberName(ast.Unparen(call.Fun))
	if id == nil {
		return false
	}
	obj := l.Info.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		_, builtin := obj.(*types.Builtin)
		return builtin // copy, recover; and not the method of type error
	}
	printing := strings.HasPrefix(obj.Name(), "Print") || strings.HasPrefix(obj.Name(), "Fprint")
	return obj.Pkg() == l.Gate || obj.Pkg().Path() == "fmt" && printing
}

// inputDecls declares the inputs as variables that start with what the host
// hands in, before all others.
func (l *lowerer) inputDecls() []ast.Decl {
	var decls []ast.Decl
	var inits []*types.Initializer
	pos := l.File.Package
	for k, v := range l.InputVars {
		if v == nil {
			continue
		}
		l.vars = append(l.vars, Var{Name: v.Name(), Type: v.Type(), Input: true, Obj: v})
		if l.Inputs[k].Later {
			name := ident(v.Name(), pos)
			l.Info.Defs[name] = v
			decls = append(decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{name}}}})
			continue
		}
		i := l.section.add(Binding{
			Kind: abi.BindInput, Name: v.Name(), Object: v, Pos: pos,
			Type: signature(nil, nil, []types.Type{v.Type()}, false),
		})
		name := ident(v.Name(), pos)
		l.Info.Defs[name] = v
		value := l.callOf(l.bound(i, pos), pos)
		decls = append(decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{
			&ast.ValueSpec{Names: []*ast.Ident{name}, Values: []ast.Expr{value}},
		}})
		inits = append(inits, &types.Initializer{Lhs: []*types.Var{v}, Rhs: value})
	}
	l.Info.InitOrder = append(inits, l.Info.InitOrder...)
	return decls
}
