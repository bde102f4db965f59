package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// maxQueue bounds who waits for one session.
const maxQueue = 64

// A seat is a session that somebody uses or waits for, or that has a worker. All is guarded by Manager.mu.
type seat struct {
	tenant, id string
	queue      []*ticket               // the first one has its turn
	live       *live                   // nil if it has no worker
	busy       bool                    // its live is in use, or is being made
	stop       context.CancelCauseFunc // ends its cell; nil if none runs
	used       time.Time
	gone       bool // it was deleted, or is to be loaded again

	worker, after string // elsewhere, that has it as the run after has made it; empty if none is known
}

// A ticket is a place in the queue of a session.
type ticket struct {
	m      *Manager
	seat   *seat
	policy string
	tools  string
	turn   chan struct{} // closed when it is its turn
	kept   *live         // what Run has used, with what it has become; for Written
	after  *manifest
	cell   *elsewhere // that a worker elsewhere does
}

// line takes a place in the queue of a session, unless another run than this one waits in it.
func (m *Manager) line(ctx context.Context, tenant, id, run string) (*ticket, error) {
	var row *store.Session
	var tools string
	err := m.look(ctx, tenant, id, func(r *store.Session, man *manifest) error { // it has no turn: another one may write meanwhile
		row, tools = r, man.Tools
		return nil
	})
	if err != nil {
		return nil, err
	}
	if row.Waits != "" && row.Waits != run {
		return nil, errHeld(row.Waits)
	}
	return m.place(&ticket{m: m, policy: row.Policy, tools: tools, turn: make(chan struct{})}, tenant, id)
}

// place puts a ticket at the end of the queue of a session.
func (m *Manager) place(t *ticket, tenant, id string) (*ticket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, runs.ErrDraining
	}
	s := m.seats[id]
	if s == nil {
		s = &seat{tenant: tenant, id: id, used: time.Now()}
		m.seats[id] = s
	}
	if len(s.queue) >= maxQueue {
		return nil, fmt.Errorf("%w: %d wait for this session", runs.ErrBusy, len(s.queue))
	}
	t.seat = s
	if s.queue = append(s.queue, t); len(s.queue) == 1 {
		close(t.turn)
	}
	return t, nil
}

// take is line and then its turn, for what changes the session.
func (m *Manager) take(ctx context.Context, tenant, id string) (*ticket, error) {
	t, err := m.line(ctx, tenant, id, "")
	if err != nil {
		return nil, err
	}
	if t.wait(ctx); !t.has() {
		t.Release()
		return nil, ctx.Err()
	}
	err = t.lease(ctx)
	if err == nil {
		err = t.free(ctx, "")
	}
	if err != nil {
		t.Release()
		return nil, err
	}
	return t, nil
}

// lease has the session be that of this server, for who has its turn. If it was not, its worker has an older state.
func (t *ticket) lease(ctx context.Context) error {
	fresh, err := t.m.o.Store.Lease(ctx, t.seat.tenant, t.seat.id)
	if err != nil || !fresh {
		return err
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	t.m.letGo(t.seat)
	t.seat.worker = ""
	return nil
}

// Idle waits until it is the turn of who asks for a session, whatever waits in it, and lets go of its worker. It is nobody's turn until
// end is called.
func (m *Manager) Idle(ctx context.Context, tenant, id string) (end func(), err error) {
	t, err := m.place(&ticket{m: m, turn: make(chan struct{})}, tenant, id)
	if errors.Is(err, runs.ErrDraining) { // nothing goes on in any session
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if t.wait(ctx); !t.has() {
		t.Release()
		return nil, ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.letGo(t.seat)
	return t.Release, nil
}

// free is an error if another run than this one has the session to itself.
func (t *ticket) free(ctx context.Context, run string) error {
	holder, err := t.m.o.Store.ExclusiveRun(ctx, t.seat.tenant, t.seat.id)
	if err == nil && holder != "" && holder != run {
		err = errHeld(holder)
	}
	return err
}

// errHeld is about a session in which a run waits.
func errHeld(run string) error {
	return store.InState("session: it waits, as its run %s is not over, and nothing else changes the session until then: answer its calls, or cancel it", run)
}

// Policy is the name of the policy of the session.
func (t *ticket) Policy() string { return t.policy }

// Tools are those of the session.
func (t *ticket) Tools() string { return t.tools }

// leaseAgain is when a session is asked for again that a cluster could not give.
const leaseAgain = time.Second

// Wait waits for its turn, and until the session is that of this server, or until ctx ends. A cluster that is gone has lost no cell: what uses
// the session says of any other error why it cannot.
func (t *ticket) Wait(ctx context.Context) {
	for t.wait(ctx); t.has() && errors.Is(t.lease(ctx), store.ErrCluster); {
		select {
		case <-time.After(leaseAgain):
		case <-ctx.Done():
			return
		}
	}
}

// wait waits for its turn, or until ctx ends.
func (t *ticket) wait(ctx context.Context) {
	select {
	case <-t.turn:
	case <-ctx.Done():
	}
}

// has reports that it is its turn.
func (t *ticket) has() bool {
	select {
	case <-t.turn:
		return true
	default:
		return false
	}
}

// Release gives up the place. The next one has its turn then.
func (t *ticket) Release() {
	m, s := t.m, t.seat
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.Index(s.queue, t)
	if at < 0 {
		return
	}
	s.queue = slices.Delete(s.queue, at, at+1)
	if at == 0 {
		s.used = time.Now()
		if s.gone {
			m.letGo(s)
		}
		if len(s.queue) > 0 {
			close(s.queue[0].turn)
		}
	}
	m.tidy(s)
}

// tidy forgets a session that nobody uses. The caller holds the lock.
func (m *Manager) tidy(s *seat) {
	if len(s.queue) == 0 && s.live == nil && s.worker == "" && m.seats[s.id] == s {
		delete(m.seats, s.id)
	}
}

// letGo ends the worker of a session. The caller holds the lock.
func (m *Manager) letGo(s *seat) {
	if s.live == nil {
		return
	}
	gone := s.live
	s.live, s.gone = nil, false
	m.ending.Go(gone.close)
	m.signal()
}
