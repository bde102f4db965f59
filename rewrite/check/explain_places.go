package check

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// explainUnassignable is about x = v where x cannot be changed.
func explainUnassignable(c *checker, e typeError, r *diag.Rejection) {
	switch x := c.syntax().exprsByPos[e.Pos].(type) {
	case *ast.IndexExpr:
		if t := c.typeOf(x.X); t != nil && IsString(t) {
			s := exprText(x.X)
			r.Hint = "a string cannot be changed: change b := []byte(" + s + "), and make string(b) of it"
		}
	case *ast.Ident:
		if _, ok := c.result.Info.Uses[x].(*types.Const); ok {
			r.Hint = x.Name + " is a constant: declare it with var"
		}
	}
}

// explainUnaddressable is about &x where x is in no variable.
func explainUnaddressable(_ *checker, e typeError, r *diag.Rejection) {
	r.Hint = "put it in a variable, and take the address of that"
	if _, rest, ok := strings.Cut(e.Msg, "cannot take address of "); ok {
		x, _, _ := strings.Cut(rest, " (")
		r.Hint += "; or write new(" + x + ")"
	}
}

// explainSeveral is about a call with several results where one value belongs.
func explainSeveral(c *checker, e typeError, r *diag.Rejection) {
	if x, _, ok := strings.Cut(strings.TrimPrefix(e.Msg, "multiple-value "), " (value of type"); ok {
		r.Hint = "give each value a variable first: v, err := " + x
		return
	}
	r.Hint = c.resultHint(e.Pos, e.Msg)
}

// explainCall is about a call of what is no function.
func explainCall(c *checker, e typeError, r *diag.Rejection) {
	r.Hint = "only functions can be called; a conversion needs a type"
	call, ok := c.syntax().exprsByPos[e.Pos].(*ast.CallExpr)
	if !ok {
		return
	}
	if id, ok := call.Fun.(*ast.Ident); ok {
		r.Hint = cmp.Or(hidesGoName(id), r.Hint)
	}
}

// hidesGoName is about a variable that has a name of Go's; "" if it has not.
func hidesGoName(id *ast.Ident) string {
	if types.Universe.Lookup(id.Name) == nil {
		return ""
	}
	return "the variable " + id.Name + " hides what Go calls " + id.Name + ": give it another name"
}

// hidesPackage is about x.Sel where the variable x has the name of a package that has
// a Sel; "" if it has not.
func (c *checker) hidesPackage(sel *ast.SelectorExpr) string {
	id, ok := sel.X.(*ast.Ident)
	if !ok || c.bestPackage(id.Name, map[string]bool{sel.Sel.Name: true}) == "" {
		return ""
	}
	return "the variable " + id.Name + " hides the package: give it another name"
}

// explainMain is about a function main or init that takes or returns something, or is
// none.
func explainMain(_ *checker, e typeError, r *diag.Rejection) {
	name := "main"
	if strings.Contains(e.Msg, "init") {
		name = "init"
	}
	switch {
	case !strings.HasPrefix(e.Msg, "func "):
		r.Hint = name + " is reserved: rename it"
	case name == "main":
		r.Hint = "write func main() { ... }: os.Args holds the arguments, os.Exit(n) ends with a code"
	default:
		r.Hint = "write func init() { ... }"
	}
}

// explainResults is about a return with too many or too few values. Those of a snippet's own
// statements have a meaning unless a variable hides result, see returns.
func explainResults(c *checker, e typeError, r *diag.Rejection) {
	r.Hint = "return one value for each result of the function"
	fn := c.syntax().functionAround(e.Pos)
	if c.parsed.Body != nil && fn == ast.Node(c.parsed.Body) {
		r.Hint = "a returned value is left in the variable result, which an inner one hides here: give that another name"
		return
	}
	if decl, ok := fn.(*ast.FuncDecl); ok && decl.Name.Name == "main" && decl.Recv == nil {
		r.Hint = "main has no results: print the value, and return or os.Exit(1)"
	} else if strings.HasSuffix(r.Message, "want ()") {
		r.Hint = "the function has no results: add their types, or return without a value"
	}
}
