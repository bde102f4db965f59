package runs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A Worker does jobs with the plans of this process. It is safe for concurrent use.
type Worker struct {
	Plans *plans.Set

	Policies *policies.Catalog // that gets the texts of policies from jobs; nil if the plans have all policies

	mu    sync.Mutex
	sinks map[string]record.Sink // by run
}

// errRecord is the error of a decision that no front can be told of.
var errRecord = errors.New("no run has this event")

// Write is a method of record.Sink: a decision goes to the front of its run, with what the run prints.
func (w *Worker) Write(e record.Event) error {
	w.mu.Lock()
	sink := w.sinks[e.Run]
	w.mu.Unlock()
	if sink == nil {
		return errRecord
	}
	return sink.Write(e)
}

func (w *Worker) sends(run string, to record.Sink) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sinks == nil {
		w.sinks = map[string]record.Sink{}
	}
	w.sinks[run] = to
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.sinks, run)
	}
}

// box is that of the policy of a job.
func (w *Worker) box(ctx context.Context, job *dispatch.Job) (*plans.Box, error) {
	ref := policies.Ref(job.Policy)
	if w.Policies != nil {
		of, version, _ := strings.Cut(job.Policy, "@")
		if job.Text != "" {
			ref = w.Policies.Adopt(of, job.Text)
		} else if version != policies.Builtin {
			return nil, policies.ErrUnknown
		}
	}
	return w.Plans.Get(ctx, ref, "")
}

// Do is a dispatch.Handler.
func (w *Worker) Do(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
	var q Request
	if err := json.Unmarshal(job.Request, &q); err != nil {
		return nil, err
	}
	script, err := q.script()
	if err != nil {
		return nil, err
	}
	box, err := w.box(ctx, job)
	if err != nil {
		return nil, err
	}
	defer box.Release()
	if w.Policies != nil {
		defer w.sends(job.Run, out.Record)()
	}
	script.Stdout, script.Stderr = out.Stdout, out.Stderr
	res, err := box.Run(decide.WithSubject(ctx, decide.Subject{Tenant: job.Tenant, Session: job.Session, Run: job.Run}), job.Tenant, script)
	if err != nil && res.Error == nil {
		return nil, err
	}
	var refused []*decide.Denied
	if out.Refused != nil {
		refused = out.Refused()
	}
	return outcomeOf(res, q.Inputs, refused), nil
}
