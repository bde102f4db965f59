package builtins

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strings"
)

// literalValue returns the exact value of a literal and its untyped type.
func literalValue(l Literal) (constant.Value, types.Type) {
	if above, below, ok := strings.Cut(string(l), "/"); ok && !strings.ContainsAny(above, "\"'`") {
		x, _ := literalValue(Literal(above + ".0"))
		y, _ := literalValue(Literal(below))
		return constant.BinaryOp(x, token.QUO, y), types.Typ[types.UntypedFloat]
	}
	text, minus := strings.CutPrefix(string(l), "-")
	tok, kind := literalKind(text)
	val := constant.MakeFromLiteral(text, tok, 0)
	if tok == token.FLOAT {
		val = constant.ToFloat(val)
	}
	if minus {
		val = constant.UnaryOp(token.SUB, val, 0)
	}
	return val, types.Typ[kind]
}

func literalKind(text string) (token.Token, types.BasicKind) {
	hex := strings.HasPrefix(text, "0x")
	switch {
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "`"):
		return token.STRING, types.UntypedString
	case strings.HasPrefix(text, "'"):
		return token.CHAR, types.UntypedRune
	case strings.ContainsAny(text, ".p"), !hex && strings.ContainsAny(text, "e"):
		return token.FLOAT, types.UntypedFloat
	}
	return token.INT, types.UntypedInt
}

// typedConstant returns v as a constant, nil if it is not of a basic kind or has
// no constant form (an infinity).
func typedConstant(v any) constant.Value {
	rv := reflect.ValueOf(v)
	switch {
	case rv.Kind() == reflect.Bool:
		return constant.MakeBool(rv.Bool())
	case rv.Kind() == reflect.String:
		return constant.MakeString(rv.String())
	case rv.CanInt():
		return constant.MakeInt64(rv.Int())
	case rv.CanUint():
		return constant.MakeUint64(rv.Uint())
	case rv.CanFloat() && !math.IsInf(rv.Float(), 0) && !math.IsNaN(rv.Float()):
		return constant.MakeFloat64(rv.Float())
	}
	return nil
}
