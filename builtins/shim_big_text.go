package builtins

import (
	"math/big"
	"math/rand"
	"reflect"
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

// bigTypes are those that payBig knows.
var bigTypes = map[reflect.Type]bool{
	reflect.TypeFor[*big.Int](): true, reflect.TypeFor[*big.Float](): true, reflect.TypeFor[*big.Rat](): true,
}

// payBig asks for the text that fmt makes of a number of math/big; it reports
// whether a is one.
func (m *measure) payBig(a any) bool {
	switch a := a.(type) {
	case *big.Int:
		if a != nil {
			m.add(intWords(a) * digitBytes)
			m.e.work(textTicks(intWords(a)))
		}
	case *big.Float:
		if a != nil {
			m.e.payFloatText(a, -1)
		}
	case *big.Rat:
		if a != nil {
			m.add(ratWords(a) * digitBytes)
			m.e.work(textTicks(ratWords(a)))
		}
	default:
		return false
	}
	return true
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
