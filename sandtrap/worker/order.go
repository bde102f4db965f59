package worker

import (
	"context"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// numbered is the body of a call in a run whose host decides when calls return. It tells the host of one that
// cannot be made, too: the host waits for all that have begun.
func numbered(at script.Call, args []byte, failed error) ([]byte, error) {
	call := jobs.NumberedCall{Number: at.Number, At: at.At, Args: args}
	if failed != nil {
		call.Args, call.Failed = nil, failed.Error()
	}
	return wire.Encode(call)
}

// A hostOrder is the order of a run that its host decides.
type hostOrder struct {
	j      *worker
	ctx    context.Context // of the job
	before int             // see engine.Order
	asked  *turnAt
}

// A turnAt is the host's answer to a rest.
type turnAt struct {
	rest int64
	done chan struct{} // closed when it is there
	call int
	stop *gates.Stop
}

// ordered is the context of a run whose host decides when calls return.
func (j *worker) ordered(ctx context.Context, before int) context.Context {
	return engine.WithOrder(ctx, &hostOrder{j: j, ctx: ctx, before: before})
}

func (o *hostOrder) Next(at engine.Rest) (int, *gates.Stop, <-chan struct{}) {
	if o.asked == nil || o.asked.rest != at.Number {
		t := &turnAt{rest: at.Number, done: make(chan struct{})}
		o.asked = t
		go func() {
			defer close(t.done)
			t.call, t.stop = o.ask(at)
		}()
	}
	select {
	case <-o.asked.done:
		return o.asked.call, o.asked.stop, nil
	default:
		return 0, nil, o.asked.done
	}
}

// Known is false: the host has the journal.
func (o *hostOrder) Known(int) bool { return false }

func (o *hostOrder) Before() int { return o.before }

func (o *hostOrder) ask(at engine.Rest) (int, *gates.Stop) {
	body, err := wire.Encode(jobs.Rest(at))
	if err == nil {
		body, err = o.j.call(o.ctx, jobs.CallOrder, body)
	}
	var turn jobs.Turn
	if err == nil {
		err = wire.Decode(body, &turn)
	}
	switch {
	case err != nil:
		return 0, &gates.Stop{Reason: gates.Diverged, Message: err.Error()}
	case turn.Kind != "":
		return 0, &gates.Stop{Reason: gates.Reason(turn.Kind), Message: turn.Message}
	}
	return turn.Call, nil
}
