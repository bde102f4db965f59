package check

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// explainIface is about a type that lacks a method of an interface. go/types
// names the method; that a pointer has it is worth saying twice.
func explainIface(c *checker, e typeError, r *diag.Rejection) {
	want, _ := wanted(e.Msg)
	x := c.syntax().exprsByPos[e.Pos]
	switch {
	case want == "error" && x != nil && c.typeOf(x) == types.Typ[types.String]:
		r.Code, r.Hint = diag.WrongType, "make an error of the text: errors.New("+exprText(x)+")"
	case strings.Contains(e.Msg, "pointer receiver") && strings.HasPrefix(e.Msg, "impossible type "):
		r.Code, r.Hint = diag.MissingMethod, "the method belongs to the pointer: write the type with a *"
	case strings.Contains(e.Msg, "pointer receiver"):
		r.Code, r.Hint = diag.MissingMethod, "the method belongs to the pointer: use &value"
	case strings.Contains(e.Msg, "missing method"):
		_, rest, _ := strings.Cut(e.Msg, "missing method ")
		name, _, _ := strings.Cut(rest, ")")
		r.Code, r.Hint = diag.MissingMethod, "add method "+firstWord(name)+" with the signature of the interface"
	case strings.Contains(e.Msg, "wrong type for method"):
		r.Code, r.Hint = diag.MissingMethod, "give the method the signature of the interface"
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
func explainArgs(c *checker, e typeError, r *diag.Rejection) {
	call := c.syntax().callAt(e.Pos)
	if call == nil {
		return
	}
	sig, ok := c.result.Info.Types[call.Fun].Type.(*types.Signature)
	if !ok {
		return
	}
	r.Name = exprText(call.Fun)
	r.Hint = "its signature is func " + r.Name + strings.TrimPrefix(c.typeText(sig), "func")
	if c.givesContext(call, sig) {
		r.Hint = "leave the context out, which the run supplies: " + r.Hint
	}
}

// givesContext reports a call of a function of the host with a context that its declaration for scripts does not have.
func (c *checker) givesContext(call *ast.CallExpr, sig *types.Signature) bool {
	if len(call.Args) != sig.Params().Len()+1 || sig.Params().Len() > 0 && isNamed(sig.Params().At(0).Type(), "context", "Context") {
		return false
	}
	name := ast.Unparen(call.Fun)
	if sel, ok := name.(*ast.SelectorExpr); ok {
		name = sel.Sel
	}
	id, ok := name.(*ast.Ident)
	return ok && c.result.Info.Uses[id] != nil && c.isHost(c.result.Info.Uses[id]) && isNamed(c.typeOf(call.Args[0]), "context", "Context")
}

// typeText is t as the script would write it.
func (c *checker) typeText(t types.Type) string {
	return oneLine(types.TypeString(t, func(p *types.Package) string {
		if c.result.Same(p) {
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
func IsString(t types.Type) bool  { return basicInfo(t)&types.IsString != 0 }
func isUntyped(t types.Type) bool { return basicInfo(t)&types.IsUntyped != 0 }

// isChar tells whether t is that of characters, by its name: uint8 and int32 are numbers.
func isChar(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && (b.Name() == "byte" || b.Name() == "rune" || b.Kind() == types.UntypedRune)
}

// isDefined tells whether t has a name of its own, such as time.Duration.
func isDefined(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Named)
	return ok
}

func isLiteral(x ast.Expr) bool {
	_, ok := x.(*ast.BasicLit)
	return ok
}

// isNumericName tells whether name is that of a predeclared numeric type.
func isNumericName(name string) bool {
	obj, ok := types.Universe.Lookup(name).(*types.TypeName)
	return ok && isNumeric(obj.Type())
}
