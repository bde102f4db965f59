package fmt

import (
	"fmt"
	"io"
	"math/big"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimbig "github.com/sandtrap-go/sandtrap/builtins/internal/shim/big"
)

// scanStep is how many runes are scanned between two looks for a stop.
const scanStep = 1 << 12

// scanning returns what fmt scans in place of r and args: it lets stops through and asks for
// the text that fmt keeps of a token, and numbers of any length ask for themselves. A reader
// that fmt reads byte by byte lets stops through already.
func scanning(e *shim.Env, r io.Reader, args []any) (io.Reader, []any) {
	if rs, ok := r.(io.RuneScanner); ok {
		r = &checkedRunes{rs, r, e, 0}
	}
	own := args
	for i, a := range args {
		switch a.(type) {
		case *big.Int, *big.Rat, *big.Float:
			if &own[0] == &args[0] {
				own = slices.Clone(args)
			}
			own[i] = &bigScanner{a.(fmt.Scanner), e}
		}
	}
	return r, own
}

// checkedRunes lets a stop through every few runes.
type checkedRunes struct {
	io.RuneScanner
	io.Reader
	env *shim.Env
	n   int
}

func (c *checkedRunes) ReadRune() (rune, int, error) {
	if c.n++; c.n%scanStep == 0 {
		c.env.Charge(2 * scanStep) // one token may have all of them, in a buffer that grows
		c.env.Check()
	}
	return c.RuneScanner.ReadRune()
}

// A bigScanner is a number of math/big as fmt scans it.
type bigScanner struct {
	number fmt.Scanner
	env    *shim.Env
}

func (b *bigScanner) Scan(s fmt.ScanState, verb rune) error {
	return b.number.Scan(newPaidScan(b.env, b.number, s), verb)
}

func IntScan(e *shim.Env) func(*big.Int, fmt.ScanState, rune) error {
	return func(z *big.Int, s fmt.ScanState, verb rune) error { return z.Scan(newPaidScan(e, z, s), verb) }
}

func RatScan(e *shim.Env) func(*big.Rat, fmt.ScanState, rune) error {
	return func(z *big.Rat, s fmt.ScanState, verb rune) error { return z.Scan(newPaidScan(e, z, s), verb) }
}

func FloatScan(e *shim.Env) func(*big.Float, fmt.ScanState, rune) error {
	return func(z *big.Float, s fmt.ScanState, verb rune) error { return z.Scan(newPaidScan(e, z, s), verb) }
}

// newPaidScan is s for a number of math/big.
func newPaidScan(e *shim.Env, number any, s fmt.ScanState) fmt.ScanState {
	z, _ := number.(*big.Float)
	return &paidScan{s, e, z, 0}
}

// newPaidScan asks for numbers while their digits are read.
type paidScan struct {
	fmt.ScanState
	env    *shim.Env
	float  *big.Float // if it reads one, until that is paid for
	digits int
}

const digitStep = 64

func (s *paidScan) ReadRune() (rune, int, error) {
	if s.digits++; s.digits%digitStep == 0 {
		s.env.Charge(digitStep)
		s.env.Work(shimbig.ParseTicks(s.digits) - shimbig.ParseTicks(s.digits-digitStep))
		s.env.Check()
	}
	r, size, err := s.ScanState.ReadRune()
	switch r {
	case '.', 'e', 'E', 'p', 'P': // what follows is a power, by which the number is multiplied
		if s.float != nil {
			shimbig.PayFloatDigits(s.env, s.float, 0)
			s.float = nil
		}
	}
	return r, size, err
}

// Token is what a fraction is read from.
func (s *paidScan) Token(skipSpace bool, f func(rune) bool) ([]byte, error) {
	token, err := s.ScanState.Token(skipSpace, f)
	shimbig.PayRatDigits(s.env, string(token))
	return token, err
}
