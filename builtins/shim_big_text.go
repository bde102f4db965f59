package builtins

import (
	"math/big"
	"math/rand"
)

// digitBytes is how much text a word makes: as digits, and while they are made.
const digitBytes = 48

// payInt asks for the text of x in a base that is not its own.
func (e *Env) payInt(x *big.Int) {
	n := intWords(x)
	e.charge(n * digitBytes)
	e.work(textTicks(n))
}

func intText(e *Env) func(*big.Int, int) string {
	return func(x *big.Int, base int) string {
		if base == 2 {
			e.charge(intWords(x) * 2 * 64)
		}
		e.payInt(x)
		return x.Text(base)
	}
}

func intAppend(e *Env) func(*big.Int, []byte, int) []byte {
	return func(x *big.Int, b []byte, base int) []byte {
		e.chargeAppend(b, 64*int(intWords(x)))
		e.payInt(x)
		return x.Append(b, base)
	}
}

func intAppendText(e *Env) func(*big.Int, []byte) ([]byte, error) {
	return func(x *big.Int, b []byte) ([]byte, error) {
		e.chargeAppend(b, 20*int(intWords(x)))
		e.payInt(x)
		return x.AppendText(b)
	}
}

func intMarshalText(e *Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		e.payInt(x)
		return x.MarshalText()
	}
}

func intString(e *Env) func(*big.Int) string {
	return func(x *big.Int) string {
		e.payInt(x)
		return x.String()
	}
}

func intGobEncode(e *Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		e.charge(8 * intWords(x))
		return x.GobEncode()
	}
}

func intMarshalJSON(e *Env) func(*big.Int) ([]byte, error) {
	return func(x *big.Int) ([]byte, error) {
		e.payInt(x)
		return x.MarshalJSON()
	}
}

// payDigits asks for a number that is read from so many digits.
func (e *Env) payDigits(n int) {
	e.charge(int64(n))
	e.work(parseTicks(n))
}

func intSetString(e *Env) func(*big.Int, string, int) (*big.Int, bool) {
	return func(z *big.Int, s string, base int) (*big.Int, bool) {
		e.payDigits(len(s))
		return z.SetString(s, base)
	}
}

func intUnmarshalText(e *Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		e.payDigits(len(b))
		return z.UnmarshalText(b)
	}
}

func intUnmarshalJSON(e *Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		e.payDigits(len(b))
		return z.UnmarshalJSON(b)
	}
}

func init() {
	HasText(func(e *Env, x *big.Int) (int64, int64) {
		e.work(textTicks(intWords(x)))
		return intWords(x) * digitBytes, 0
	})
	HasText(func(e *Env, x *big.Float) (int64, int64) { e.payFloatText(x, -1); return 0, 0 })
	HasText(func(e *Env, x *big.Rat) (int64, int64) {
		e.work(textTicks(ratWords(x)))
		return ratWords(x) * digitBytes, 0
	})
}

func intGobDecode(e *Env) func(*big.Int, []byte) error {
	return func(z *big.Int, b []byte) error {
		e.makeInt(z, int64(len(b))/8+1)
		return z.GobDecode(b)
	}
}

func intFloat64(e *Env) func(*big.Int) (float64, big.Accuracy) {
	return func(x *big.Int) (float64, big.Accuracy) {
		e.charge(8 * intWords(x))
		return x.Float64()
	}
}

func intRand(e *Env) func(*big.Int, *rand.Rand, *big.Int) *big.Int {
	return func(z *big.Int, rnd *rand.Rand, n *big.Int) *big.Int {
		words := intWords(n) + 1
		e.makeInt(z, words)
		e.work(randTicks * words)
		return z.Rand(rnd, n)
	}
}

// randTicks is for a word of a random number, of which half are thrown away at worst.
const randTicks = 8
