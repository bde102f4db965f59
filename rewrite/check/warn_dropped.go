package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// pureFunctions are packages whose functions do nothing but compute a result, apart from those that get a function.
var pureFunctions = []string{"strings", "bytes", "strconv", "slices", "maps", "math", "math/bits", "math/cmplx", "unicode", "errors", "path", "path/filepath", "html", "cmp"}

// droppedValue is about a statement that computes something and stores it nowhere, as in strings.ToUpper(s).
func (c *checker) droppedValue(stmt *ast.ExprStmt) string {
	if _, x, ok := Echoed(stmt); ok {
		return c.droppedOperation(stmt, x)
	}
	call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
	if !ok || c.isShown(stmt.X) || c.session() != nil && c.atTop(stmt) {
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	f, ok := c.result.Info.Uses[sel.Sel].(*types.Func)
	if !ok || !c.onlyComputes(f, call) {
		return ""
	}
	name := exprText(call.Fun)
	result := f.Signature().Results().At(0).Type()
	if isError(result.Underlying()) {
		return "the error of " + name + " goes nowhere: write return " + name + "(...)"
	}
	if _, ok := result.(*types.TypeParam); ok || f.Signature().TypeParams().Len() > 0 {
		result = c.firstResult(call)
	}
	for _, from := range append([]ast.Expr{sel.X}, call.Args...) {
		if id, ok := from.(*ast.Ident); ok && c.isVariable(id) && types.Identical(c.typeOf(id), result) {
			return "the result of " + name + " is stored nowhere, and " + id.Name + " stays as it was; write " + id.Name + " = " + name + "(...)"
		}
	}
	return "the result of " + name + " is stored nowhere; write v := " + name + "(...)"
}

// onlyComputes reports that a call of f has no effect but its results.
func (c *checker) onlyComputes(f *types.Func, call *ast.CallExpr) bool {
	results := f.Signature().Results()
	if f.Pkg() == nil || results.Len() == 0 || results.Len() > 1 && isError(results.At(results.Len()-1).Type().Underlying()) {
		return false
	}
	for _, arg := range call.Args {
		if _, ok := c.typeOf(arg).Underlying().(*types.Signature); ok {
			return false
		}
	}
	if recv := f.Signature().Recv(); recv != nil {
		return isNamed(recv.Type(), "time", "Time") || isNamed(recv.Type(), "time", "Duration")
	}
	return slices.Contains(pureFunctions, f.Pkg().Path()) ||
		f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Sprint") || f.Name() == "Errorf")
}

func (c *checker) firstResult(call *ast.CallExpr) types.Type {
	t := c.typeOf(call)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		return tuple.At(0).Type()
	}
	return t
}

func (c *checker) isVariable(id *ast.Ident) bool {
	_, ok := c.result.Info.Uses[id].(*types.Var)
	return ok
}

// droppedOperation is about x == 2 in the middle of a snippet.
func (c *checker) droppedOperation(stmt *ast.ExprStmt, x ast.Expr) string {
	op, ok := ast.Unparen(x).(*ast.BinaryExpr)
	if !ok || c.session() != nil || c.isShown(stmt.X) {
		return ""
	}
	text := "the value of " + exprText(op) + " is stored nowhere"
	if op.Op.String() == "==" {
		text += "; = assigns"
	}
	return text
}

// atTop reports a statement of a snippet that stands in no other.
func (c *checker) atTop(stmt ast.Stmt) bool {
	return c.parsed.Body != nil && slices.Contains(c.parsed.Body.Body.List, stmt)
}
