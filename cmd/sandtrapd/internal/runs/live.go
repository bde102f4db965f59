package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
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
	done           chan struct{} // closed when it waits or has ended, and that is on disk
	after          *store.Run    // what has become of it, set before that
	err            error         // why that is not on disk
	slot           *limits.Slot
}

// begin makes a run live. It goes on with the events that it had. If it cannot, its slot is given back.
func (m *Manager) begin(row *store.Run, events []Event, slot *limits.Slot) (*live, error) {
	l := &live{row: row, log: newLog(events), done: make(chan struct{}), slot: slot}
	l.ctx, l.cancel = context.WithCancelCause(decide.WithSubject(m.base, decide.Subject{Tenant: row.Tenant, Session: row.Session, Run: row.ID}))
	l.stdout, l.stderr = &stream{run: l, kind: EventStdout}, &stream{run: l, kind: EventStderr}
	for _, e := range events {
		l.told(e)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.draining {
		return nil, slot.Refuse(ErrDraining)
	}
	if m.live[row.ID] != nil {
		return nil, slot.Refuse(store.ErrState)
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

// KindLimit is the kind of the error of a run that had no time left when its turn came: the others of its tenant had used it up.
const KindLimit sandtrap.Kind = "limit"

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
	defer m.remove(l)
	defer close(l.done)
	defer box.Release()
	var o outcome
	select {
	case m.slots <- struct{}{}:
		if err := l.slot.Turn(); err != nil {
			o = outcome{res: &sandtrap.Result{Error: &sandtrap.Error{Kind: KindLimit, Message: err.Error()}}}
		} else {
			o = do(l.ctx)
		}
		<-m.slots
	case <-l.ctx.Done():
		o = outcome{res: &sandtrap.Result{Error: &sandtrap.Error{Kind: sandtrap.KindCancelled, Message: "the run was cancelled before it began"}}}
	}
	if o.err != nil && o.res.Error == nil { // it may name files of the machine, so only the log has it
		m.o.Log.Error("a run could not be run", "run", l.row.ID, "tenant", l.row.Tenant, "error", o.err)
	}
	l.after = l.become(o)
	if l.err = m.o.Store.Finish(l.after); l.err != nil {
		m.o.Log.Error("the outcome of a run could not be written", "run", l.row.ID, "tenant", l.row.Tenant, "error", l.err)
	}
	l.slot.End(l.after.Spent)
	l.log.end()
}

// become is the row of a run after a part of it.
func (l *live) become(o outcome) *store.Run {
	row := *l.row
	res := o.res
	if o.err != nil && res.Error == nil { // not about the script
		res.Error = &sandtrap.Error{Kind: sandtrap.KindInternal, Message: "the server could not run it; its log says why"}
	}
	row.Ticks, row.Peak, row.Duration, row.Journal = res.Ticks, res.PeakBytes, res.Duration, nil
	row.Spent = res.Duration
	row.State, row.Ended = store.Done, time.Now()
	out := runjson.Of(res)
	if o.pause != nil {
		var text bytes.Buffer
		if err := o.pause.Save(&text); err != nil {
			res.Error = &sandtrap.Error{Kind: sandtrap.KindInternal, Message: "the run waits, and cannot be kept: " + err.Error()}
			out = runjson.Of(res)
		} else {
			row.State, row.Ended, row.Journal = store.Pending, time.Time{}, text.Bytes()
			pending := pendingOf(o.pause)
			row.Pending = encode(pending)
			for _, p := range pending {
				l.log.add(EventCall, now(), p)
			}
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

func pendingOf(p *durable.Pause) (list []runjson.Pending) {
	for _, c := range p.Pending {
		list = append(list, runjson.Pending(c))
	}
	return list
}

// errCancelled is the cause of the end of a run that somebody has cancelled.
var errCancelled = fmt.Errorf("the run was cancelled")
