package shimtest

import (
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// An Gates tells what it is asked, by those of its functions that are there.
type Gates struct {
	OnCharge, OnWork func(int64)
	OnCheck          func()
	OnWait           func(string)
	OnExit           func(int)
}

var _ shim.Gates = Gates{}

func tell[T any](f func(T), x T) {
	if f != nil {
		f(x)
	}
}

func (a Gates) Charge(n int64)      { tell(a.OnCharge, n) }
func (a Gates) Work(n int64)        { tell(a.OnWork, n) }
func (a Gates) Wait(what string)    { tell(a.OnWait, what) }
func (a Gates) Exit(code int)       { tell(a.OnExit, code) }
func (a Gates) Sleep(time.Duration) { a.Check() }

func (a Gates) Check() {
	if a.OnCheck != nil {
		a.OnCheck()
	}
}

func (a Gates) Memory() (held, total int64) { return 0, 0 }

// A Clock clock tells the same time always.
type Clock time.Time

func (s Clock) Now() time.Time { return time.Time(s) }

// ErrRefused is what the charge of a test panics with.
var ErrRefused = errors.New("refused")

// Limited returns an Env that refuses a charge above limit.
func Limited(limit int64) *shim.Env {
	var total int64
	return &shim.Env{Gates: Gates{OnCharge: func(n int64) {
		if total += n; n > limit || total > limit {
			panic(ErrRefused)
		}
	}}}
}

// Outcome is the panic of f, nil if there is none.
func Outcome(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}
