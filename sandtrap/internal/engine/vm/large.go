package vm

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// go/ssa finds the values of local variables in time and memory that grow with the
// square of a function's branches, and of the operands of one instruction. A program with
// a function beyond these is built without that: its variables stay variables, which
// costs moves at run time.
const (
	maxBranches = 1000
	maxOperands = 500
)

// form is how the SSA form of the packages is built.
func form(units []rewrite.Unit) ssa.BuilderMode {
	mode := ssa.InstantiateGenerics | ssa.BareInits
	for _, u := range units {
		if slices.ContainsFunc(u.Files, hasLarge) {
			mode |= ssa.NaiveForm
		}
	}
	return mode
}

// hasLarge reports a function with too many branches or operands. Literals of
// functions are counted with what they are in.
func hasLarge(f *ast.File) bool {
	if size := int(f.FileEnd - f.FileStart); size > 0 && size < min(maxBranches, maxOperands) {
		return false // each takes a byte at least
	}
	large := false
	for _, d := range f.Decls {
		branches := 0
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
				branches++
			case *ast.CaseClause:
				branches += len(n.List) + 1
			case *ast.CommClause:
				branches++
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					branches++
				}
			case *ast.CallExpr:
				large = large || len(n.Args) > maxOperands
			}
			return !large
		})
		large = large || branches > maxBranches
	}
	return large
}
