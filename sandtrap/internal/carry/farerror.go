package carry

import (
	"errors"
	"slices"
)

// A farError stands for an error of the other process.
type farError struct {
	name  string // of its type
	text  string
	is    []error
	says  uint64
	below []error
}

func (e *farError) Error() string { return e.text }

// GoName is the name of its type, for who prints that.
func (e *farError) GoName() string { return e.name }

// Is reports a known error that it says it is.
func (e *farError) Is(target error) bool {
	return slices.ContainsFunc(e.is, func(known error) bool { return sameError(known, target) })
}

// What an error says by the methods that programs look for in errors of networks.
const (
	hasTimeout = 1 << iota
	isTimeout
	hasTemporary
	isTemporary
)

// saysOf is what err says.
func saysOf(err error) (bits uint64) {
	says := func(f func() bool, yes uint64) {
		if answers(f) {
			bits |= yes
		}
	}
	if e, ok := err.(interface{ Timeout() bool }); ok {
		bits |= hasTimeout
		says(e.Timeout, isTimeout)
	}
	if e, ok := err.(interface{ Temporary() bool }); ok {
		bits |= hasTemporary
		says(e.Temporary, isTemporary)
	}
	return bits
}

// Those that have more methods show them as they do in their process.
type (
	wraps  struct{ of *farError }
	joins  struct{ of *farError }
	times  struct{ of *farError }
	passes struct{ of *farError }

	farWrapping struct {
		*farError
		wraps
	}
	farJoined struct {
		*farError
		joins
	}
	farTimeout struct {
		*farError
		times
	}
	farTimeoutWrapping struct {
		*farError
		times
		wraps
	}
	farTimeoutJoined struct {
		*farError
		times
		joins
	}
	farNet struct { // as package net asks for
		*farError
		times
		passes
	}
	farNetWrapping struct {
		*farError
		times
		passes
		wraps
	}
	farNetJoined struct {
		*farError
		times
		passes
		joins
	}
)

func (w wraps) Unwrap() error    { return w.of.below[0] }
func (j joins) Unwrap() []error  { return j.of.below }
func (t times) Timeout() bool    { return t.of.says&isTimeout != 0 }
func (p passes) Temporary() bool { return p.of.says&isTemporary != 0 }

// made is what stands here for an error of a shape.
func (e *farError) made(shape uint64) error {
	one := shape == shapeOne && len(e.below) == 1
	switch {
	case shape >= shapes:
		fail("an error of shape %d", shape)
	case shape == shapeText && len(e.below) == 0:
		return errors.New(e.text)
	case shape == shapeJoined && len(e.below) > 0 && !slices.Contains(e.below, nil):
		return errors.Join(e.below...)
	case e.says&hasTemporary != 0:
		return madeOf(e, one, error(&farNet{e, times{e}, passes{e}}), &farNetWrapping{e, times{e}, passes{e}, wraps{e}}, &farNetJoined{e, times{e}, passes{e}, joins{e}})
	case e.says&hasTimeout != 0:
		return madeOf(e, one, error(&farTimeout{e, times{e}}), &farTimeoutWrapping{e, times{e}, wraps{e}}, &farTimeoutJoined{e, times{e}, joins{e}})
	}
	return madeOf(e, one, error(e), &farWrapping{e, wraps{e}}, &farJoined{e, joins{e}})
}

// madeOf is the one that fits what e wraps.
func madeOf(e *farError, one bool, none, wrapping, joined error) error {
	switch {
	case one:
		return wrapping
	case len(e.below) > 0:
		return joined
	}
	return none
}
