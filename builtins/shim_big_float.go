package builtins

import (
	"fmt"
	"math/big"
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
func (e *Env) makeFloat(words int64) { e.charge(8 * (words + 4)) }

type floatOp = func(z, x, y *big.Float) *big.Float

// aligning is for sums: the operands are written over each other, with all the
// places between them.
func aligning(e *Env, f floatOp) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n := floatWords(z, x, y)
		if finite(x) && finite(y) {
			gap := int64(x.MantExp(nil)) - int64(y.MantExp(nil))
			n += max(gap, -gap)/64 + int64(max(x.Prec(), y.Prec()))/64
		}
		e.makeFloat(n)
		e.work(n / 4)
		return f(z, x, y)
	}
}

func finite(x *big.Float) bool { return x.Sign() != 0 && !x.IsInf() }

func floatAdd(e *Env) floatOp { return aligning(e, (*big.Float).Add) }
func floatSub(e *Env) floatOp { return aligning(e, (*big.Float).Sub) }

func floatMul(e *Env) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n, m := int64(x.Prec())/64+1, int64(y.Prec())/64+1
		e.makeFloat(max(n+m, floatWords(z, x, y)))
		e.work(mulTicks(n, m))
		return z.Mul(x, y)
	}
}

func floatQuo(e *Env) floatOp {
	return func(z, x, y *big.Float) *big.Float {
		n, m := floatWords(z, x, y), int64(y.Prec())/64+1
		e.makeFloat(2 * (n + m))
		e.divide(n+m, m)
		return z.Quo(x, y)
	}
}

func floatSqrt(e *Env) func(z, x *big.Float) *big.Float {
	return func(z, x *big.Float) *big.Float {
		n := floatWords(z, x)
		e.makeFloat(4 * n)
		e.work(sqrtTicks(n))
		return z.Sqrt(x)
	}
}

// floatCopying is for results that are an operand, rounded.
func floatCopying(e *Env, f func(z, x *big.Float) *big.Float) func(z, x *big.Float) *big.Float {
	return func(z, x *big.Float) *big.Float {
		e.makeFloat(floatWords(z, x))
		return f(z, x)
	}
}

func floatAbs(e *Env) func(z, x *big.Float) *big.Float  { return floatCopying(e, (*big.Float).Abs) }
func floatNeg(e *Env) func(z, x *big.Float) *big.Float  { return floatCopying(e, (*big.Float).Neg) }
func floatSet(e *Env) func(z, x *big.Float) *big.Float  { return floatCopying(e, (*big.Float).Set) }
func floatCopy(e *Env) func(z, x *big.Float) *big.Float { return floatCopying(e, (*big.Float).Copy) }

func floatSetInt(e *Env) func(z *big.Float, x *big.Int) *big.Float {
	return func(z *big.Float, x *big.Int) *big.Float {
		e.makeFloat(max(floatWords(z), intWords(x)))
		return z.SetInt(x)
	}
}

func floatSetRat(e *Env) func(z *big.Float, x *big.Rat) *big.Float {
	return func(z *big.Float, x *big.Rat) *big.Float {
		n := max(floatWords(z), ratWords(x))
		e.makeFloat(4 * n)
		e.divide(2*n, n)
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

func floatFloat32(e *Env) func(*big.Float) (float32, big.Accuracy) {
	return func(x *big.Float) (float32, big.Accuracy) {
		e.makeFloat(floatWords(x)) // a copy that is rounded
		return x.Float32()
	}
}

func floatFloat64(e *Env) func(*big.Float) (float64, big.Accuracy) {
	return func(x *big.Float) (float64, big.Accuracy) {
		e.makeFloat(floatWords(x))
		return x.Float64()
	}
}

func floatInt(e *Env) func(x *big.Float, z *big.Int) (*big.Int, big.Accuracy) {
	return func(x *big.Float, z *big.Int) (*big.Int, big.Accuracy) {
		e.makeFloat(placeWords(x))
		return x.Int(z)
	}
}

func floatRat(e *Env) func(x *big.Float, z *big.Rat) (*big.Rat, big.Accuracy) {
	return func(x *big.Float, z *big.Rat) (*big.Rat, big.Accuracy) {
		n := placeWords(x)
		e.makeFloat(2 * n)
		e.work(gcdTicks(n, n))
		return x.Rat(z)
	}
}

// payFloatText asks for the text of x with prec digits after the point, as many as it
// needs if prec is negative. What is below one is divided digit by digit.
func (e *Env) payFloatText(x *big.Float, prec int) {
	n := placeWords(x)
	e.charge((n + 1) * 2 * digitBytes)
	e.charge(int64(max(prec, 0)))
	if finite(x) {
		if below := int64(x.Prec()) - int64(x.MantExp(nil)); below > 0 {
			digits := float64(below) * (1 + float64(below)*0.003)
			if prec < 0 { // the shortest: those of the next numbers, too
				digits *= 3
			}
			e.work(ticks(digits))
		}
	}
	e.work(textTicks(n) + int64(max(prec, 0)))
}

func floatText(e *Env) func(*big.Float, byte, int) string {
	return func(x *big.Float, format byte, prec int) string {
		e.payFloatText(x, prec)
		return x.Text(format, prec)
	}
}

func floatString(e *Env) func(*big.Float) string {
	return func(x *big.Float) string {
		e.payFloatText(x, 10)
		return x.String()
	}
}

func floatAppend(e *Env) func(*big.Float, []byte, byte, int) []byte {
	return func(x *big.Float, b []byte, format byte, prec int) []byte {
		e.payFloatText(x, prec)
		return x.Append(b, format, prec)
	}
}

func floatAppendText(e *Env) func(*big.Float, []byte) ([]byte, error) {
	return func(x *big.Float, b []byte) ([]byte, error) {
		e.payFloatText(x, -1)
		return x.AppendText(b)
	}
}

func floatMarshalText(e *Env) func(*big.Float) ([]byte, error) {
	return func(x *big.Float) ([]byte, error) {
		e.payFloatText(x, -1)
		return x.MarshalText()
	}
}

// powerSteps is how many products the power of an exponent takes.
const powerSteps = 64

// payFloatDigits asks for a float that is read from so many digits.
func (e *Env) payFloatDigits(z *big.Float, digits int) {
	n := max(floatWords(z), int64(digits)/16)
	e.makeFloat(4 * n)
	e.work(parseTicks(digits) + powerSteps*mulTicks(n, n))
	e.divide(2*n, n)
}

func floatSetString(e *Env) func(*big.Float, string) (*big.Float, bool) {
	return func(z *big.Float, s string) (*big.Float, bool) {
		e.payFloatDigits(z, len(s))
		return z.SetString(s)
	}
}

func floatParse(e *Env) func(*big.Float, string, int) (*big.Float, int, error) {
	return func(z *big.Float, s string, base int) (*big.Float, int, error) {
		e.payFloatDigits(z, len(s))
		return z.Parse(s, base)
	}
}

func floatUnmarshalText(e *Env) func(*big.Float, []byte) error {
	return func(z *big.Float, b []byte) error {
		e.payFloatDigits(z, len(b))
		return z.UnmarshalText(b)
	}
}

func bigParseFloat(e *Env) func(string, int, uint, big.RoundingMode) (*big.Float, int, error) {
	return func(s string, base int, prec uint, mode big.RoundingMode) (*big.Float, int, error) {
		e.payFloatDigits(new(big.Float).SetPrec(min(prec, big.MaxPrec)), len(s))
		return big.ParseFloat(s, base, prec, mode)
	}
}

// floatFormat is for Format methods of a script that hand a number on.
func floatFormat(e *Env) func(*big.Float, fmt.State, rune) {
	return func(x *big.Float, s fmt.State, verb rune) {
		prec, ok := s.Precision()
		if !ok {
			prec = -1
		}
		e.payFloatText(x, prec)
		x.Format(s, verb)
	}
}

func intFormat(e *Env) func(*big.Int, fmt.State, rune) {
	return func(x *big.Int, s fmt.State, verb rune) {
		if x != nil {
			e.payInt(x)
		}
		x.Format(s, verb)
	}
}

func floatGobDecode(e *Env) func(*big.Float, []byte) error {
	return func(z *big.Float, b []byte) error {
		e.makeFloat(int64(len(b)) / 8)
		return z.GobDecode(b)
	}
}

func floatGobEncode(e *Env) func(*big.Float) ([]byte, error) {
	return func(x *big.Float) ([]byte, error) {
		e.makeFloat(int64(x.Prec()) / 64)
		return x.GobEncode()
	}
}

func floatMantExp(e *Env) func(x, mant *big.Float) int {
	return func(x, mant *big.Float) int {
		if mant != nil {
			e.makeFloat(floatWords(x))
		}
		return x.MantExp(mant)
	}
}

func floatSetMantExp(e *Env) func(z, mant *big.Float, exp int) *big.Float {
	return func(z, mant *big.Float, exp int) *big.Float {
		e.makeFloat(floatWords(z, mant))
		return z.SetMantExp(mant, exp)
	}
}
