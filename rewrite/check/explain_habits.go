package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// compareHint is for functions that compare two values.
const compareHint = "it returns a negative number, 0 or a positive one: return cmp.Compare(a, b), with what is compared"

// explainInfer is about a generic function whose type arguments do not follow from its arguments.
func explainInfer(_ *checker, e typeError, r *diag.Rejection) {
	r.Hint = "write the type arguments in brackets"
	if strings.HasPrefix(e.Msg, "in call to "+abi.Name+"."+abi.Echo+",") { // an expression stands alone, which shows its value
		r.Message = "cannot show a generic function without type arguments"
		r.Hint = "call it, or " + r.Hint
	}
	if strings.Contains(e.Msg, ") bool of ") && strings.HasSuffix(e.Msg, ") int for func(a E, b E) int") {
		r.Hint = compareHint
	}
}

// explainCount is about an assignment of more or fewer values than there are variables.
func explainCount(_ *checker, e typeError, r *diag.Rejection) {
	r.Hint = "give each value a variable; _ takes one that is not needed"
	_, counts, _ := strings.Cut(e.Msg, "assignment mismatch: ")
	variables, rest, _ := strings.Cut(counts, " variable")
	words := strings.Fields(rest)
	for i := len(words) - 2; i > 0; i-- {
		values, err := strconv.Atoi(words[i])
		if n, failed := strconv.Atoi(variables); err == nil && failed == nil && n > values {
			if r.Hint = "leave " + strconv.Itoa(n-values) + " of the variables out"; values == 1 {
				r.Hint = "there is one value, and no error beside it: assign it to one variable"
			}
			return
		}
	}
}

// explainOverflow is about a constant that a type cannot hold.
func explainOverflow(c *checker, e typeError, r *diag.Rejection) {
	r.Hint = "use a larger type"
	if x, ok := c.syntax().exprsByPos[e.Pos].(*ast.UnaryExpr); ok && x.Op == token.SUB && strings.Contains(e.Msg, " uint") {
		r.Hint = "unsigned numbers are never negative: use int"
	}
}

// explainIndirect is about * before what is no pointer: other languages write powers as x ** y.
func explainIndirect(c *checker, e typeError, r *diag.Rejection) {
	for _, x := range c.syntax().binaries {
		if star, ok := x.Y.(*ast.StarExpr); ok && x.Op == token.MUL && star.X.Pos() == e.Pos {
			r.Hint = "Go has no operator **: write math.Pow(" + exprText(x.X) + ", " + exprText(star.X) + "), which is about float64s"
			return
		}
	}
}

// numberOf is how the text x becomes a number of type want.
func numberOf(x ast.Expr, want string) string {
	if lit, ok := x.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(lit.Value)
		if _, err := strconv.ParseFloat(text, 64); err == nil && (strings.HasPrefix(want, "float") || !strings.ContainsAny(text, ".eE")) {
			return "leave the quotes out: " + text
		}
	}
	call := "strconv.Atoi(" + exprText(x) + ")"
	if strings.HasPrefix(want, "float") {
		call = "strconv.ParseFloat(" + exprText(x) + ", 64)"
	}
	return "convert with strconv, which also gives an error: n, err := " + call
}

// isDynamic reports that values of t are taken out by a type assertion: it is an interface and no type parameter.
func isDynamic(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return types.IsInterface(t) && !param
}

// fromInterface is about an operation on the interface value x and a value of type t.
func (c *checker) fromInterface(x ast.Expr, t types.Type) string {
	return takenOut(exprText(x), c.typeText(types.Default(t)))
}

func takenOut(text, typ string) string {
	return "take the value out with the type that it holds, as in " + text + ".(" + typ + ")"
}

// rangeHint is about a field or method of the one variable of a range loop over a list: it is the index.
func (c *checker) rangeHint(x ast.Expr, member string) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	obj := c.result.Info.Uses[id]
	hint := ""
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value != nil || obj == nil {
			return true
		}
		if key, ok := loop.Key.(*ast.Ident); ok && c.result.Info.Defs[key] == obj && slices.Contains(Members(elementOf(c.typeOf(loop.X))), member) {
			hint = id.Name + " is the index: write for _, " + id.Name + " := range " + exprText(loop.X)
		}
		return true
	})
	return hint
}

// elementOf is the type of the elements of a slice or an array; for any other it is that itself.
func elementOf(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return t
}

// toolsHint lists the functions of the host, for name.member where nothing has the name: models write tools.search.
func (c *checker) toolsHint() string {
	var names []string
	for _, obj := range c.universe.Predeclared() {
		if _, ok := obj.Type().Underlying().(*types.Signature); ok {
			names = append(names, obj.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	rest := ""
	if len(names) > maxListed {
		names, rest = names[:maxListed], " and more"
	}
	return "the functions here, without a package, are " + strings.Join(names, ", ") + rest
}

// toolNames are what a package of tools is most often called.
var toolNames = []string{"tools", "tool", "api", "functions", "funcs", "client", "host", "sdk", "agent"}

// experimental is the package of Go's library that one of golang.org/x/exp has become, or "".
func (c *checker) experimental(path string) string {
	name, ok := strings.CutPrefix(path, "golang.org/x/exp/")
	if !ok {
		return ""
	}
	if _, err := c.universe.Import(name); err != nil {
		return ""
	}
	return name
}
