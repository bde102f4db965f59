package builtins

import (
	"math/big"
	"strings"
)

// A fraction is reduced after each operation, which takes the square of its length.

// ratWords is the length of the longer part of x.
func ratWords(x *big.Rat) int64 {
	if x == nil {
		return 0
	}
	return max(intWords(x.Num()), intWords(x.Denom()))
}

// payRat asks for a result with parts of so many words, which has to be reduced.
func (e *Env) payRat(words int64) {
	e.charge(4 * 8 * (words + 1))
	e.work(4*mulTicks(words, words) + gcdTicks(words, words))
}

type ratOp = func(z, x, y *big.Rat) *big.Rat

func reducing(e *Env, f ratOp) ratOp {
	return func(z, x, y *big.Rat) *big.Rat {
		e.payRat(ratWords(x) + ratWords(y))
		return f(z, x, y)
	}
}

func ratAdd(e *Env) ratOp { return reducing(e, (*big.Rat).Add) }
func ratSub(e *Env) ratOp { return reducing(e, (*big.Rat).Sub) }
func ratMul(e *Env) ratOp { return reducing(e, (*big.Rat).Mul) }
func ratQuo(e *Env) ratOp { return reducing(e, (*big.Rat).Quo) }

func ratCopying(e *Env, f func(z, x *big.Rat) *big.Rat) func(z, x *big.Rat) *big.Rat {
	return func(z, x *big.Rat) *big.Rat {
		e.charge(16 * (ratWords(x) + 4))
		return f(z, x)
	}
}

func ratAbs(e *Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Abs) }
func ratInv(e *Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Inv) }
func ratNeg(e *Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Neg) }
func ratSet(e *Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Set) }

func ratCmp(e *Env) func(x, y *big.Rat) int {
	return func(x, y *big.Rat) int {
		n, m := ratWords(x), ratWords(y)
		e.charge(16 * (n + m))
		e.work(2 * mulTicks(n, m))
		return x.Cmp(y)
	}
}

func ratSetInt(e *Env) func(z *big.Rat, x *big.Int) *big.Rat {
	return func(z *big.Rat, x *big.Int) *big.Rat {
		e.charge(8 * intWords(x))
		return z.SetInt(x)
	}
}

func ratSetFrac(e *Env) func(z *big.Rat, a, b *big.Int) *big.Rat {
	return func(z *big.Rat, a, b *big.Int) *big.Rat {
		e.payRat(max(intWords(a), intWords(b)))
		return z.SetFrac(a, b)
	}
}

func ratSetString(e *Env) func(*big.Rat, string) (*big.Rat, bool) {
	return func(z *big.Rat, s string) (*big.Rat, bool) {
		e.payRatDigits(s)
		return z.SetString(s)
	}
}

func ratUnmarshalText(e *Env) func(*big.Rat, []byte) error {
	return func(z *big.Rat, b []byte) error {
		e.payRatDigits(string(b))
		return z.UnmarshalText(b)
	}
}

// payRatDigits asks for a fraction that is read from s, which may have an exponent.
func (e *Env) payRatDigits(s string) {
	e.work(parseTicks(len(s)))
	if n := int64(len(s))/16 + exponentWords(s); n > 64 {
		e.payRat(n)
	}
}

// The largest exponents that Go reads, of ten and of two.
const maxExp10, maxExp2 = 1e6, 1e7

// exponentWords is how many words the exponent at the end of s makes, if there is
// one that Go reads.
func exponentWords(s string) int64 {
	n, scale := int64(0), int64(1)
	i := len(s)
	for ; i > 0 && (s[i-1] >= '0' && s[i-1] <= '9' || s[i-1] == '_'); i-- {
		if s[i-1] != '_' && scale <= maxExp2 {
			n += int64(s[i-1]-'0') * scale
			scale *= 10
		}
	}
	mark := strings.ToLower(strings.TrimRight(s[:i], "+-"))
	switch {
	case strings.HasSuffix(mark, "e"):
		return min(n, maxExp10) / 16
	case strings.HasSuffix(mark, "p"):
		return min(n, maxExp2) / 64
	}
	return 0
}

func (e *Env) payRatText(x *big.Rat) {
	n := ratWords(x)
	e.charge(2 * n * digitBytes)
	e.work(2 * textTicks(n))
}

func ratRatString(e *Env) func(*big.Rat) string {
	return func(x *big.Rat) string {
		e.payRatText(x)
		return x.RatString()
	}
}

func ratString(e *Env) func(*big.Rat) string {
	return func(x *big.Rat) string {
		e.payRatText(x)
		return x.String()
	}
}

func ratMarshalText(e *Env) func(*big.Rat) ([]byte, error) {
	return func(x *big.Rat) ([]byte, error) {
		e.payRatText(x)
		return x.MarshalText()
	}
}

func ratAppendText(e *Env) func(*big.Rat, []byte) ([]byte, error) {
	return func(x *big.Rat, b []byte) ([]byte, error) {
		e.payRatText(x)
		return x.AppendText(b)
	}
}

func ratFloatString(e *Env) func(*big.Rat, int) string {
	return func(x *big.Rat, prec int) string {
		n := ratWords(x) + int64(max(prec, 0))/16 + 1
		e.charge(4 * n * digitBytes)
		e.work(textTicks(n) + 4*mulTicks(n, n))
		e.divide(2*n, n)
		return x.FloatString(prec)
	}
}

func ratFloatPrec(e *Env) func(*big.Rat) (int, bool) {
	return func(x *big.Rat) (int, bool) {
		n := ratWords(x)
		e.charge(4 * 8 * n)
		e.work(gcdTicks(n, n) + 8*mulTicks(n, n))
		return x.FloatPrec()
	}
}

func ratGobDecode(e *Env) func(*big.Rat, []byte) error {
	return func(z *big.Rat, b []byte) error {
		e.charge(int64(len(b)) + 4*8)
		return z.GobDecode(b)
	}
}

func ratGobEncode(e *Env) func(*big.Rat) ([]byte, error) {
	return func(x *big.Rat) ([]byte, error) {
		e.charge(16 * ratWords(x))
		return x.GobEncode()
	}
}

// payRatFloat asks for the copies of both parts that a float is made of.
func (e *Env) payRatFloat(x *big.Rat) {
	n := ratWords(x)
	e.charge(4 * 8 * n)
	e.work(n)
}

func ratFloat32(e *Env) func(*big.Rat) (float32, bool) {
	return func(x *big.Rat) (float32, bool) {
		e.payRatFloat(x)
		return x.Float32()
	}
}

func ratFloat64(e *Env) func(*big.Rat) (float64, bool) {
	return func(x *big.Rat) (float64, bool) {
		e.payRatFloat(x)
		return x.Float64()
	}
}
