package runs

import (
	"encoding/json"
	"errors"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// KindUnavailable is the kind of the error of a run that no worker has taken.
const KindUnavailable sandtrap.Kind = "unavailable"

// job is a run as one that a queue can have done: it is in no session, and waits for nothing. It is nil for others.
func (r *runner) job(row *store.Run) *dispatch.Job {
	if r.cell != nil || r.Waits() {
		return nil
	}
	return &dispatch.Job{
		Run: row.ID, Tenant: row.Tenant, Session: row.Session, Policy: row.Policy, Text: r.Text, Request: row.Request, Background: row.Batch != "",
	}
}

// dispatch has a job done: by workers, if there are some and its policy lets them, or by this process.
func (m *Manager) dispatch(l *live, box *plans.Box, job *dispatch.Job) (o outcome) {
	var queue dispatch.Queue = m.here
	if m.o.Queue != nil && box.Portable() {
		queue = m.o.Queue
	}
	out := dispatch.Output{Stdout: l.stdout, Stderr: l.stderr, Refused: l.refusals.Take}
	if m.o.Trail != nil {
		out.Record = m.o.Trail
	}
	begun := false
	begin := func() error {
		err := m.beginOf(l)
		begun = err == nil
		return err
	}
	o.job, o.Err = queue.Do(l.ctx, job, begin, out)
	for job.Background && errors.Is(o.Err, dispatch.ErrNoWorker) && l.ctx.Err() == nil { // nobody waits for it: it has time
		o.job, o.Err = queue.Do(l.ctx, job, begin, out)
	}
	e, ofRun := errors.AsType[*sandtrap.Error](o.Err)
	switch {
	case o.Err == nil:
		return o
	case errors.Is(o.Err, dispatch.ErrNoWorker):
		e = &sandtrap.Error{Kind: KindUnavailable, Message: "no worker has taken the run", Hint: "send it again later"}
	case errors.Is(o.Err, dispatch.ErrLost):
		m.o.Log.Error("the worker of a run was lost", "run", l.row.ID, "tenant", l.row.Tenant, "error", o.Err)
		e = interrupted()
	case !begun && !ofRun:
		return refused(errBegun)
	case !ofRun:
		return outcome{Part: Part{Result: &sandtrap.Result{}, Err: o.Err}}
	}
	return refused(e)
}

// outcomeOf is a result as clients get it and the store keeps it.
func outcomeOf(res *sandtrap.Result, inputs map[string]json.RawMessage, refused []*decide.Denied) *dispatch.Outcome {
	view := runjson.Of(res)
	view.Error = advised(view.Error, inputs)
	view.Refused = append(view.Refused, refused...)
	out := &dispatch.Outcome{Result: resultText(view), Ticks: res.Ticks, Peak: res.PeakBytes, Duration: res.Duration}
	if res.Error != nil {
		out.Kind = string(res.Error.Kind)
	}
	for _, a := range res.Artifacts {
		out.Artifacts = append(out.Artifacts, dispatch.Artifact(a))
	}
	return out
}
