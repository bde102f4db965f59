package big

import (
	"math"
	"math/big"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The numbers of math/big are as large as memory allows, and most of what it does
// with them takes longer than they are. Each member asks first, for the memory of
// its result and for its time. The figures for time are in ticks, for words of 64
// bits, and were measured: two or three times of what they are on a quiet machine.

// intWords is the length of x; nil, which the member itself panics for, has none.
func intWords(x *big.Int) int64 {
	if x == nil {
		return 0
	}
	return int64(len(x.Bits()))
}

// makeInt charges for a z of so many words.
func makeInt(e *shim.Env, z *big.Int, words int64) {
	if z != nil && words > int64(cap(z.Bits())) {
		e.ChargeProduct(words+4, 8)
	}
}

// IntBits and IntSetBits hand out and take copies: Go's functions do not end, or fail, where
// the words of a number are changed to zero.
func IntBits(e *shim.Env) func(*big.Int) []big.Word {
	return func(x *big.Int) []big.Word {
		e.ChargeProduct(intWords(x), 8)
		return slices.Clone(x.Bits())
	}
}

func IntSetBits(e *shim.Env) func(z *big.Int, words []big.Word) *big.Int {
	return func(z *big.Int, words []big.Word) *big.Int {
		e.ChargeProduct(int64(len(words)), 8)
		return z.SetBits(slices.Clone(words))
	}
}

// mulTicks is the time to multiply numbers of n and m words.
func mulTicks(n, m int64) int64 {
	n, m = max(n, m), min(n, m)
	return ticks(0.15 * float64(n) * math.Pow(float64(m), 0.585))
}

func divTicks(n, m int64) int64 { return 3*mulTicks(max(n-m, 1), m) + n/8 }

// divScratch is how many words a division of n words by m makes beside its results: copies of both, and
// those of the products by which it divides long numbers. It keeps short ones for the next.
func divScratch(n, m int64) int64 {
	const short = 1 << 13
	words := n + min(25*m, 20*n)
	if words < short {
		return 0
	}
	return words
}

// divide asks for a division of n words by m, but not for its results.
func divide(e *shim.Env, n, m int64) {
	e.ChargeProduct(divScratch(n, m), 8)
	e.Work(divTicks(n, m))
}

func gcdTicks(n, m int64) int64 { return ticks(float64(n) * float64(m)) }

// powerTicks is the time to raise a number modulo one of so many words to a power
// of so many bits.
func powerTicks(bits, words int64) int64 {
	return ticks(float64(bits) * (20 + float64(words)*float64(words)/4))
}

func sqrtTicks(n int64) int64 { return 40 * mulTicks(n, n) }

// textTicks is the time to write a number of n words in digits, ParseTicks to read
// so many digits.
func textTicks(n int64) int64 { return ticks(0.25 * math.Pow(float64(n), 1.77)) }

func ParseTicks(digits int) int64 {
	return ticks(float64(digits) * (0.5 + float64(digits)/4000))
}

// ticks is t within what work takes.
func ticks(t float64) int64 { return int64(min(t, shim.Huge)) }

// WorkPrime is the work of n rounds of a test for primes.
func WorkPrime(e *shim.Env, x *big.Int, n int) {
	e.WorkProduct(int64(max(n, 0))+4, powerTicks(int64(x.BitLen()), intWords(x)))
}

type intOp = func(z, x, y *big.Int) *big.Int

// bitwiseWords is how many words an operation on each takes a tick for.
const bitwiseWords = 2

// bitwise is for operations of which those on negative numbers go over copies.
func bitwise(e *shim.Env, f intOp) intOp {
	of := adding(e, f)
	return func(z, x, y *big.Int) *big.Int {
		if x != nil && x.Sign() < 0 || y != nil && y.Sign() < 0 {
			n := intWords(x) + intWords(y)
			e.ChargeProduct(n, 8)
			e.Work(n)
		}
		return of(z, x, y)
	}
}

// adding is for results of at most a word more than the longer operand has.
func adding(e *shim.Env, f intOp) intOp {
	return func(z, x, y *big.Int) *big.Int {
		n := max(intWords(x), intWords(y)) + 1
		makeInt(e, z, n)
		e.Work(n / bitwiseWords)
		return f(z, x, y)
	}
}

// dividing is for quotients and remainders.
func dividing(e *shim.Env, f intOp) intOp {
	return func(z, x, y *big.Int) *big.Int {
		n, m := intWords(x), intWords(y)
		makeInt(e, z, n+1)
		divide(e, n, m)
		return f(z, x, y)
	}
}

type intPairOp = func(z, x, y, r *big.Int) (*big.Int, *big.Int)

// dividingBoth is for quotients with their remainders.
func dividingBoth(e *shim.Env, f intPairOp) intPairOp {
	return func(z, x, y, r *big.Int) (*big.Int, *big.Int) {
		n, m := intWords(x), intWords(y)
		makeInt(e, z, n+1)
		makeInt(e, r, m+1)
		divide(e, n, m)
		return f(z, x, y, r)
	}
}

// copying is for results as long as the operand.
func copying(e *shim.Env, f func(z, x *big.Int) *big.Int) func(z, x *big.Int) *big.Int {
	return func(z, x *big.Int) *big.Int {
		n := intWords(x) + 1
		makeInt(e, z, n)
		e.Work(n / bitwiseWords)
		return f(z, x)
	}
}

func IntAdd(e *shim.Env) intOp                           { return adding(e, (*big.Int).Add) }
func IntSub(e *shim.Env) intOp                           { return adding(e, (*big.Int).Sub) }
func IntAnd(e *shim.Env) intOp                           { return bitwise(e, (*big.Int).And) }
func IntAndNot(e *shim.Env) intOp                        { return bitwise(e, (*big.Int).AndNot) }
func IntOr(e *shim.Env) intOp                            { return bitwise(e, (*big.Int).Or) }
func IntXor(e *shim.Env) intOp                           { return bitwise(e, (*big.Int).Xor) }
func IntQuo(e *shim.Env) intOp                           { return dividing(e, (*big.Int).Quo) }
func IntRem(e *shim.Env) intOp                           { return dividing(e, (*big.Int).Rem) }
func IntDiv(e *shim.Env) intOp                           { return dividing(e, (*big.Int).Div) }
func IntMod(e *shim.Env) intOp                           { return dividing(e, (*big.Int).Mod) }
func IntQuoRem(e *shim.Env) intPairOp                    { return dividingBoth(e, (*big.Int).QuoRem) }
func IntDivMod(e *shim.Env) intPairOp                    { return dividingBoth(e, (*big.Int).DivMod) }
func IntAbs(e *shim.Env) func(z, x *big.Int) *big.Int    { return copying(e, (*big.Int).Abs) }
func IntNeg(e *shim.Env) func(z, x *big.Int) *big.Int    { return copying(e, (*big.Int).Neg) }
func IntNot(e *shim.Env) func(z, x *big.Int) *big.Int    { return copying(e, (*big.Int).Not) }
func IntSetInt(e *shim.Env) func(z, x *big.Int) *big.Int { return copying(e, (*big.Int).Set) }

func IntMul(e *shim.Env) intOp {
	return func(z, x, y *big.Int) *big.Int {
		n, m := intWords(x), intWords(y)
		makeInt(e, z, n+m)
		e.Work(mulTicks(n, m))
		return z.Mul(x, y)
	}
}

func IntLsh(e *shim.Env) func(z, x *big.Int, n uint) *big.Int {
	return func(z, x *big.Int, n uint) *big.Int {
		if x.Sign() != 0 {
			makeInt(e, z, intWords(x)+int64(n/64)+1)
		}
		return z.Lsh(x, n)
	}
}

func IntRsh(e *shim.Env) func(z, x *big.Int, n uint) *big.Int {
	return func(z, x *big.Int, n uint) *big.Int {
		makeInt(e, z, intWords(x)-int64(min(n, 1<<40)/64)+1)
		return z.Rsh(x, n)
	}
}

func IntSetBit(e *shim.Env) func(z, x *big.Int, i int, b uint) *big.Int {
	return func(z, x *big.Int, i int, b uint) *big.Int {
		words := intWords(x) + 1
		if b == 1 || x.Sign() < 0 {
			words = max(words, int64(i/64)+2)
		}
		makeInt(e, z, words)
		return z.SetBit(x, i, b)
	}
}

func IntSetBytes(e *shim.Env) func(z *big.Int, b []byte) *big.Int {
	return func(z *big.Int, b []byte) *big.Int {
		makeInt(e, z, int64(len(b))/8+1)
		return z.SetBytes(b)
	}
}

func IntBytes(e *shim.Env) func(*big.Int) []byte {
	return func(x *big.Int) []byte {
		e.Charge(8 * intWords(x))
		return x.Bytes()
	}
}

// IntExp computes x**y, or that modulo m.
func IntExp(e *shim.Env) func(z, x, y, m *big.Int) *big.Int {
	return func(z, x, y, m *big.Int) *big.Int {
		if m == nil || m.Sign() == 0 {
			payPower(e, z, x, y)
			return z.Exp(x, y, m)
		}
		n := max(intWords(x), intWords(m))
		makeInt(e, z, 2*n)
		e.Charge(16 * 8 * n) // powers that are kept
		e.Work(powerTicks(int64(y.BitLen()), n))
		divide(e, n, intWords(m))
		if y.Sign() < 0 {
			e.Work(3 * gcdTicks(n, n))
		}
		return z.Exp(x, y, m)
	}
}

// payPower asks for a power whose length is that of x times y.
func payPower(e *shim.Env, z, x, y *big.Int) {
	if y.Sign() <= 0 || x.BitLen() < 2 {
		return // one, or what x is
	}
	if !y.IsInt64() || y.Int64() > shim.Huge/int64(x.BitLen()) {
		makeInt(e, z, shim.Huge/8)
		e.Work(shim.Huge)
		return
	}
	words := int64(x.BitLen())*y.Int64()/64 + 1
	makeInt(e, z, 3*words)
	e.Work(2 * mulTicks(words, words))
}

func IntGCD(e *shim.Env) func(z, x, y, a, b *big.Int) *big.Int {
	return func(z, x, y, a, b *big.Int) *big.Int {
		n, m := intWords(a), intWords(b)
		makeInt(e, z, 4*(n+m))
		e.Work(3 * gcdTicks(n, m))
		return z.GCD(x, y, a, b)
	}
}

func IntModInverse(e *shim.Env) func(z, g, n *big.Int) *big.Int {
	return func(z, g, n *big.Int) *big.Int {
		words := max(intWords(g), intWords(n))
		makeInt(e, z, 4*words)
		e.Work(3 * gcdTicks(words, words))
		return z.ModInverse(g, n)
	}
}

func BigJacobi(e *shim.Env) func(x, y *big.Int) int {
	return func(x, y *big.Int) int {
		payJacobi(e, x, y)
		return big.Jacobi(x, y)
	}
}

func payJacobi(e *shim.Env, x, y *big.Int) {
	n := max(intWords(x), intWords(y))
	e.Charge(4 * 8 * n)
	e.Work(15 * gcdTicks(n, n))
}

func IntModSqrt(e *shim.Env) func(z, x, p *big.Int) *big.Int {
	return func(z, x, p *big.Int) *big.Int {
		payJacobi(e, x, p)
		WorkPrime(e, p, 20)
		if p.Bit(0) == 1 && !p.ProbablyPrime(20) { // no negative number is one
			e.Work(shim.Huge)
			panic("math/big: ModSqrt of a modulus that is not a prime, which might never end")
		}
		twos := int64(new(big.Int).Sub(p, big.NewInt(1)).TrailingZeroBits())
		makeInt(e, z, 8*intWords(p))
		e.Work(powerTicks(4*int64(p.BitLen())+twos*twos, intWords(p)))
		return z.ModSqrt(x, p)
	}
}

func IntProbablyPrime(e *shim.Env) func(x *big.Int, n int) bool {
	return func(x *big.Int, n int) bool {
		e.Charge(16 * 8 * intWords(x))
		WorkPrime(e, x, n)
		return x.ProbablyPrime(n)
	}
}

func IntSqrt(e *shim.Env) func(z, x *big.Int) *big.Int {
	return func(z, x *big.Int) *big.Int {
		n := intWords(x)
		makeInt(e, z, 3*n)
		e.Work(sqrtTicks(n))
		return z.Sqrt(x)
	}
}

func IntBinomial(e *shim.Env) func(z *big.Int, n, k int64) *big.Int {
	return func(z *big.Int, n, k int64) *big.Int {
		if k > 0 && k < n {
			steps := min(k, n-k)
			words := min(steps*int64(math.Ceil(math.Log2(float64(n)))), n)/64 + 1
			if steps > shim.Huge/64 {
				words = shim.Huge / 64
			}
			makeInt(e, z, 3*words)
			e.WorkProduct(steps, 2+words*3/4)
		}
		return z.Binomial(n, k)
	}
}

func IntMulRange(e *shim.Env) func(z *big.Int, a, b int64) *big.Int {
	return func(z *big.Int, a, b int64) *big.Int {
		if a <= b && (a > 0 || b < 0) {
			bits := math.Log2(math.Max(math.Abs(float64(a)), math.Abs(float64(b)))) + 1
			words := ticks((float64(b) - float64(a) + 1) * bits / 64)
			makeInt(e, z, min(3*words, shim.Huge)+1)
			e.Work(10 * min(mulTicks(words, words), shim.Huge/16))
		}
		return z.MulRange(a, b)
	}
}
