package big

import (
	"math/big"
	"math/rand"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// digitBytes is how much text a word makes: as digits, and while they are made.
const digitBytes = 48

// payInt asks for the text of x in a base that is not its own.
func payInt(e *shim.Env, x *big.Int) {
	n := intWords(x)
	e.Charge(n * digitBytes)
	e.Work(textTicks(n))
}

func IntText(e *shim.Env) func(*big.Int, int) string {
	return func(x *big.Int, base int) string {
		if base == 2 {
			e.Charge(intWords(x) * 2 * 64)
		}
		payInt(e, x)
		return x.Text(base)
	}
}

func IntAppend(e *shim.Env) func(*big.Int, []byte, int) []byte {
	return func(x *big.Int, b []byte, base int) []byte {
		e.ChargeAppend(b, 64*int(intWords(x)))
		payInt(e, x)
		return x.Append(b, base)
	}
}

func IntAppendText(e *shim.Env) func(*big.Int, []byte) ([]byte, error) {
	return func(x *big.Int, b []byte) ([]byte, error) {
		e.ChargeAppend(b, 20*int(intWords(x)))
		payInt(e, x)
		return x.AppendText(b)
	}
}

func IntMarshalText(e *shim.Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		payInt(e, x)
		return x.MarshalText()
	}
}

func IntString(e *shim.Env) func(*big.Int) string {
	return func(x *big.Int) string {
		payInt(e, x)
		return x.String()
	}
}

func IntGobEncode(e *shim.Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		e.Charge(8 * intWords(x))
		return x.GobEncode()
	}
}

func IntMarshalJSON(e *shim.Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		payInt(e, x)
		return x.MarshalJSON()
	}
}

// payDigits asks for a number that is read from so many digits.
func payDigits(e *shim.Env, n int) {
	e.Charge(int64(n))
	e.Work(ParseTicks(n))
}

func IntSetString(e *shim.Env) func(*big.Int, string, int) (*big.Int, bool) {
	return func(z *big.Int, s string, base int) (*big.Int, bool) {
		payDigits(e, len(s))
		return z.SetString(s, base)
	}
}

func IntUnmarshalText(e *shim.Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		payDigits(e, len(b))
		return z.UnmarshalText(b)
	}
}

func IntUnmarshalJSON(e *shim.Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		payDigits(e, len(b))
		return z.UnmarshalJSON(b)
	}
}

func init() {
	shim.HasText(func(e *shim.Env, x *big.Int) (int64, int64) {
		e.Work(textTicks(intWords(x)))
		return intWords(x) * digitBytes, 0
	})
	shim.HasText(func(e *shim.Env, x *big.Float) (int64, int64) { payFloatText(e, x, -1); return 0, 0 })
	shim.HasText(func(e *shim.Env, x *big.Rat) (int64, int64) {
		e.Work(textTicks(ratWords(x)))
		return ratWords(x) * digitBytes, 0
	})
}

func IntGobDecode(e *shim.Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		makeInt(e, z, int64(len(b))/8+1)
		return z.GobDecode(b)
	}
}

func IntFloat64(e *shim.Env) func(*big.Int) (float64, big.Accuracy) {
	return func(x *big.Int) (float64, big.Accuracy) {
		e.Charge(8 * intWords(x))
		return x.Float64()
	}
}

func IntRand(e *shim.Env) func(*big.Int, *rand.Rand, *big.Int) *big.Int {
	return func(z *big.Int, rnd *rand.Rand, n *big.Int) *big.Int {
		words := intWords(n) + 1
		makeInt(e, z, words)
		e.Work(randTicks * words)
		return z.Rand(rnd, n)
	}
}

// randTicks is for a word of a random number, of which half are thrown away at worst.
const randTicks = 8
