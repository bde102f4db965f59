package engine

import (
	"context"
	"time"
)

// A Start is what a run has from its beginning, or a session from that of its first cell.
type Start struct {
	Seed  uint64    // of what is left to chance; 0 is any
	Epoch time.Time // where a clock begins that only the run moves; zero is the machine's clock
}

// Clock is that of a run that begins.
func (s Start) Clock() Clock {
	if s.Epoch.IsZero() {
		return Wall{}
	}
	return NewSteps(s.Epoch)
}

type startKey struct{}

// WithStart is ctx for making a sandbox whose runs have this start, whatever its policy says.
func WithStart(ctx context.Context, s Start) context.Context {
	return context.WithValue(ctx, startKey{}, s)
}

// StartOf is the start of the runs of a sandbox that is made with ctx. The policy's is for who says none.
func StartOf(ctx context.Context, policy Start) Start {
	if s, ok := ctx.Value(startKey{}).(Start); ok {
		return s
	}
	return policy
}
