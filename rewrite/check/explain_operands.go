package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

const convertOneSide = "convert one side to the type of the other"

// explainMismatch is about a op b with operands of two types.
func explainMismatch(c *checker, e typeError, r *diag.Rejection) {
	if r.Hint = operatorOfConstraint(e.Msg); r.Hint != "" {
		return
	}
	r.Hint = convertOneSide
	x := c.syntax().binaryAt(e.Pos, e.Msg)
	if x != nil && c.timeHint(x) != "" {
		r.Hint = c.timeHint(x)
		return
	}
	assigned := x == nil
	if x = cmp.Or(x, c.syntax().assignedAt(e.Pos, e.Msg)); x == nil {
		return
	}
	a, b := c.typeOf(x.X), c.typeOf(x.Y)
	if a == nil || b == nil {
		return
	}
	r.Hint = c.conversionHint(x, a, b)
	if assigned && isNumeric(a) && IsString(b) {
		r.Hint = numberOf(x.Y, c.typeText(a))
	}
	if text := exprText(x.X); assigned && isNumeric(a) && isNumeric(b) && !isDefined(a) {
		r.Hint = "convert: " + c.typeText(a) + "(" + exprText(x.Y) + ")"
		if isFloat(b) && !isFloat(a) {
			r.Hint = "make " + text + " a " + c.typeText(b) + ", or write " + text + " = " + c.typeText(a) + "(" + c.typeText(b) + "(" + text + ") " + x.Op.String() + " " + exprText(x.Y) + ")"
		}
	}
}

// conversionHint says which side of x to convert and how.
func (c *checker) conversionHint(x *ast.BinaryExpr, a, b types.Type) string {
	switch {
	case isNumeric(a) && isNumeric(b):
		return c.numbersHint(x, a, b)
	case IsString(a) && isNumeric(b):
		return textHint(x.Op, x.X, x.Y, b)
	case isNumeric(a) && IsString(b):
		return textHint(x.Op, x.Y, x.X, a)
	case isNil(b):
		return c.neverNil(a)
	case isNil(a):
		return c.neverNil(b)
	case pointed(a) != nil && types.Identical(pointed(a), types.Default(b)):
		return "follow the pointer: *" + exprText(x.X)
	case pointed(b) != nil && types.Identical(pointed(b), types.Default(a)):
		return "follow the pointer: *" + exprText(x.Y)
	case isDynamic(a) && !types.IsInterface(b):
		return c.fromInterface(x.X, b)
	case isDynamic(b) && !types.IsInterface(a):
		return c.fromInterface(x.Y, a)
	}
	return convertOneSide
}

// numbersHint is about numbers of types a and b. A type with a name of its own, such as
// time.Duration, is what is meant; else no digits get lost.
func (c *checker) numbersHint(x *ast.BinaryExpr, a, b types.Type) string {
	textA, textB := exprText(x.X), exprText(x.Y)
	switch {
	case isDefined(a) && !isFloat(a) && isFloat(b):
		textA = "float64(" + textA + ")"
		return "convert: " + c.backTo(x.Op, a, textA, textA+" "+x.Op.String()+" "+textB)
	case isDefined(b) && !isFloat(b) && isFloat(a):
		textB = "float64(" + textB + ")"
		return "convert: " + c.backTo(x.Op, b, textB, textA+" "+x.Op.String()+" "+textB)
	case isDefined(b) && !isDefined(a), isFloat(b) && !isFloat(a):
		return "convert: " + c.typeText(b) + "(" + textA + ")"
	}
	return "convert: " + c.typeText(a) + "(" + textB + ")"
}

// backTo makes a t of the whole operation, unless its result is a bool: then the
// operand is enough.
func (c *checker) backTo(op token.Token, t types.Type, operand, whole string) string {
	if op.Precedence() == token.EQL.Precedence() {
		return operand
	}
	return c.typeText(t) + "(" + whole + ")"
}

// textHint is about a text and a number, which may be a character, of type t.
func textHint(op token.Token, text, number ast.Expr, t types.Type) string {
	switch {
	case op == token.MUL:
		return "repeat a string with strings.Repeat(" + exprText(text) + ", " + exprText(number) + ")"
	case isChar(t):
		if lit := oneCharacter(text); lit != "" && op != token.ADD && !isLiteral(number) {
			return "write " + lit + ": single quotes make one character"
		}
		return characterAsText(number)
	case op == token.ADD:
		return "make a string of the number: fmt.Sprint(" + exprText(number) + ")"
	}
	return "make a string of the number: fmt.Sprint(" + exprText(number) + "), or a number of the string with strconv"
}

// characterAsText says how the character x becomes a string; fmt.Sprint would show its number.
func characterAsText(x ast.Expr) string {
	if lit, ok := x.(*ast.BasicLit); ok {
		if s, err := strconv.Unquote(lit.Value); err == nil {
			return "write " + strconv.Quote(s) + ": double quotes make a string"
		}
	}
	return "make a string of the character: string(" + exprText(x) + ")"
}

// oneCharacter is the literal string x as a rune literal, if it has one character.
func oneCharacter(x ast.Expr) string {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if r, size := utf8.DecodeRuneInString(s); err == nil && size > 0 && size == len(s) {
		return strconv.QuoteRune(r)
	}
	return ""
}

// neverNil is about nil where there is a t.
func (c *checker) neverNil(t types.Type) string {
	return withArticle(c.typeText(t)) + " is never nil"
}

func withArticle(name string) string {
	if startsWithVowel(name) {
		return "an " + name
	}
	return "a " + name
}

// startsWithVowel is about how a name sounds: Order and HTTPClient do, User does not.
func startsWithVowel(name string) bool {
	if len(name) == 1 && name[0] < 'a' || len(name) > 1 && name[0] < 'a' && name[1] < 'a' { // letters that are read one by one
		return strings.IndexByte("AEFHILMNORSX", name[0]) >= 0
	}
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "un") || strings.HasPrefix(lower, "up") {
		return !strings.HasPrefix(lower, "uni")
	}
	return lower != "" && strings.IndexByte("aeio", lower[0]) >= 0
}

// explainTruncated is about 1.5 where there is a whole number.
func explainTruncated(c *checker, e typeError, r *diag.Rejection) {
	r.Hint = "make the variable a float64, or convert with int(...) a value that is not constant"
	for _, x := range c.syntax().binaries {
		a, b := c.typeOf(x.X), c.typeOf(x.Y)
		switch {
		case a == nil || b == nil:
		case x.X.Pos() == e.Pos && isDefined(b):
			r.Hint = "convert: " + c.typeText(b) + "(" + exprText(x.X) + " " + x.Op.String() + " float64(" + exprText(x.Y) + "))"
		case x.Y.Pos() == e.Pos && isDefined(a):
			r.Hint = "convert: " + c.typeText(a) + "(float64(" + exprText(x.X) + ") " + x.Op.String() + " " + exprText(x.Y) + ")"
		}
	}
}

// explainOperator is about an operator that there is not for its operand.
func explainOperator(c *checker, e typeError, r *diag.Rejection) {
	_, rest, _ := strings.Cut(e.Msg, "operator ")
	op, rest, _ := strings.Cut(rest, " not defined on ")
	operand, of, _ := strings.Cut(rest, " (")
	if hint := operatorOfConstraint(e.Msg); hint != "" {
		r.Hint = hint
		return
	}
	for _, x := range c.syntax().binaries {
		if r.Hint == "" && (x.Pos() == e.Pos || x.OpPos == e.Pos) && x.Op.String() == op {
			r.Hint = c.timeHint(x)
		}
	}
	switch {
	case op == "%" && strings.Contains(of, "float"):
		r.Hint = "use math.Mod"
	case op == "+" && strings.Contains(of, " []"):
		r.Hint = "write append(" + operand + ", others...), or slices.Concat"
	case op == "+" && strings.Contains(of, " map["):
		r.Hint = "write maps.Copy(" + operand + ", other)"
	case op == "!" && !strings.Contains(of, "string"):
		r.Hint = "compare: " + operand + " == 0"
	}
}
