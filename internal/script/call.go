package script

import "context"

// A Call is one of a function of the host that goes on beside the tasks.
type Call struct {
	Number int    // of its run, from 1
	At     string // the position of the call, file:line
}

type callKey struct{}

// WithCall is the context of a call.
func WithCall(ctx context.Context, c Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// CallOf is the call that ctx is of, the zero Call if of none.
func CallOf(ctx context.Context) Call {
	c, _ := ctx.Value(callKey{}).(Call)
	return c
}
