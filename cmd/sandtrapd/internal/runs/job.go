package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// KindUnavailable is the kind of the error of a run that no worker has taken.
const KindUnavailable sandtrap.Kind = "unavailable"

// job is the next part of a run.
func (l *live) job(box *plans.Box) *dispatch.Job {
	row := l.row
	return &dispatch.Job{
		Run: row.ID, Tenant: row.Tenant, Session: row.Session, Policy: row.Policy, Text: box.Text, Request: row.Request,
		Journal: row.Journal, Answers: row.Answers, Told: l.told(), Memory: box.Memory(), Background: row.Batch != "",
	}
}

func (l *live) told() dispatch.Told {
	return dispatch.Told{Stdout: l.stdout.told.Load(), Stderr: l.stderr.told.Load()}
}

// dispatch has the next part of a run done: by workers, if there are some and its policy lets them, or by this process. One that can wait
// gets a journal when it begins, from the script.
func (m *Manager) dispatch(l *live, in *runner, script *sandtrap.Script) (o outcome) {
	box := in.Box
	job, begun := l.job(box), false
	begin := func() error {
		if begun {
			return nil
		}
		err := m.beginOf(l)
		if begun = err == nil; begun && box.Waits() && len(job.Journal) == 0 {
			job.Journal, err = m.beginJournal(l, box, script)
		}
		return err
	}
	out := dispatch.Output{Stdout: l.stdout, Stderr: l.stderr, Refused: l.refusals.Take, Away: func() { m.tell(l, time.Now(), store.ErrCluster) }}
	if m.o.Trail != nil {
		out.Record = m.o.Trail
	}
	if box.Waits() {
		out.Paused = func(journal []byte) (err error) {
			o.calls, err = pausedOf(box, job, journal)
			return err
		}
	}
	if in.cell != nil {
		return m.dispatchCell(l, in, job, begin, out, *script, &begun)
	}
	o.Err = dispatch.ErrLarge
	if m.o.Queue != nil && box.Portable() {
		o.job, o.Err = m.o.Queue.Do(l.ctx, job, begin, out)
		for job.Background && errors.Is(o.Err, dispatch.ErrNoWorker) && l.ctx.Err() == nil { // nobody waits for it: it has time
			again := out // a worker that was lost may have told of some of it
			again.Stdout, again.Stderr = &skipping{l.stdout, l.stdout.told.Load()}, &skipping{l.stderr, l.stderr.told.Load()}
			o.job, o.Err = m.o.Queue.Do(l.ctx, job, begin, again)
		}
	}
	begunBefore := len(l.row.Journal) > 0 // clients may have done what it has called: it does not fail for want of a worker
	if errors.Is(o.Err, dispatch.ErrLarge) || errors.Is(o.Err, dispatch.ErrNoWorker) && begunBefore {
		job.Told = l.told() // a worker that was lost may have told of more
		o.job, o.Err = m.here.Do(l.ctx, job, begin, out)
	}
	if o.Err == nil {
		return o
	}
	return m.undone(l, o.Err, begun)
}

// workable reports that workers elsewhere can do a cell of a session.
func (m *Manager) workable(in *runner) bool {
	return m.o.Queue != nil && in.Portable() && !in.Waits()
}

// dispatchCell is dispatch for a cell that is workable. One that is too large for workers is done by this process, which skips what clients have of
// its output.
func (m *Manager) dispatchCell(l *live, in *runner, job *dispatch.Job, begin func() error, out dispatch.Output, script sandtrap.Script, begun *bool) (o outcome) {
	o.job, o.Part = in.cell.Elsewhere(l.ctx, job, out, func(ctx context.Context, out dispatch.Output) (*dispatch.Outcome, error) {
		return m.o.Queue.Do(ctx, job, begin, out)
	})
	switch {
	case errors.Is(o.Err, dispatch.ErrLarge):
		told := l.told()
		script.Stdout, script.Stderr = &skipping{l.stdout, told.Stdout}, &skipping{l.stderr, told.Stderr}
		return m.turn(l, begin, func(ctx context.Context) outcome { return in.start(ctx, l.row, script, nil) })
	case o.Err != nil && o.Result == nil:
		return m.undone(l, o.Err, *begun)
	}
	o.written = in.cell.Written
	return o
}

// A skipping is a Writer that leaves out what came before.
type skipping struct {
	to io.Writer
	n  int64
}

func (s *skipping) Write(p []byte) (int, error) {
	n := min(s.n, int64(len(p)))
	s.n -= n
	if n < int64(len(p)) {
		if _, err := s.to.Write(p[n:]); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// beginJournal makes the journal of a run that begins, and writes it down before anything of the run is done: it has all that the run is
// repeated by. What comes after is written down when the run waits: until then it does nothing outside that it could not do again.
func (m *Manager) beginJournal(l *live, box *plans.Box, script *sandtrap.Script) ([]byte, error) {
	var text bytes.Buffer
	if err := box.Begin(*script, &text); err != nil {
		return nil, err
	}
	return text.Bytes(), m.journal(l.ctx, l, text.Bytes())
}

// undone is the outcome of a part that has none because of an error, which may have come after its beginning.
func (m *Manager) undone(l *live, err error, begun bool) outcome {
	e, ofRun := errors.AsType[*sandtrap.Error](err)
	switch {
	case errors.Is(err, dispatch.ErrNoWorker):
		e = &sandtrap.Error{Kind: KindUnavailable, Message: err.Error(), Hint: "send it again later, with another idempotency_key if it has one"}
	case errors.Is(err, dispatch.ErrLost) && context.Cause(l.ctx) == errKept: // it is repeated, whatever has become of it
		return refused(errKept)
	case errors.Is(err, dispatch.ErrLost) && context.Cause(l.ctx) == errCancelled: // its worker may be beyond reach, and goes on for some seconds
		return refused(errUnheard)
	case errors.Is(err, dispatch.ErrLost):
		m.o.Log.Error("the worker of a run was lost", "run", l.row.ID, "tenant", l.row.Tenant, "error", err)
		e = interrupted(byLoss)
	case !begun && !ofRun:
		return refused(errBegun)
	case errors.Is(err, context.Canceled) && !ofRun:
		return refused(errCancelled)
	case !ofRun:
		return outcome{Part: Part{Result: &sandtrap.Result{}, Err: err}}
	}
	return refused(e)
}

// outcomeOf is what a part of a run has come to, as clients get it and the store keeps it.
func outcomeOf(res *sandtrap.Result, pause *durable.Pause, inputs map[string]json.RawMessage, refused []*decide.Denied) *dispatch.Outcome {
	var journal []byte
	if pause != nil {
		var err error
		if journal, err = journalOf(pause); err != nil {
			journal, res.Error = nil, unkept(err)
		}
	}
	view := runjson.Of(res)
	view.Error = advised(view.Error, inputs)
	view.Refused = append(view.Refused, refused...)
	out := &dispatch.Outcome{Result: resultText(view), Ticks: res.Ticks, Peak: res.PeakBytes, Duration: res.Duration, Journal: journal}
	if res.Error != nil {
		out.Kind = string(res.Error.Kind)
	}
	for _, a := range res.Artifacts {
		out.Artifacts = append(out.Artifacts, dispatch.Artifact(a))
	}
	return out
}
