package builtins

import (
	"errors"
	"time"
)

// An asking tells what it is asked, by those of its functions that are there.
type asking struct {
	charge, work func(int64)
	check        func()
	wait         func(string)
	exit         func(int)
}

var _ Gates = asking{}

func tell[T any](f func(T), x T) {
	if f != nil {
		f(x)
	}
}

func (a asking) Charge(n int64)      { tell(a.charge, n) }
func (a asking) Work(n int64)        { tell(a.work, n) }
func (a asking) Wait(what string)    { tell(a.wait, what) }
func (a asking) Exit(code int)       { tell(a.exit, code) }
func (a asking) Sleep(time.Duration) { a.Check() }

func (a asking) Check() {
	if a.check != nil {
		a.check()
	}
}

func (a asking) Memory() (held, total int64) { return 0, 0 }

// A stopped clock tells the same time always.
type stopped time.Time

func (s stopped) Now() time.Time { return time.Time(s) }

// errRefused is what the charge of a test panics with.
var errRefused = errors.New("refused")

// limited returns an Env that refuses a charge above limit.
func limited(limit int64) *Env {
	var total int64
	return &Env{Gates: asking{charge: func(n int64) {
		if total += n; n > limit || total > limit {
			panic(errRefused)
		}
	}}}
}

// outcome is the panic of f, nil if there is none.
func outcome(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}
