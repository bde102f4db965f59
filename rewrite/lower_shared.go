package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// sharedVars finds the local variables of f that a call may change beside its
// caller: those that closures capture, and those whose address is taken.
// It finds the labels that a goto names, too.
func sharedVars(f *ast.File, info *types.Info) (shared map[*types.Var]bool, gotos map[string]bool) {
	s := &sharing{Info: info}
	for _, d := range f.Decls {
		s.within(d, d)
	}
	return s.shared, s.gotos
}

type sharing struct {
	*types.Info
	owner  map[*types.Var]ast.Node // the function that declares it
	shared map[*types.Var]bool
	gotos  map[string]bool
}

// within looks at n as part of the function, or declaration, fn.
func (s *sharing) within(n, fn ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != fn {
				s.within(n, n)
				return false
			}
		case *ast.Ident:
			s.name(n, fn)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				check.Note(&s.gotos, n.Label.Name, true)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.addressed(n.X)
			}
		case *ast.SliceExpr:
			if _, ok := s.TypeOf(n.X).Underlying().(*types.Array); ok {
				s.addressed(n.X)
			}
		case *ast.SelectorExpr:
			if sel := s.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && takesAddress(sel) {
				s.addressed(n.X)
			}
		}
		return true
	})
}

func (s *sharing) name(id *ast.Ident, fn ast.Node) {
	if v, ok := s.Defs[id].(*types.Var); ok {
		check.Note(&s.owner, v, fn)
		return
	}
	if v, ok := s.Uses[id].(*types.Var); ok && !v.IsField() {
		if owner, known := s.owner[v]; known && owner != fn {
			check.Note(&s.shared, v, true)
		}
	}
}

// addressed notes the variable that e is a part of.
func (s *sharing) addressed(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := s.Uses[x].(*types.Var); ok {
				check.Note(&s.shared, v, true)
			}
			return
		default:
			return
		}
	}
}

// takesAddress reports that a method is called on the address of its operand.
func takesAddress(sel *types.Selection) bool {
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	return check.IsPointer(recv) && !check.IsPointer(sel.Recv())
}
