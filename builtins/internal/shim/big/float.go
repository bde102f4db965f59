package big

import (
	"fmt"
	"math/big"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A float is as long as its precision says, which may be any; its exponent says
// how many digits it has when it is written out, or made an integer.

// floatWords is the length of the result of an operation: the precision of z, or
// if it has none yet that of the operands.
func floatWords(z *big.Float, operands ...*big.Float) int64 {
	p := z.Prec()
	if p == 0 {
		for _, x := range operands {
			p = max(p, x.Prec())
		}
	}
	return int64(p)/64 + 1
}

// makeFloat charges for a result of so many words.
func makeFloat(e *shim.Env, words int64) { e.Charge(8 * (words + 4)) }

type floatOp = func(z, x, y *big.Float) *big.Float

// aligning is for sums: the operands are written over each other, with all the
// places between them.
func aligning(e *shim.Env, f floatOp) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n := floatWords(z, x, y)
		if finite(x) && finite(y) {
			gap := int64(x.MantExp(nil)) - int64(y.MantExp(nil))
			n += max(gap, -gap)/64 + int64(max(x.Prec(), y.Prec()))/64
		}
		makeFloat(e, n)
		e.Work(n / 4)
		return f(z, x, y)
	}
}

func finite(x *big.Float) bool { return x.Sign() != 0 && !x.IsInf() }

func FloatAdd(e *shim.Env) floatOp { return aligning(e, (*big.Float).Add) }
func FloatSub(e *shim.Env) floatOp { return aligning(e, (*big.Float).Sub) }

func FloatMul(e *shim.Env) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n, m := int64(x.Prec())/64+1, int64(y.Prec())/64+1
		makeFloat(e, max(n+m, floatWords(z, x, y)))
		e.Work(mulTicks(n, m))
		return z.Mul(x, y)
	}
}

func FloatQuo(e *shim.Env) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n, m := floatWords(z, x, y), int64(y.Prec())/64+1
		makeFloat(e, 2*(n+m))
		divide(e, n+m, m)
		return z.Quo(x, y)
	}
}

func FloatSqrt(e *shim.Env) func(z, x *big.Float) *big.Float {
	return func(z, x *big.Float) *big.Float {
		n := floatWords(z, x)
		makeFloat(e, 4*n)
		e.Work(sqrtTicks(n))
		return z.Sqrt(x)
	}
}

// floatCopying is for results that are an operand, rounded.
func floatCopying(e *shim.Env, f func(z, x *big.Float) *big.Float) func(z, x *big.Float) *big.Float {
	return func(z, x *big.Float) *big.Float {
		makeFloat(e, floatWords(z, x))
		return f(z, x)
	}
}

func FloatAbs(e *shim.Env) func(z, x *big.Float) *big.Float { return floatCopying(e, (*big.Float).Abs) }
func FloatNeg(e *shim.Env) func(z, x *big.Float) *big.Float { return floatCopying(e, (*big.Float).Neg) }
func FloatSet(e *shim.Env) func(z, x *big.Float) *big.Float { return floatCopying(e, (*big.Float).Set) }
func FloatCopy(e *shim.Env) func(z, x *big.Float) *big.Float {
	return floatCopying(e, (*big.Float).Copy)
}

func FloatSetInt(e *shim.Env) func(z *big.Float, x *big.Int) *big.Float {
	return func(z *big.Float, x *big.Int) *big.Float {
		makeFloat(e, max(floatWords(z), intWords(x)))
		return z.SetInt(x)
	}
}

func FloatSetRat(e *shim.Env) func(z *big.Float, x *big.Rat) *big.Float {
	return func(z *big.Float, x *big.Rat) *big.Float {
		n := max(floatWords(z), ratWords(x))
		makeFloat(e, 4*n)
		divide(e, 2*n, n)
		return z.SetRat(x)
	}
}

// placeWords is the length of x with all its places before and after the point.
func placeWords(x *big.Float) int64 {
	if !finite(x) {
		return 1
	}
	exp := int64(x.MantExp(nil))
	return (max(exp, -exp)+int64(x.Prec()))/64 + 1
}

func FloatFloat32(e *shim.Env) func(*big.Float) (float32, big.Accuracy) {
	return func(x *big.Float) (float32, big.Accuracy) {
		makeFloat(e, floatWords(x)) // a copy that is rounded
		return x.Float32()
	}
}

func FloatFloat64(e *shim.Env) func(*big.Float) (float64, big.Accuracy) {
	return func(x *big.Float) (float64, big.Accuracy) {
		makeFloat(e, floatWords(x))
		return x.Float64()
	}
}

func FloatInt(e *shim.Env) func(x *big.Float, z *big.Int) (*big.Int, big.Accuracy) {
	return func(x *big.Float, z *big.Int) (*big.Int, big.Accuracy) {
		makeFloat(e, placeWords(x))
		return x.Int(z)
	}
}

func FloatRat(e *shim.Env) func(x *big.Float, z *big.Rat) (*big.Rat, big.Accuracy) {
	return func(x *big.Float, z *big.Rat) (*big.Rat, big.Accuracy) {
		n := placeWords(x)
		makeFloat(e, 2*n)
		e.Work(gcdTicks(n, n))
		return x.Rat(z)
	}
}

// payFloatText asks for the text of x with prec digits after the point, as many as it
// needs if prec is negative. What is below one is divided digit by digit.
func payFloatText(e *shim.Env, x *big.Float, prec int) {
	n := placeWords(x)
	e.Charge((n + 1) * 2 * digitBytes)
	e.Charge(int64(max(prec, 0)))
	if finite(x) {
		if below := int64(x.Prec()) - int64(x.MantExp(nil)); below > 0 {
			digits := float64(below) * (1 + float64(below)*0.003)
			if prec < 0 { // the shortest: those of the next numbers, too
				digits *= 3
			}
			e.Work(ticks(digits))
		}
	}
	e.Work(textTicks(n) + int64(max(prec, 0)))
}

func FloatText(e *shim.Env) func(*big.Float, byte, int) string {
	return func(x *big.Float, format byte, prec int) string {
		payFloatText(e, x, prec)
		return x.Text(format, prec)
	}
}

func FloatString(e *shim.Env) func(*big.Float) string {
	return func(x *big.Float) string {
		payFloatText(e, x, 10)
		return x.String()
	}
}

func FloatAppend(e *shim.Env) func(*big.Float, []byte, byte, int) []byte {
	return func(x *big.Float, b []byte, format byte, prec int) []byte {
		payFloatText(e, x, prec)
		return x.Append(b, format, prec)
	}
}

func FloatAppendText(e *shim.Env) func(*big.Float, []byte) ([]byte, error) {
	return func(x *big.Float, b []byte) ([]byte, error) {
		payFloatText(e, x, -1)
		return x.AppendText(b)
	}
}

func FloatMarshalText(e *shim.Env) func(*big.Float) ([]byte, error) {
	return func(x *big.Float) ([]byte, error) {
		payFloatText(e, x, -1)
		return x.MarshalText()
	}
}

// powerSteps is how many products the power of an exponent takes.
const powerSteps = 64

// PayFloatDigits asks for a float that is read from so many digits.
func PayFloatDigits(e *shim.Env, z *big.Float, digits int) {
	n := max(floatWords(z), int64(digits)/16)
	makeFloat(e, 4*n)
	e.Work(ParseTicks(digits) + powerSteps*mulTicks(n, n))
	divide(e, 2*n, n)
}

func FloatSetString(e *shim.Env) func(*big.Float, string) (*big.Float, bool) {
	return func(z *big.Float, s string) (*big.Float, bool) {
		PayFloatDigits(e, z, len(s))
		return z.SetString(s)
	}
}

func FloatParse(e *shim.Env) func(*big.Float, string, int) (*big.Float, int, error) {
	return func(z *big.Float, s string, base int) (*big.Float, int, error) {
		PayFloatDigits(e, z, len(s))
		return z.Parse(s, base)
	}
}

func FloatUnmarshalText(e *shim.Env) func(*big.Float, []byte) error {
	return func(z *big.Float, b []byte) error {
		PayFloatDigits(e, z, len(b))
		return z.UnmarshalText(b)
	}
}

func BigParseFloat(e *shim.Env) func(string, int, uint, big.RoundingMode) (*big.Float, int, error) {
	return func(s string, base int, prec uint, mode big.RoundingMode) (*big.Float, int, error) {
		PayFloatDigits(e, new(big.Float).SetPrec(min(prec, big.MaxPrec)), len(s))
		return big.ParseFloat(s, base, prec, mode)
	}
}

// FloatFormat is for Format methods of a script that hand a number on.
func FloatFormat(e *shim.Env) func(*big.Float, fmt.State, rune) {
	return func(x *big.Float, s fmt.State, verb rune) {
		prec, ok := s.Precision()
		if !ok {
			prec = -1
		}
		payFloatText(e, x, prec)
		x.Format(s, verb)
	}
}

func IntFormat(e *shim.Env) func(*big.Int, fmt.State, rune) {
	return func(x *big.Int, s fmt.State, verb rune) {
		if x != nil {
			payInt(e, x)
		}
		x.Format(s, verb)
	}
}

func FloatGobDecode(e *shim.Env) func(*big.Float, []byte) error {
	return func(z *big.Float, b []byte) error {
		makeFloat(e, int64(len(b))/8)
		return z.GobDecode(b)
	}
}

func FloatGobEncode(e *shim.Env) func(*big.Float) ([]byte, error) {
	return func(x *big.Float) ([]byte, error) {
		makeFloat(e, int64(x.Prec())/64)
		return x.GobEncode()
	}
}

func FloatMantExp(e *shim.Env) func(x, mant *big.Float) int {
	return func(x, mant *big.Float) int {
		if mant != nil {
			makeFloat(e, floatWords(x))
		}
		return x.MantExp(mant)
	}
}

func FloatSetMantExp(e *shim.Env) func(z, mant *big.Float, exp int) *big.Float {
	return func(z, mant *big.Float, exp int) *big.Float {
		makeFloat(e, floatWords(z, mant))
		return z.SetMantExp(mant, exp)
	}
}
