package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A Worker does jobs with the plans of this process. It is safe for concurrent use.
type Worker struct {
	Plans *plans.Set

	Policies *policies.Catalog // that gets the texts of policies from jobs; nil if the plans have all policies
	Cells    Cells             // for jobs in sessions
	Others   record.Sink       // for decisions of runs that are no jobs of this worker; nil if there are none

	mu    sync.Mutex
	sinks map[string]record.Sink // by run
}

// errRecord is the error of a decision that no front can be told of, errJournal that of a job by a front whose policies are others.
var (
	errRecord  = errors.New("no run has this event")
	errJournal = errors.New("runs of the policy have a journal here, and none there, or the other way round")
	errCells   = errors.New("this worker has no sessions")
)

// Write is a method of record.Sink, for the plans: a decision goes to the front of its run, in order with what the run prints.
func (w *Worker) Write(e record.Event) error {
	w.mu.Lock()
	sink := w.sinks[e.Run]
	w.mu.Unlock()
	if sink == nil {
		sink = w.Others
	}
	if sink == nil && e.Run == "" && (e.Kind == record.KindStart || e.Kind == record.KindUse || e.Kind == record.KindEnd) {
		return nil // a session is saved or loaded, which is no run; nothing is decided then
	}
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

// box is that of the policy of a job, with tools. Those of other servers' tenants are bounded here as they are there.
func (w *Worker) box(ctx context.Context, job *dispatch.Job, tools string) (*plans.Box, error) {
	ref := policies.Ref(job.Policy)
	if w.Policies != nil {
		of, version, _ := strings.Cut(job.Policy, "@")
		if job.Text != "" {
			ref = w.Policies.Adopt(of, job.Text)
		} else if version != policies.Builtin {
			return nil, policies.ErrUnknown
		}
		if err := w.Plans.Admit(job.Tenant, tools); err != nil {
			return nil, err
		}
	}
	return w.Plans.Get(ctx, ref, tools)
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
	if out.Record != nil {
		defer w.sends(job.Run, out.Record)()
	}
	ctx = decide.WithSubject(ctx, decide.Subject{Tenant: job.Tenant, Session: job.Session, Run: job.Run})
	var res *sandtrap.Result
	var pause *durable.Pause
	var become *dispatch.Become
	if job.Cell != nil {
		res, become, err = w.cell(ctx, job, script, out)
	} else {
		res, pause, err = w.part(ctx, job, &q, script, out)
	}
	if err != nil && (res == nil || res.Error == nil) {
		return nil, err
	}
	var refused []*decide.Denied
	if out.Refused != nil {
		refused = out.Refused()
	}
	o := outcomeOf(res, pause, q.Inputs, refused)
	o.Become = become
	return o, nil
}

// cell runs a script in its session.
func (w *Worker) cell(ctx context.Context, job *dispatch.Job, script sandtrap.Script, out dispatch.Output) (*sandtrap.Result, *dispatch.Become, error) {
	if w.Cells == nil || out.Contents == nil {
		return nil, nil, errCells
	}
	script.Stdout, script.Stderr = out.Stdout, out.Stderr
	return w.Cells.Run(ctx, job, func() (*plans.Box, error) { return w.box(ctx, job, job.Cell.Tools) }, script, out.Contents)
}

// part runs a script of a job that is in no session.
func (w *Worker) part(ctx context.Context, job *dispatch.Job, q *Request, script sandtrap.Script, out dispatch.Output) (*sandtrap.Result, *durable.Pause, error) {
	box, err := w.box(ctx, job, q.Tools)
	if err != nil {
		return nil, nil, err
	}
	defer box.Release()
	return part(ctx, box, job, script, out)
}

// part runs a script to its end, or from its journal to where it waits.
func part(ctx context.Context, box *plans.Box, job *dispatch.Job, script sandtrap.Script, out dispatch.Output) (*sandtrap.Result, *durable.Pause, error) {
	switch {
	case box.Waits() != (len(job.Journal) > 0):
		return &sandtrap.Result{}, nil, errJournal
	case !box.Waits():
		script.Stdout, script.Stderr = out.Stdout, out.Stderr
		res, err := box.Run(ctx, job.Tenant, script)
		return res, nil, err
	}
	var answers []Answer
	if len(job.Answers) > 0 {
		if err := json.Unmarshal(job.Answers, &answers); err != nil {
			return &sandtrap.Result{}, nil, err
		}
	}
	to := durable.Output{Stdout: out.Stdout, Stderr: out.Stderr, StdoutSkip: job.Told.Stdout, StderrSkip: job.Told.Stderr}
	return box.Resume(durable.WithOutput(ctx, to), job.Tenant, bytes.NewReader(job.Journal), durableAnswers(answers)...)
}
