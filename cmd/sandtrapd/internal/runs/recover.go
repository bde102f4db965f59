package runs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// KindInterrupted is the kind of the error of a run that went on when the server ended, and cannot be repeated.
const KindInterrupted sandtrap.Kind = "interrupted"

// maxBegins bounds how often one part of a run is begun: one that ends the server each time is not to do so for ever.
const maxBegins = 3

// Why a run was interrupted.
const (
	byEnd   = "the server ended"
	byCut   = "its server ended, or was cut off from the cluster," // of a cluster, where nobody knows which
	byLoss  = "its workers were lost"
	byLease = "another server has taken its session"
)

func interrupted(by string) *sandtrap.Error {
	return &sandtrap.Error{
		Kind: KindInterrupted, Message: by + " while the run went on; what it has done until then is not known",
		Hint: "start it again, if that does no harm",
	}
}

// recover goes on with the runs that went on when the server ended, or ends them. Those that have tools go on with the answers that
// were acknowledged: until they wait they do nothing that cannot be repeated. So do those that have not begun, and lines of batches that open
// nothing. The others have failed, since they may have had effects.
func (m *Manager) recover(ctx context.Context) error {
	all, err := m.o.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, r := range all { // in their sessions the oldest one goes first
		if err := m.Recover(ctx, r.Tenant, r.ID, true); err != nil && !errors.Is(err, store.ErrState) { // another server has it since
			return err
		}
	}
	return nil
}

// Recover goes on with a run that goes on nowhere, as that of a server that has ended, or ends it. One that has not begun was written down as one
// that has, and refused then. The error matches store.ErrState if it goes on here.
func (m *Manager) Recover(ctx context.Context, tenant, id string, begun bool) error {
	row, err := m.o.Store.Run(ctx, tenant, id)
	if err != nil {
		return err
	}
	if m.goesOn(id) {
		return store.ErrState
	}
	if !begun {
		row.Begins = 0
	}
	again, in := m.again(ctx, row)
	if again == nil {
		return m.interrupt(row)
	}
	row.Begins++
	slot := m.o.Limits.Recover(tenant)
	l, err := m.begin(row, slot, in.repeats(row), true)
	if err == nil {
		if err = m.o.Store.SetBegins(tenant, id, row.Begins); err == nil {
			go again(l)
			return nil
		}
		err = m.refuse(l, err)
	}
	in.Release()
	return err
}

// goesOn reports that a run goes on here.
func (m *Manager) goesOn(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live[id] != nil
}

// again says how a run that was interrupted goes on; nil if it cannot.
func (m *Manager) again(ctx context.Context, row *store.Run) (goOn func(*live), in *runner) {
	var q Request
	var answers []Answer
	script, err := sandtrap.Script{}, json.Unmarshal(row.Request, &q)
	if err == nil {
		script, err = q.script()
	}
	if err == nil && len(row.Answers) > 0 {
		err = json.Unmarshal(row.Answers, &answers)
	}
	if err == nil && row.Begins >= maxBegins {
		return nil, nil
	}
	if err == nil {
		in, err = m.runnerOf(ctx, row, &q)
	}
	switch {
	case err != nil:
		m.o.Log.Error("a run that was interrupted cannot go on", "run", row.ID, "tenant", row.Tenant, "error", err)
	case len(row.Journal) > 0 && in.Repeats():
		return func(l *live) { m.resume(l, in, answers) }, in
	case atStart(row) && (row.Begins == 0 || in.repeats(row) || m.repeatable(in)):
		return func(l *live) { m.run(l, in, script) }, in
	default:
		in.Release()
	}
	return nil, nil
}

// atStart reports that a run has nothing behind it but what it can do again.
func atStart(row *store.Run) bool { return row.Part == 0 && row.Parent == "" }

// repeatable reports that a run is one for workers: it calls nothing outside, and can be done again as if its worker were lost.
func (m *Manager) repeatable(in *runner) bool {
	return m.o.Queue != nil && in.Portable() && in.cell == nil
}

// interrupt ends a run that cannot go on.
func (m *Manager) interrupt(row *store.Run) error {
	events, err := parseLines(row.Events)
	if err != nil {
		return err
	}
	log := newLog(events)
	log.leap()
	by := byEnd
	if m.o.Reached != nil {
		by = byCut
	}
	res := &sandtrap.Result{Error: interrupted(by)}
	row.State, row.Ended, row.Kind, row.Result, row.Pending, row.Journal = store.Failed, time.Now(), string(KindInterrupted), encode(runjson.Of(res)), nil, nil
	log.addResult(row.State, row.Result, "")
	row.Events = log.lines()
	return m.o.Store.Finish(row)
}

// errKept is the cause of the end of a run that goes on when the server has started again.
var errKept = errors.New("the server ends, and the run goes on when it has started again")

// Drain takes no more runs. Those that have not begun, and those that can be repeated from where they are, are kept, and go on when the server has
// started again, or in another server before. It waits for the others until ctx ends. Of those that have not come to their end then, those that workers
// can do anew are kept too, as if the server were killed, and the others end.
func (m *Manager) Drain(ctx context.Context) {
	m.mu.Lock()
	m.draining = true
	all := len(m.live)
	m.mu.Unlock()
	kept := m.keepAll(func(l *live) bool { return l.repeats || !l.begun })
	if all > 0 {
		m.o.Log.Info("the server ends: runs are kept that go on later, and others waited for", "kept", kept, "waits", all-kept)
	}
	ended := make(chan struct{})
	go func() { m.group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		m.mu.Lock()
		all = len(m.live)
		m.mu.Unlock()
		kept = m.keepAll(func(l *live) bool { return l.anew })
		m.o.Log.Warn("runs go on when no time is left for them: those that workers can do anew are kept, and others fail", "kept", kept, "fail", all-kept)
		m.stop(ErrDraining)
		<-ended
	}
	m.stop(ErrDraining)
}

// keepAll has some of the live runs be kept, and is how many they are.
func (m *Manager) keepAll(some func(*live) bool) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.live {
		if some(l) {
			l.cancel(errKept)
			n++
		}
	}
	return n
}

// keep leaves a run on disk as it is there: it goes on from there.
func (m *Manager) keep(l *live) {
	l.after = l.row
	if l.err = m.writeNow(l); l.err == nil {
		l.err = m.o.Store.SetBegins(l.row.Tenant, l.row.ID, 0)
	}
	if l.err != nil {
		m.o.Log.Error("a run could not be kept", "run", l.row.ID, "tenant", l.row.Tenant, "error", l.err)
	}
}

// Draining reports that no more runs are taken.
func (m *Manager) Draining() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.draining
}
