package parse

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// tops turns the top-level statements of a snippet into the body of its main
// function and package-level variables.
type tops struct {
	script   *script
	declared map[string]bool // by top-level statements so far
	list     []ast.Stmt
	decls    []ast.Decl
	tops     []*TopVar
	echoes   []Echo
	temps    int
	errs     diag.Rejections
}

func (t *tops) statements(list []ast.Stmt) {
	list = slices.DeleteFunc(list, func(s ast.Stmt) bool {
		_, empty := s.(*ast.EmptyStmt)
		return empty
	})
	for i, stmt := range list {
		t.statement(stmt, i == len(list)-1)
	}
}

func (t *tops) statement(stmt ast.Stmt, last bool) {
	switch stmt := stmt.(type) {
	case *ast.LabeledStmt:
		inner := innermost(stmt)
		if labelled := inner.Stmt; isDeclaring(labelled) { // the label stays, on a statement of its own
			inner.Stmt = &ast.EmptyStmt{Semicolon: labelled.Pos(), Implicit: true}
			t.list = append(t.list, stmt)
			t.statement(labelled, last)
			return
		}
	case *ast.DeclStmt:
		if isDeclaring(stmt) {
			t.variables(stmt.Decl.(*ast.GenDecl))
			return
		}
	case *ast.AssignStmt:
		if stmt.Tok == token.DEFINE {
			t.define(stmt)
			return
		}
	case *ast.ExprStmt:
		if _, ok := ast.Unparen(stmt.X).(*ast.CallExpr); !ok {
			t.list = append(t.list, t.echo(stmt.X, last))
			return
		}
	}
	t.list = append(t.list, stmt)
}

// innermost is the last of the labels that stand before one statement.
func innermost(stmt *ast.LabeledStmt) *ast.LabeledStmt {
	for {
		inner, ok := stmt.Stmt.(*ast.LabeledStmt)
		if !ok {
			return stmt
		}
		stmt = inner
	}
}

// isDeclaring tells whether stmt declares variables.
func isDeclaring(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.DeclStmt:
		return isOf(stmt.Decl, token.VAR)
	case *ast.AssignStmt:
		return stmt.Tok == token.DEFINE
	}
	return false
}

// variables takes a var declaration apart: one TopVar for each spec.
func (t *tops) variables(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if name.Name == "_" && spec.Type != nil && len(spec.Values) > 0 { // of a type that the value alone may not have
				spec.Names[i] = t.temporary(name.Pos())
			}
			t.declared[name.Name] = true
		}
		t.add(decl.Pos(), &TopVar{Spec: spec})
	}
}

func (t *tops) add(pos token.Pos, v *TopVar) {
	v.Placeholder = &ast.EmptyStmt{Semicolon: pos}
	t.tops = append(t.tops, v)
	t.list = append(t.list, v.Placeholder)
	t.decls = append(t.decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{v.Spec}})
}

// temporary is a new name.
func (t *tops) temporary(pos token.Pos) *ast.Ident {
	t.temps++
	return temporary(t.temps-1, pos)
}

func temporary(n int, pos token.Pos) *ast.Ident {
	return &ast.Ident{NamePos: pos, Name: abi.Prefix + "_t" + strconv.Itoa(n)}
}

// define turns a, b := e into a spec. A name that is declared already gets a
// temporary one there, and is assigned to in its place.
func (t *tops) define(stmt *ast.AssignStmt) {
	spec := &ast.ValueSpec{Values: stmt.Rhs}
	var assign []assignBack
	seen := map[string]bool{}
	fresh := false
	for _, lhs := range stmt.Lhs {
		name, ok := lhs.(*ast.Ident)
		switch {
		case !ok:
			t.reject(lhs, diag.BadSyntax, ":=", "non-name on the left side of :=", "use = to assign to a field or element")
			return
		case name.Name == "_":
		case seen[name.Name]:
			t.reject(lhs, diag.BadSyntax, name.Name, name.Name+" repeated on the left side of :=", "")
			return
		case t.declared[name.Name]:
			temp := t.temporary(name.Pos())
			assign = append(assign, assignBack{To: name, Temp: temp})
			name = temp
		default:
			fresh = true
			seen[name.Name] = true
		}
		spec.Names = append(spec.Names, name)
	}
	if !fresh {
		t.reject(stmt, diag.NoNewVariables, ":=", "no new variables on left side of :=", "use = to assign to variables that exist")
		return
	}
	for name := range seen {
		t.declared[name] = true
	}
	t.add(stmt.Pos(), &TopVar{Spec: spec, Assign: assign, Short: true})
}

func (t *tops) reject(n ast.Node, code diag.Code, name, message, hint string) {
	t.errs = append(t.errs, t.script.Reject(t.script.Offset(n.Pos()), code, name, message, hint))
}

// echo wraps a bare expression, which Go would not take as a statement.
func (t *tops) echo(x ast.Expr, last bool) ast.Stmt {
	id := len(t.echoes)
	t.echoes = append(t.echoes, Echo{Pos: x.Pos(), Last: last})
	return &ast.ExprStmt{X: EchoCall(id, x)}
}
