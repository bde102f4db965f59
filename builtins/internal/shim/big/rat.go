package big

import (
	"math/big"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
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
func payRat(e *shim.Env, words int64) {
	e.Charge(4 * 8 * (words + 1))
	e.Work(4*mulTicks(words, words) + gcdTicks(words, words))
}

type ratOp = func(z, x, y *big.Rat) *big.Rat

func reducing(e *shim.Env, f ratOp) ratOp {
	return func(z, x, y *big.Rat) *big.Rat {
		payRat(e, ratWords(x)+ratWords(y))
		return f(z, x, y)
	}
}

func RatAdd(e *shim.Env) ratOp { return reducing(e, (*big.Rat).Add) }
func RatSub(e *shim.Env) ratOp { return reducing(e, (*big.Rat).Sub) }
func RatMul(e *shim.Env) ratOp { return reducing(e, (*big.Rat).Mul) }
func RatQuo(e *shim.Env) ratOp { return reducing(e, (*big.Rat).Quo) }

func ratCopying(e *shim.Env, f func(z, x *big.Rat) *big.Rat) func(z, x *big.Rat) *big.Rat {
	return func(z, x *big.Rat) *big.Rat {
		e.Charge(16 * (ratWords(x) + 4))
		return f(z, x)
	}
}

func RatAbs(e *shim.Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Abs) }
func RatInv(e *shim.Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Inv) }
func RatNeg(e *shim.Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Neg) }
func RatSet(e *shim.Env) func(z, x *big.Rat) *big.Rat { return ratCopying(e, (*big.Rat).Set) }

func RatCmp(e *shim.Env) func(x, y *big.Rat) int {
	return func(x, y *big.Rat) int {
		n, m := ratWords(x), ratWords(y)
		e.Charge(16 * (n + m))
		e.Work(2 * mulTicks(n, m))
		return x.Cmp(y)
	}
}

func RatSetInt(e *shim.Env) func(z *big.Rat, x *big.Int) *big.Rat {
	return func(z *big.Rat, x *big.Int) *big.Rat {
		e.Charge(8 * intWords(x))
		return z.SetInt(x)
	}
}

func RatSetFrac(e *shim.Env) func(z *big.Rat, a, b *big.Int) *big.Rat {
	return func(z *big.Rat, a, b *big.Int) *big.Rat {
		payRat(e, max(intWords(a), intWords(b)))
		return z.SetFrac(a, b)
	}
}

func RatSetString(e *shim.Env) func(*big.Rat, string) (*big.Rat, bool) {
	return func(z *big.Rat, s string) (*big.Rat, bool) {
		PayRatDigits(e, s)
		return z.SetString(s)
	}
}

func RatUnmarshalText(e *shim.Env) func(*big.Rat, []byte) error {
	return func(z *big.Rat, b []byte) error {
		PayRatDigits(e, string(b))
		return z.UnmarshalText(b)
	}
}

// PayRatDigits asks for a fraction that is read from s, which may have an exponent.
func PayRatDigits(e *shim.Env, s string) {
	e.Work(ParseTicks(len(s)))
	if n := int64(len(s))/16 + exponentWords(s); n > 64 {
		payRat(e, n)
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

func payRatText(e *shim.Env, x *big.Rat) {
	n := ratWords(x)
	e.Charge(2 * n * digitBytes)
	e.Work(2 * textTicks(n))
}

func RatRatString(e *shim.Env) func(*big.Rat) string {
	return func(x *big.Rat) string {
		payRatText(e, x)
		return x.RatString()
	}
}

func RatString(e *shim.Env) func(*big.Rat) string {
	return func(x *big.Rat) string {
		payRatText(e, x)
		return x.String()
	}
}

func RatMarshalText(e *shim.Env) func(*big.Rat) ([]byte, error) {
	return func(x *big.Rat) ([]byte, error) {
		payRatText(e, x)
		return x.MarshalText()
	}
}

func RatAppendText(e *shim.Env) func(*big.Rat, []byte) ([]byte, error) {
	return func(x *big.Rat, b []byte) ([]byte, error) {
		payRatText(e, x)
		return x.AppendText(b)
	}
}

func RatFloatString(e *shim.Env) func(*big.Rat, int) string {
	return func(x *big.Rat, prec int) string {
		n := ratWords(x) + int64(max(prec, 0))/16 + 1
		e.Charge(4 * n * digitBytes)
		e.Work(textTicks(n) + 4*mulTicks(n, n))
		divide(e, 2*n, n)
		return x.FloatString(prec)
	}
}

func RatFloatPrec(e *shim.Env) func(*big.Rat) (int, bool) {
	return func(x *big.Rat) (int, bool) {
		n := ratWords(x)
		e.Charge(4 * 8 * n)
		e.Work(gcdTicks(n, n) + 8*mulTicks(n, n))
		return x.FloatPrec()
	}
}

func RatGobDecode(e *shim.Env) func(*big.Rat, []byte) error {
	return func(z *big.Rat, b []byte) error {
		e.Charge(int64(len(b)) + 4*8)
		return z.GobDecode(b)
	}
}

func RatGobEncode(e *shim.Env) func(*big.Rat) ([]byte, error) {
	return func(x *big.Rat) ([]byte, error) {
		e.Charge(16 * ratWords(x))
		return x.GobEncode()
	}
}

// payRatFloat asks for the copies of both parts that a float is made of.
func payRatFloat(e *shim.Env, x *big.Rat) {
	n := ratWords(x)
	e.Charge(4 * 8 * n)
	e.Work(n)
}

func RatFloat32(e *shim.Env) func(*big.Rat) (float32, bool) {
	return func(x *big.Rat) (float32, bool) {
		payRatFloat(e, x)
		return x.Float32()
	}
}

func RatFloat64(e *shim.Env) func(*big.Rat) (float64, bool) {
	return func(x *big.Rat) (float64, bool) {
		payRatFloat(e, x)
		return x.Float64()
	}
}
