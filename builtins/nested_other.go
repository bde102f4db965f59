package builtins

import (
	"io/fs"
	"math/rand"
	randv2 "math/rand/v2"
	"net/url"
	"os"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// timeoutOf and temporaryOf are methods of errors that ask the error in them in the same way.
func timeoutOf[E interface {
	error
	Timeout() bool
}](*Env) func(E) bool {
	return func(err E) bool { linkedErrors(err); return err.Timeout() }
}

func temporaryOf[E interface {
	error
	Temporary() bool
}](*Env) func(E) bool {
	return func(err E) bool { linkedErrors(err); return err.Temporary() }
}

func osIsTimeout(*Env) func(error) bool {
	return func(err error) bool { linkedErrors(err); return vfs.IsTimeout(err) }
}

// linkedErrors panics if too many of the errors that a script can put into each other by a
// field are.
func linkedErrors(err error) {
	for range maxLinked {
		switch e := err.(type) {
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *url.Error:
			err = e.Err
		default:
			return
		}
	}
	panic(runtimeError("errors are nested too deeply, or in a circle"))
}

// A source of random numbers may be what another source makes numbers of.
type heldSource struct {
	rand.Source64
	e *Env
}

func (h *heldSource) Int63() int64 {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.Source64.Int63()
}

func (h *heldSource) Uint64() uint64 {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.Source64.Uint64()
}

type heldSourceV2 struct {
	randv2.Source
	e *Env
}

func (h *heldSourceV2) Uint64() uint64 {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.Source.Uint64()
}

func randV2New(e *Env) func(randv2.Source) *randv2.Rand {
	return func(src randv2.Source) *randv2.Rand {
		if r, ok := src.(*randv2.Rand); ok {
			src = &heldSourceV2{r, e}
		}
		return randv2.New(src)
	}
}

// randNewZipf and randV2NewZipf: with exponents such as NaN no number is ever good enough, so
// a stop is let through where one is asked for.
func randNewZipf(e *Env) func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
	return func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
		if r != nil {
			r = randNew(e)(r)
		}
		return rand.NewZipf(r, s, v, imax)
	}
}

func randV2NewZipf(e *Env) func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
	return func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
		if r != nil {
			r = randV2New(e)(r)
		}
		return randv2.NewZipf(r, s, v, imax)
	}
}

func randNew(e *Env) func(rand.Source) *rand.Rand {
	return func(src rand.Source) *rand.Rand {
		if r, ok := src.(*rand.Rand); ok {
			src = &heldSource{r, e}
		}
		return rand.New(src)
	}
}
