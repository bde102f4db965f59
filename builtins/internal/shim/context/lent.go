package context

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// lentContext is a context of Go's that ends when one of the script's does, or the run.
type lentContext struct {
	context.Context
	of *cancelCtx // which ends with that of the script's
}

func (c lentContext) Deadline() (time.Time, bool) {
	own, ok := c.Context.Deadline()
	if d, has := c.of.Deadline(); has && (!ok || d.Before(own)) {
		return d, true
	}
	return own, ok
}

func (c lentContext) Err() error {
	err := c.Context.Err()
	if of := c.of.Err(); err != nil && of != nil {
		return of
	}
	return err
}

// A lentEnd ends what the host has of c.
type lentEnd struct {
	c      *cancelCtx
	cancel context.CancelCauseFunc
}

func (l *lentEnd) Do() { l.cancel(Cause(l.c)) }

// Lent lends a context of the script to the host until end is called.
func Lent(e *shim.Env, ctx context.Context) (lent context.Context, end func()) {
	out, cancel := context.WithCancelCause(e.HostContext())
	c := untoldCancelCtx(e, ctx)
	c.then = &lentEnd{c, cancel}
	c.follow()
	return lentContext{out, c}, func() { c.cancel(context.Canceled, nil) }
}
