package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// maxHabitWarnings bounds how many statements are warned of.
const maxHabitWarnings = 20

// warnHabits tells of code that Go accepts and that most probably does not do what its author means.
func (c *checker) warnHabits() {
	told := 0
	tell := func(pos token.Pos, text string) {
		if text != "" && told < maxHabitWarnings {
			told++
			c.warn(pos, text)
		}
	}
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tell(n.Pos(), c.formatFault(n))
			tell(n.Pos(), c.layoutFault(n))
			tell(c.durationFault(n))
			tell(uncalled(n))
		case *ast.ExprStmt:
			if text := c.droppedValue(n); text != "" {
				tell(n.Pos(), text)
				break
			}
			switch text := c.droppedError(n.X, "write if %s := %s(...); err != nil { ... }, or assign it to _"); {
			case text == "" || !c.isShown(n.X):
				tell(n.Pos(), text)
			default: // who echoes the value sees the error
				c.parsed.Unechoed = c.warning(n.Pos(), text)
			}
		case *ast.GoStmt:
			tell(n.Call.Pos(), c.droppedError(n.Call, "let go start a func that handles it, as in %s := %s(...)"))
		case *ast.AssignStmt:
			tell(n.Pos(), reversedOperator(n))
		}
		return told < maxHabitWarnings
	})
	for _, id := range c.unreadErrors() {
		tell(id.Pos(), "the error in "+id.Name+" is never looked at: write if "+id.Name+" != nil { ... }")
	}
	tell(c.nothingRuns())
}

// warn adds a line about a place to the warnings.
func (c *checker) warn(pos token.Pos, text string) {
	c.parsed.Warnings = append(c.parsed.Warnings, c.warning(pos, text))
}

// warning is a line about a place.
func (c *checker) warning(pos token.Pos, text string) string {
	return parse.Printable(c.position(pos).String() + ": " + text)
}

// layoutFault is about a layout in the form of other languages.
func (c *checker) layoutFault(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	f, ok := c.result.Info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "time" {
		return ""
	}
	if slices.Contains([]string{"Format", "AppendFormat", "Parse", "ParseInLocation"}, f.Name()) {
		layout, ok := c.constText(call.Args[min(len(call.Args)-1, map[string]int{"AppendFormat": 1}[f.Name()])])
		if ok && !strings.Contains(layout, "06") && (strings.Contains(strings.ToLower(layout), "yy") || strings.Contains(layout, "%Y")) {
			return "this layout has no date in it: write how 2006-01-02 15:04:05 would look"
		}
	}
	return ""
}

// durationFault is about a duration without a unit.
func (c *checker) durationFault(call *ast.CallExpr) (token.Pos, string) {
	if c.result.Info.Types[call.Fun].IsType() {
		return 0, ""
	}
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT || !isNamed(c.typeOf(arg), "time", "Duration") {
			continue
		}
		if n, ok := constant.Int64Val(constant.MakeFromLiteral(lit.Value, token.INT, 0)); ok && 0 < n && n < 1e6 {
			return call.Pos(), "this is " + lit.Value + " nanoseconds: write " + lit.Value + "*time.Millisecond, or another unit"
		}
	}
	return 0, ""
}

// uncalled is about a function literal as a statement of a snippet, which is echoed as other values are.
func uncalled(call *ast.CallExpr) (token.Pos, string) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Echo" || len(call.Args) < 2 {
		return 0, ""
	}
	gate, _ := sel.X.(*ast.Ident)
	if f, ok := call.Args[len(call.Args)-1].(*ast.FuncLit); ok && gate != nil && gate.Name == abi.Prefix {
		return f.Pos(), "this function is not called: write () behind it"
	}
	return 0, ""
}

// Those begin the names of methods, and of functions, that write to a stream: their errors are seldom looked at, and that they
// fail can be seen elsewhere. That os.WriteFile, or a function of the host, has failed cannot.
var (
	shownMethods   = []string{"Print", "Fprint", "Write", "Encode", "Flush", "Close"}
	shownFunctions = map[string][]string{"fmt": {"Print", "Fprint"}, "io": {"WriteString"}, "encoding/binary": {"Write"}}
)

// writesStream reports a call of one of these.
func (c *checker) writesStream(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	begins := func(name string, list []string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(name, w) })
	}
	if _, isMethod := c.result.Info.Selections[sel]; isMethod {
		return begins(sel.Sel.Name, shownMethods)
	}
	f, ok := c.result.Info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && begins(f.Name(), shownFunctions[f.Pkg().Path()])
}

// droppedError is about a call as a statement whose last result is an error; mend takes its results and the function.
func (c *checker) droppedError(x ast.Expr, mend string) string {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return ""
	}
	sig, ok := c.typeOf(call.Fun).(*types.Signature)
	if !ok || sig.Results().Len() == 0 || !types.Identical(sig.Results().At(sig.Results().Len()-1).Type(), types.Universe.Lookup("error").Type()) {
		return ""
	}
	if c.writesStream(call) {
		return ""
	}
	name := exprText(call.Fun)
	results := strings.Repeat("_, ", sig.Results().Len()-1) + "err"
	return "the error of " + name + " is dropped: " + fmt.Sprintf(mend, results, name)
}

// isShown reports the last statement of a snippet, whose value is echoed.
func (c *checker) isShown(x ast.Expr) bool {
	stmt, ok := c.parsed.Last().(*ast.ExprStmt)
	return ok && stmt.X == x
}

// unreadErrors are the variables of a snippet that a call gives an error and that are never read: Go refuses them in a
// function. Those of the last statement are a result, and later cells of a session may use theirs.
func (c *checker) unreadErrors() (list []*ast.Ident) {
	if list = c.errorVariables(); len(list) == 0 {
		return nil
	}
	written := c.writtenNames()
	read := map[types.Object]bool{}
	for id, obj := range c.result.Info.Uses {
		if !written[id] {
			read[obj] = true
		}
	}
	return slices.DeleteFunc(list, func(id *ast.Ident) bool { return read[c.result.Info.Defs[id]] })
}

// errorVariables are those of a snippet that a call gives their value, without those of its last statement.
func (c *checker) errorVariables() (list []*ast.Ident) {
	if c.parsed.Body == nil || c.session() != nil {
		return nil
	}
	stmts := c.parsed.Body.Body.List
	last := len(stmts) - 1
	for _, top := range c.parsed.Tops {
		if !c.mayFail(top.Spec.Values) || c.parsed.IsLast(last) && stmts[last] == ast.Stmt(top.Placeholder) {
			continue
		}
		for _, id := range top.Spec.Names {
			obj := c.result.Info.Defs[id]
			if obj != nil && !parse.Reserved(id.Name) && id.Name != "_" && types.Identical(obj.Type(), types.Universe.Lookup("error").Type()) {
				list = append(list, id)
			}
		}
	}
	return list
}

// writtenNames are the names that statements of the script assign to.
func (c *checker) writtenNames() map[*ast.Ident]bool {
	written := map[*ast.Ident]bool{}
	for _, top := range c.parsed.Tops {
		for _, a := range top.Assign {
			written[a.To] = true
		}
	}
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					written[id] = true
				}
			}
		}
		return true
	})
	return written
}

// mayFail reports that values are results of a call other than one that makes an error.
func (c *checker) mayFail(values []ast.Expr) bool {
	if len(values) == 0 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	pkg := c.packageOf(sel.Sel)
	return pkg == nil || pkg.Path() != "errors" && pkg.Path()+"."+sel.Sel.Name != "fmt.Errorf"
}

// reversedOperator is about x =+ y, where + is a sign.
func reversedOperator(a *ast.AssignStmt) string {
	x, ok := a.Rhs[0].(*ast.UnaryExpr)
	if !ok || a.Tok != token.ASSIGN || x.OpPos != a.TokPos+1 || x.X.Pos() == x.OpPos+1 || x.Op != token.ADD && x.Op != token.SUB {
		return ""
	}
	return "=" + x.Op.String() + " assigns a value with a sign: write " + x.Op.String() + "= to change the variable by it"
}

// nothingRuns is about a snippet that declares functions and calls none. The host may call those that it has named, and a
// later cell of a session those of all earlier ones.
func (c *checker) nothingRuns() (token.Pos, string) {
	if !c.parsed.Snippet || c.parsed.Body != nil && !c.parsed.IsLast(-1) || len(c.parsed.Kept) > 0 || c.session() != nil {
		return 0, ""
	}
	for _, d := range c.parsed.File.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name != "init" && f.Name.Name != "main" {
			return f.Pos(), "nothing calls " + f.Name.Name + ": statements of a snippet run, functions only if they are called"
		}
	}
	return 0, ""
}
