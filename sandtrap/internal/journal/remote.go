package journal

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// maxPlace is how many bytes of a position a worker may send.
const maxPlace = 1 << 10

// Numbered takes apart what a worker sends of a call in a run with a journal: it gives the context and the arguments for
// the function. A call that could not be made is noted, and is an error.
func (r *Run) Numbered(ctx context.Context, name string, body []byte) (context.Context, []byte, error) {
	var got jobs.NumberedCall
	if err := wire.Decode(body, &got); err != nil {
		return nil, nil, err
	}
	ctx = script.WithCall(With(ctx, r), script.Call{Number: got.Number, At: got.At[:min(len(got.At), maxPlace)]})
	if got.Failed != "" {
		text, _ := json.Marshal(got.Failed)
		r.do(ctx, name, text, nil, &Outcome{Panic: got.Failed}, nil)
		return nil, nil, errors.New(got.Failed)
	}
	return ctx, got.Args, nil
}
