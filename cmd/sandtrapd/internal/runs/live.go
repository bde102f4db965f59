package runs

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A live is a run that goes on.
type live struct {
	row    *store.Run // as it was when it began to go on
	log    *Log
	ctx    context.Context
	cancel context.CancelCauseFunc

	again   bool // it went on when the server ended
	begun   bool // it had its turn; the lock of the Manager is held
	repeats bool // if it ends in the middle it can be repeated; likewise
	anew    bool // workers can do it again from its beginning; likewise

	stdout, stderr *stream
	steps          steps
	caller         context.Context // of the request that had it begin or go on; for its span alone
	refusals       runjson.Refusals
	opening        opening
	unwritten      int64         // bytes of its row that the store does not have yet; the lock of the Manager is held
	late           chan struct{} // closed when the ledger has not taken for long what is to be written of it
	done           chan struct{} // closed when it waits, has ended or is kept, and that is on disk
	overdue        func()        // closes late
	after          *store.Run    // what has become of it, set before that
	err            error         // why that is not on disk
	slot           *limits.Slot
}

// begin makes a run live. It goes on with the events that it had; one that has none begins, which is its first one. One that was acknowledged before finds room. If it cannot, its slot is
// given back.
func (m *Manager) begin(row *store.Run, slot *limits.Slot, repeats, again bool) (*live, error) {
	events, err := parseLines(row.Events)
	if err != nil {
		return nil, slot.Refuse(err)
	}
	log := newLog(events)
	if len(events) == 0 {
		log.add(EventStart, now(), map[string]string{"id": row.ID, "policy": row.Policy})
		row.Events = log.lines()
	}
	l := &live{row: row, log: log, done: make(chan struct{}), late: make(chan struct{}), repeats: repeats, again: again, slot: slot}
	l.overdue = sync.OnceFunc(func() { close(l.late) })
	l.ctx, l.cancel = context.WithCancelCause(decide.WithSubject(m.base, decide.Subject{Tenant: row.Tenant, Session: row.Session, Run: row.ID}))
	l.stdout, l.stderr = newStream(l.log, EventStdout, row.ToldStdout), newStream(l.log, EventStderr, row.ToldStderr)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.draining {
		return nil, slot.Refuse(ErrDraining)
	}
	if m.live[row.ID] != nil {
		return nil, slot.Refuse(store.ErrState)
	}
	if err := m.load.room(row); err != nil && !again {
		return nil, slot.Refuse(err)
	}
	m.load.add(row)
	m.live[row.ID] = l
	m.group.Add(1)
	return l, nil
}

func (m *Manager) remove(l *live) {
	l.cancel(nil)
	m.mu.Lock()
	delete(m.live, l.row.ID)
	m.load.unwritten(l, 0)
	m.load.remove(l.row)
	m.mu.Unlock()
	m.group.Done()
}

// refuse ends a run that does not go on after all. Who waits for it is told why.
func (m *Manager) refuse(l *live, err error) error {
	l.after, l.err = l.row, l.slot.Refuse(err)
	m.remove(l)
	l.log.end(false)
	close(l.done)
	return l.err
}

// KindLimit is the kind of the error of a run that had no time left when its turn came, as the others of its tenant had used it up, or that
// has too much to keep while it waits.
const KindLimit sandtrap.Kind = "limit"

// An outcome is what one part of a run, up to its end or a pause, has come to.
type outcome struct {
	Part
	job     *dispatch.Outcome // of one that was a job; it has no Result then, and no Pause
	calls   json.RawMessage   // that wait, of one that was a job
	written func(error)       // is told whether it was written; nil if nobody wants to know
}

// refused is the outcome of a run that is not begun.
func refused(err error) (o outcome) {
	e, ok := errors.AsType[*sandtrap.Error](err)
	if !ok {
		e = &sandtrap.Error{Kind: sandtrap.KindCancelled, Message: err.Error()}
	}
	o.Result = &sandtrap.Result{Error: e}
	return o
}

// run runs a script to its end, or to where it waits.
func (m *Manager) run(l *live, in *runner, script sandtrap.Script) {
	m.mu.Lock()
	l.anew = atStart(l.row) && m.repeatable(in)
	m.mu.Unlock()
	m.wait(l, in)
	if in.cell == nil || m.workable(in) {
		m.part(l, in, func() outcome { return m.dispatch(l, in, &script) })
		return
	}
	script.Stdout, script.Stderr = l.stdout, l.stderr
	m.inTurn(l, in, func(ctx context.Context) outcome {
		return in.start(ctx, l.row, script, &beginning{m: m, ctx: ctx, live: l})
	})
}

// A beginning writes down the beginning of a journal, which has all that a run in a session is repeated by, before the script begins. What comes after
// is written down when the run waits: until then it does nothing outside that it could not do again.
type beginning struct {
	m     *Manager
	ctx   context.Context // of the run
	live  *live
	begun bool
}

func (b *beginning) Write(text []byte) (int, error) {
	if b.begun {
		return len(text), nil
	}
	b.begun = true
	return len(text), b.m.journal(b.ctx, b.live, text)
}

// errBegun is the error of a run that has ended before it began.
var errBegun = errors.New("the run was cancelled before it began")

// beginOf notes that it is the turn of l. The error says why it does not begin.
func (m *Manager) beginOf(l *live) error {
	if err := l.slot.Turn(); err != nil && l.row.Batch == "" { // few lines are begun at a time, and no more of them then
		return &sandtrap.Error{Kind: KindLimit, Message: err.Error()}
	}
	if !m.begins(l) {
		return errBegun
	}
	return nil
}

// inTurn does one part of a run in a session, when it is its turn.
func (m *Manager) inTurn(l *live, in *runner, do func(context.Context) outcome) {
	m.part(l, in, func() outcome { return m.turn(l, func() error { return m.beginOf(l) }, do) })
}

// turn does something in a turn of this process.
func (m *Manager) turn(l *live, begin func() error, do func(context.Context) outcome) outcome {
	if !m.turns.Take(l.ctx, l.row.Tenant) {
		return refused(errBegun)
	}
	defer m.turns.Give(l.row.Tenant)
	if err := begin(); err != nil {
		return refused(err)
	}
	return do(l.ctx)
}

// part does one part of a run, and writes down what has become of it.
func (m *Manager) part(l *live, in *runner, do func() outcome) {
	kept := false
	// Who is told that the run waits can answer at once, so it is live no more then.
	defer close(l.done)
	defer func() { l.log.end(kept) }()
	defer m.remove(l)
	defer in.Release()
	m.o.Watch.Began(l.caller, l.row)
	o := do()
	if o.stopped() && context.Cause(l.ctx) == errKept {
		kept = true
		m.keep(l)
		l.slot.End(0)
		m.o.Watch.Ended(l.after)
		return
	}
	if o.Err != nil && o.Result.Error == nil { // it may name files of the machine, so only the log has it
		m.o.Log.Error("a run could not be run", "run", l.row.ID, "tenant", l.row.Tenant, "error", o.Err)
	}
	l.after = l.become(o)
	l.opening.end(l.after)
	l.err = m.finish(l, l.after)
	notKept := l.err
	if errors.Is(notKept, store.ErrLease) { // nothing of it is kept
		l.log.leap()
		l.after = l.become(outcome{Part: Part{Result: &sandtrap.Result{Error: interrupted(byLease)}}})
		l.err = m.finish(l, l.after)
	}
	if l.err != nil {
		m.o.Log.Error("the outcome of a run could not be written", "run", l.row.ID, "tenant", l.row.Tenant, "error", l.err)
	}
	l.slot.End(l.after.Spent)
	m.o.Watch.Ended(l.after)
	if o.written != nil {
		o.written(notKept)
	}
}

// begins notes that it is the turn of l. It is false if l has ended before.
func (m *Manager) begins(l *live) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	l.begun = l.ctx.Err() == nil
	return l.begun
}

// stopped reports that a run has ended because its context has.
func (o *outcome) stopped() bool {
	if o.job != nil {
		return o.job.Kind == string(sandtrap.KindCancelled)
	}
	return o.Result.Error != nil && o.Result.Error.Kind == sandtrap.KindCancelled || errors.Is(o.Err, context.Canceled)
}

// become is the row of a run after a part of it.
func (l *live) become(o outcome) *store.Run {
	row := *l.row
	row.State, row.Ended, row.Pending, row.Journal, row.Kept = store.Done, time.Now(), nil, nil, o.Kept
	out := o.job
	drained := o.stopped() && context.Cause(l.ctx) == ErrDraining
	if drained { // its session stays what it was, as when the server is killed: the cell may be sent again
		row.Kept = nil
	}
	if out == nil || drained {
		out = l.ends(o)
	}
	row.Ticks, row.Peak, row.Duration, row.Spent, row.Result = out.Ticks, out.Peak, out.Duration, out.Duration, out.Result
	if out.Kind != "" {
		row.State, row.Kind = store.Failed, out.Kind
		if errors.Is(context.Cause(l.ctx), errCancelled) {
			row.State = store.Cancelled
		}
	}
	if o.Pause != nil {
		o.calls = encode(pendingOf(o.Pause))
	}
	if len(out.Journal) > 0 {
		l.wait(&row, out.Journal, o.calls)
	}
	for _, a := range out.Artifacts {
		row.Artifacts = append(row.Artifacts, store.Artifact(a))
	}
	if l.again && out.Kind != "" { // it may have come further before
		l.log.leap()
	}
	if row.State.Over() {
		l.log.addResult(row.State, row.Result, out.Worker)
	}
	row.Events, row.ToldStdout, row.ToldStderr = l.log.lines(), l.stdout.told.Load(), l.stderr.told.Load()
	return &row
}

// ends is the outcome of a part that is that of no job.
func (l *live) ends(o outcome) *dispatch.Outcome {
	res := o.Result
	if res == nil {
		res = &sandtrap.Result{}
	}
	if o.Err != nil && res.Error == nil { // not about the script
		res.Error = &sandtrap.Error{Kind: sandtrap.KindInternal, Message: "the server could not run it; its log says why"}
	}
	if o.stopped() && context.Cause(l.ctx) == ErrDraining {
		res.Error = interrupted(byEnd)
	}
	return outcomeOf(res, o.Pause, l.inputs(), l.refusals.Take())
}

// inputs are those of the run.
func (l *live) inputs() map[string]json.RawMessage {
	var q Request
	_ = json.Unmarshal(l.row.Request, &q) // it was written by this package
	return q.Inputs
}
