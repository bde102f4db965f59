package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// A live is a run that goes on.
type live struct {
	row    *store.Run // as it was when it began to go on
	log    *Log
	ctx    context.Context
	cancel context.CancelCauseFunc

	stdout, stderr *stream
	steps          steps
	caller         context.Context // of the request that had it begin or go on; for its span alone
	refusals       runjson.Refusals
	done           chan struct{} // closed when it waits or has ended, and that is on disk
	after          *store.Run    // what has become of it, set before that
	err            error         // why that is not on disk
}

// begin makes a run live. It goes on with the events that it had.
func (m *Manager) begin(row *store.Run, events []Event) (*live, error) {
	l := &live{row: row, log: newLog(events), done: make(chan struct{}), caller: m.base}
	l.ctx, l.cancel = context.WithCancelCause(decide.WithSubject(m.base, decide.Subject{Tenant: row.Tenant, Session: row.Session, Run: row.ID}))
	l.stdout, l.stderr = &stream{run: l, kind: EventStdout}, &stream{run: l, kind: EventStderr}
	for _, e := range events {
		l.told(e)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.draining {
		return nil, ErrDraining
	}
	if m.live[row.ID] != nil {
		return nil, store.ErrState
	}
	m.live[row.ID] = l
	m.group.Add(1)
	return l, nil
}

// told takes note of output that was told of, which a run that is repeated prints again.
func (l *live) told(e Event) {
	var data struct{ Text string }
	if json.Unmarshal(e.Data, &data) != nil {
		return
	}
	switch e.Kind {
	case EventStdout:
		l.stdout.skip += int64(len(data.Text))
	case EventStderr:
		l.stderr.skip += int64(len(data.Text))
	}
}

func (m *Manager) remove(l *live) {
	l.cancel(nil)
	m.mu.Lock()
	delete(m.live, l.row.ID)
	m.mu.Unlock()
	m.group.Done()
}

// An outcome is what one part of a run, up to its end or a pause, has come to.
type outcome struct {
	res   *sandtrap.Result
	pause *durable.Pause
	err   error
}

// run runs a script to its end, or to where it waits.
func (m *Manager) run(l *live, box *plans.Box, script sandtrap.Script) {
	script.Stdout, script.Stderr = l.stdout, l.stderr
	m.part(l, box, func(ctx context.Context) (o outcome) {
		if box.Waits() {
			o.res, o.pause, o.err = box.Start(ctx, script)
		} else {
			o.res, o.err = box.Run(ctx, l.row.Tenant, script)
		}
		return o
	})
}

// part does one part of a run when it is its turn, and writes down what has become of it.
func (m *Manager) part(l *live, box *plans.Box, do func(context.Context) outcome) {
	// Who is told that the run waits can answer at once, so it is live no more then.
	defer close(l.done)
	defer l.log.end()
	defer m.remove(l)
	defer box.Release()
	m.o.Watch.Began(l.caller, l.row)
	var o outcome
	select {
	case m.slots <- struct{}{}:
		o = do(l.ctx)
		<-m.slots
	case <-l.ctx.Done():
		o = outcome{res: &sandtrap.Result{Error: &sandtrap.Error{Kind: sandtrap.KindCancelled, Message: "the run was cancelled before it began"}}}
	}
	l.after = l.become(o)
	if l.err = m.o.Store.Finish(l.after); l.err != nil {
		m.o.Log.Error("the outcome of a run could not be written", "run", l.row.ID, "tenant", l.row.Tenant, "error", l.err)
	}
	m.o.Watch.Ended(l.after)
}

// become is the row of a run after a part of it.
func (l *live) become(o outcome) *store.Run {
	row := *l.row
	res := o.res
	if o.err != nil && res.Error == nil { // not about the script
		res.Error = &sandtrap.Error{Kind: sandtrap.KindInternal, Message: "the server could not run it: " + o.err.Error()}
	}
	row.Ticks, row.Peak, row.Duration, row.Journal = res.Ticks, res.PeakBytes, res.Duration, nil
	row.State, row.Ended = store.Done, time.Now()
	out := l.result(res)
	if o.pause != nil {
		var text bytes.Buffer
		if err := o.pause.Save(&text); err != nil {
			res.Error = &sandtrap.Error{Kind: sandtrap.KindInternal, Message: "the run waits, and cannot be kept: " + err.Error()}
			out = l.result(res)
		} else {
			row.State, row.Ended, row.Journal = store.Pending, time.Time{}, text.Bytes()
			pending := pendingOf(o.pause)
			row.Pending = encode(pending)
			l.log.add(EventPause, now(), map[string]any{"pending": pending})
		}
	}
	if res.Error != nil {
		row.State, row.Kind = store.Failed, string(res.Error.Kind)
		if errors.Is(context.Cause(l.ctx), errCancelled) {
			row.State = store.Cancelled
		}
	}
	row.Result = encode(out)
	for _, a := range res.Artifacts {
		row.Artifacts = append(row.Artifacts, store.Artifact(a))
	}
	if row.State.Over() {
		l.log.add(EventResult, now(), map[string]any{"state": row.State, "result": json.RawMessage(row.Result)})
	}
	row.Events = l.log.lines()
	return &row
}

// result is the object of a result, with the requests of the run that were refused.
func (l *live) result(res *sandtrap.Result) runjson.Result {
	out := runjson.Of(res)
	out.Refused = append(out.Refused, l.refusals.Take()...)
	return out
}

func pendingOf(p *durable.Pause) (list []runjson.Pending) {
	for _, c := range p.Pending {
		list = append(list, runjson.Pending(c))
	}
	return list
}

// errCancelled is the cause of the end of a run that somebody has cancelled.
var errCancelled = fmt.Errorf("the run was cancelled")
