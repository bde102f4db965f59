package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// explainAssign is about a value of the wrong type for its place.
func explainAssign(c *checker, e typeError, r *diag.Rejection) {
	if want, ok := strings.CutPrefix(e.Msg, "cannot use nil as "); ok {
		want, _, _ = strings.Cut(want, " value in ")
		r.Hint = nilHint(want)
		return
	}
	x := c.syntax().exprsByPos[e.Pos]
	want, ok := wanted(e.Msg)
	if x == nil || !ok {
		return
	}
	have := c.typeOf(x)
	if have == nil {
		return
	}
	if name := strings.ReplaceAll(want, "main.", ""); strings.ReplaceAll(c.typeText(have), "main.", "") == name {
		named := namedOf(have)
		if named != nil && c.isHost(named.Obj()) && !c.ownsType(named.Obj().Name()) {
			r.Hint = "the host has several types " + name + ", and this value is of another one: take it from a function that gives the one that is wanted here"
			return
		}
		if named != nil && c.isHost(named.Obj()) || c.hidesPredeclared(name) {
			r.Hint = "the host has a type " + name + ", and this script declares another one of that name, which hides it: give yours another name"
			return
		}
		r.Hint = strings.TrimLeft(name, "*[]") + " has been declared again, and this value keeps the type that had the name before: make the value anew"
		return
	}
	for _, hint := range []string{c.literalHint(x, have, want), c.argumentHint(e.Pos, x), basicHint(x, have, want), c.pointerHint(x, have, want), c.listHint(e, x, have, want)} {
		if hint != "" {
			r.Hint = hint
			return
		}
	}
	r.Hint = "a value of type " + want + " is wanted here"
	if sig, ok := have.Underlying().(*types.Signature); ok && sig.Results().Len() == 1 && c.typeText(sig.Results().At(0).Type()) == want {
		r.Hint = "call the function: " + exprText(x) + "()"
	}
}

// hidesPredeclared reports that the script declares a type with the name of one that needs no import.
func (c *checker) hidesPredeclared(name string) bool {
	name = strings.TrimLeft(name, "*[]")
	return slices.ContainsFunc(c.universe.Predeclared(), func(o types.Object) bool {
		_, ok := o.(*types.TypeName)
		return ok && o.Name() == name
	})
}

// ownsType reports that the script declares a type of that name, or uses one that it has declared before.
func (c *checker) ownsType(name string) bool {
	for _, objects := range []map[*ast.Ident]types.Object{c.result.Info.Defs, c.result.Info.Uses} {
		for _, obj := range objects {
			if _, ok := obj.(*types.TypeName); ok && obj.Name() == name && obj.Pkg() != nil && c.result.Own(obj.Pkg()) {
				return true
			}
		}
	}
	return false
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

// nilHint is about nil where a value of type want belongs, which is no pointer, slice,
// map, channel, function or interface.
func nilHint(want string) string {
	zero := want + "{}"
	switch {
	case isNumericName(want):
		zero = "0"
	case want == "string":
		zero = `""`
	case want == "bool":
		zero = "false"
	}
	return withArticle(want) + " is never nil: write " + zero
}

// basicHint is about numbers, strings and bools in each other's place.
func basicHint(x ast.Expr, have types.Type, want string) string {
	text := exprText(x)
	switch {
	case isDifference(x) && isFloat(have) && want == "int":
		return "in a function that compares write cmp.Compare(a, b): a difference below 1 becomes 0 in int(" + text + ")"
	case isNumeric(have) && isNumericName(want) && !isUntyped(have):
		return "convert: " + want + "(" + text + ")"
	case isChar(have) && want == "string":
		return characterAsText(x)
	case isNumeric(have) && want == "string":
		return "convert with fmt.Sprint(" + text + ")"
	case IsString(have) && (want == "byte" || want == "rune") && oneCharacter(x) != "":
		return "write " + oneCharacter(x) + ": single quotes make one character"
	case IsString(have) && isNumericName(want):
		return numberOf(x, want)
	case IsString(have) && (want == "[]byte" || want == "[]rune"), isText(have) && want == "string":
		return "convert: " + want + "(" + text + ")"
	case IsString(have) && want == "error":
		return "make an error of the text: errors.New(" + text + ")"
	case isNumeric(have) && want == "bool":
		return "a condition is wanted here: compare, as in x != 0"
	}
	return ""
}

func isDifference(x ast.Expr) bool {
	b, ok := x.(*ast.BinaryExpr)
	return ok && b.Op == token.SUB
}

// isText reports that t converts to string: it is a []byte or a []rune.
func isText(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && (types.Identical(s.Elem(), types.Typ[types.Byte]) || types.Identical(s.Elem(), types.Typ[types.Rune]))
}

// pointerHint is about a value and a pointer to one in each other's place.
func (c *checker) pointerHint(x ast.Expr, have types.Type, want string) string {
	switch c.typeText(have) {
	case strings.TrimPrefix(want, "*"):
		return "take the address: &" + exprText(x)
	case "*" + want:
		if addr, ok := x.(*ast.UnaryExpr); ok {
			return "leave the & out: " + exprText(addr.X)
		}
		return "follow the pointer: *" + exprText(x)
	}
	return ""
}

// listHint is about a slice in the place of an element, or of another slice.
func (c *checker) listHint(e typeError, x ast.Expr, have types.Type, want string) string {
	if isSeq(have) && strings.HasPrefix(want, "[]") {
		return collected(exprText(x))
	}
	if !IsSlice(have.Underlying()) {
		return ""
	}
	if strings.HasPrefix(want, "[]") {
		return "slices of different elements do not convert: copy the elements in a loop"
	}
	if c.typeText(have) == "[]"+want && c.variadic(c.syntax().callAround(e.Pos)) {
		return "pass the elements: " + exprText(x) + "..."
	}
	return ""
}

// variadic tells whether the last parameter of what call calls takes any number of values.
func (c *checker) variadic(call *ast.CallExpr) bool {
	if call == nil {
		return false
	}
	if id, ok := call.Fun.(*ast.Ident); ok && c.result.Info.Uses[id] == types.Universe.Lookup("append") {
		return true
	}
	sig, ok := c.typeOf(call.Fun).(*types.Signature)
	return ok && sig.Variadic()
}

// explainConversion is about T(x) that there is not.
func explainConversion(c *checker, e typeError, r *diag.Rejection) {
	_, want, ok := strings.Cut(e.Msg, " to type ")
	x := c.syntax().exprsByPos[e.Pos]
	if ok && x != nil && c.typeOf(x) != nil && IsString(c.typeOf(x)) && isNumericName(want) {
		r.Hint = numberOf(x, want)
	}
}
