package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
)

// explainMismatch is about a op b with operands of two types.
func explainMismatch(c *checker, e typeError, r *Rejection) {
	x := c.syntax().binariesByPos[e.Pos]
	if x == nil {
		r.Hint = "convert one side to the type of the other"
		return
	}
	a, b := c.result.info.Types[x.X].Type, c.result.info.Types[x.Y].Type
	if a == nil || b == nil {
		r.Hint = "convert one side to the type of the other"
		return
	}
	r.Hint = c.conversionHint(x, a, b)
}

// conversionHint says which side of x to convert and how.
func (c *checker) conversionHint(x *ast.BinaryExpr, a, b types.Type) string {
	switch {
	case isNumeric(a) && isNumeric(b):
		if isFloat(b) && !isFloat(a) {
			return "convert: " + c.typeText(b) + "(" + exprText(x.X) + ")"
		}
		return "convert: " + c.typeText(a) + "(" + exprText(x.Y) + ")"
	case isString(a) && isNumeric(b):
		return "make a string of the number: fmt.Sprint(" + exprText(x.Y) + ")"
	case isNumeric(a) && isString(b):
		return "make a string of the number: fmt.Sprint(" + exprText(x.X) + "), or a number of the string with strconv"
	}
	return "convert one side to the type of the other"
}

// explainAssign is about a value of the wrong type for its place.
func explainAssign(c *checker, e typeError, r *Rejection) {
	x := c.syntax().exprsByPos[e.Pos]
	want, ok := wanted(e.Msg)
	if x == nil || !ok {
		return
	}
	have := c.result.info.Types[x].Type
	if have == nil {
		return
	}
	text := exprText(x)
	switch {
	case isNumeric(have) && isNumericName(want) && !isUntyped(have):
		r.Hint = "convert: " + want + "(" + text + ")"
	case isNumeric(have) && want == "string":
		r.Hint = "convert with fmt.Sprint(" + text + ")"
	case isString(have) && isNumericName(want):
		r.Hint = "convert with strconv, which also gives an error: v, err := strconv.Atoi(...)"
	case isString(have) && want == "error":
		r.Hint = "make an error of the text: errors.New(" + text + ")"
	case strings.TrimPrefix(want, "*") == c.typeText(have) && strings.HasPrefix(want, "*"):
		r.Hint = "take the address: &" + text
	case "*"+want == c.typeText(have):
		r.Hint = "follow the pointer: *" + text
	case isFunc(have):
		r.Hint = "a value of type " + want + " is wanted here: call the function?"
	default:
		r.Hint = "a value of type " + want + " is wanted here"
	}
}

// wanted takes the type out of "cannot use x (...) as T value in ...".
func wanted(msg string) (string, bool) {
	_, rest, ok := strings.Cut(msg, ") as ")
	if !ok {
		return "", false
	}
	want, _, ok := strings.Cut(rest, " value in ")
	return want, ok
}

// explainIface is about a type that lacks a method of an interface. go/types
// names the method; that a pointer has it is worth saying twice.
func explainIface(c *checker, e typeError, r *Rejection) {
	want, _ := wanted(e.Msg)
	x := c.syntax().exprsByPos[e.Pos]
	switch {
	case want == "error" && x != nil && c.typeOf(x) == types.Typ[types.String]:
		r.Code, r.Hint = WrongType, "make an error of the text: errors.New("+exprText(x)+")"
	case strings.Contains(e.Msg, "pointer receiver"):
		r.Code, r.Hint = MissingMethod, "the method belongs to the pointer: use &value"
	case strings.Contains(e.Msg, "missing method"):
		_, rest, _ := strings.Cut(e.Msg, "missing method ")
		name, _, _ := strings.Cut(rest, ")")
		r.Code, r.Hint = MissingMethod, "add method "+firstWord(name)+" with the signature of the interface"
	case strings.Contains(e.Msg, "wrong type for method"):
		r.Code, r.Hint = MissingMethod, "give the method the signature of the interface"
	}
}

func firstWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[0]
	}
	return s
}

// explainArgs is about a call with too many or too few arguments: go/types has
// both lists in its text; the signature says what they are for.
func explainArgs(c *checker, e typeError, r *Rejection) {
	call := c.syntax().callAround(e.Pos)
	if call == nil {
		return
	}
	sig, ok := c.result.info.Types[call.Fun].Type.(*types.Signature)
	if !ok {
		return
	}
	r.Name = exprText(call.Fun)
	r.Hint = "its signature is func " + r.Name + strings.TrimPrefix(c.typeText(sig), "func")
}

// explainResults is about a return with too many or too few values. The statements of a
// snippet return to nobody.
func explainResults(c *checker, e typeError, r *Rejection) {
	r.Hint = "return one value for each result of the function"
	if c.parsed.body == nil {
		return
	}
	ast.Inspect(c.parsed.body, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && ret.Pos() <= e.Pos && e.Pos < ret.End() {
			r.Hint = "a snippet has no caller: write the value alone on a line to report it, without return"
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
}

// typeText is t as the script would write it.
func (c *checker) typeText(t types.Type) string {
	return oneLine(types.TypeString(t, func(p *types.Package) string {
		if c.result.same(p) {
			return ""
		}
		return p.Name()
	}))
}

func exprText(x ast.Expr) string {
	const most = 60
	if s := types.ExprString(x); len(s) <= most {
		return s
	}
	return "..."
}

func basicInfo(t types.Type) types.BasicInfo {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

func isNumeric(t types.Type) bool { return basicInfo(t)&types.IsNumeric != 0 }
func isFloat(t types.Type) bool   { return basicInfo(t)&types.IsFloat != 0 }
func isString(t types.Type) bool  { return basicInfo(t)&types.IsString != 0 }
func isUntyped(t types.Type) bool { return basicInfo(t)&types.IsUntyped != 0 }

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isNumericName tells whether name is that of a predeclared numeric type.
func isNumericName(name string) bool {
	obj, ok := types.Universe.Lookup(name).(*types.TypeName)
	return ok && isNumeric(obj.Type())
}
