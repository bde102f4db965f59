package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Options are for all sessions of a server.
type Options struct {
	Plans *plans.Set
	Store Store
	Room  func(ctx context.Context, tenant string, n int64) error // is an error if no n bytes more of a tenant may be kept; nil for no bound
	Idle  time.Duration                                           // after which a session that nobody uses is let go with its worker; 0 is five minutes
	Live  int                                                     // how many have workers at a time: the one that is idle for longest gives way. 0 is 16
	Held  int64                                                   // bytes of files that are on their way from or to clients, in all; 0 is 512 MiB
}

// A Manager has the sessions of a server. It is safe for concurrent use.
type Manager struct {
	o      Options
	held   held
	stop   chan struct{}
	ending sync.WaitGroup // workers and the watch for idle sessions

	mu     sync.Mutex
	seats  map[string]*seat // by ID
	freed  chan struct{}    // closed when a session is busy no more, or has no worker any more
	closed bool
	copied map[string]*copying // by tenant
}

// New is a manager of the sessions in a store.
func New(o Options) *Manager {
	if o.Room == nil {
		o.Room = func(context.Context, string, int64) error { return nil }
	}
	o.Idle, o.Live, o.Held = cmp.Or(o.Idle, 5*time.Minute), cmp.Or(o.Live, 16), cmp.Or(o.Held, 512<<20)
	m := &Manager{o: o, stop: make(chan struct{}), seats: map[string]*seat{}, freed: make(chan struct{}), copied: map[string]*copying{}}
	m.held.most, m.held.by = o.Held, map[string]int64{}
	m.ending.Go(m.watch)
	return m
}

// watch lets idle sessions go.
func (m *Manager) watch() {
	tick := time.NewTicker(max(m.o.Idle/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			m.LetGo(m.o.Idle)
		case <-m.stop:
			return
		}
	}
}

// LetGo ends the workers of sessions that nobody has used for so long. They are loaded when they are used again.
func (m *Manager) LetGo(idle time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.seats {
		if len(s.queue) == 0 && time.Since(s.used) >= idle {
			s.worker = ""
			m.letGo(s)
			m.tidy(s)
		}
	}
}

// Live is how many sessions have workers.
func (m *Manager) Live() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.seats {
		if s.live != nil {
			n++
		}
	}
	return n
}

// Close ends all workers. No run may go on in a session, and none begins any more.
func (m *Manager) Close() {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.closed = true
	close(m.stop)
	for _, s := range m.seats {
		m.letGo(s)
	}
	m.mu.Unlock()
	m.ending.Wait()
}

// A Request makes a session.
type Request struct {
	Name     string `json:"name,omitempty"` // no two sessions of a tenant have the same
	Policy   string `json:"policy,omitempty"`
	Tools    string `json:"tools,omitempty"`    // Go declarations of functions whose calls wait for answers, in all runs of the session
	Snapshot string `json:"snapshot,omitempty"` // that it begins with
}

// maxSessionName bounds the name of a session, in bytes.
const maxSessionName = 100

// Create makes a session of a tenant. The error matches store.ErrExists if it has one of this name.
func (m *Manager) Create(ctx context.Context, tenant string, q Request) (View, error) {
	if len(q.Name) > maxSessionName {
		return View{}, fmt.Errorf("%w: name: it has %d bytes; the limit is %d", runs.ErrRequest, len(q.Name), maxSessionName)
	}
	id, now := runs.NewID("ses"), time.Now()
	man := &manifest{Origin: id, Policy: q.Policy, Tools: q.Tools}
	if q.Snapshot != "" {
		var err error
		if man, err = m.snapshot(ctx, tenant, q.Snapshot); err != nil {
			return View{}, err
		}
		if !plans.Names(q.Policy, policies.Ref(man.Policy)) {
			return View{}, fmt.Errorf("%w: policy: the snapshot is of a session with the policy %s", runs.ErrRequest, man.Policy)
		}
		if q.Tools != "" && q.Tools != man.Tools {
			return View{}, fmt.Errorf("%w: tools: the snapshot is of a session with other tools: leave them out", runs.ErrRequest)
		}
	}
	if err := m.checkPolicy(ctx, tenant, man); err != nil {
		return View{}, err
	}
	k, err := man.kept(tenant, id)
	if err != nil {
		return View{}, err
	}
	row := &store.Session{
		ID: id, Tenant: tenant, Name: q.Name, Policy: man.Policy, Origin: man.Origin, Created: now, Used: now, Head: k.Head, Bytes: k.Bytes,
	}
	end, err := m.copy(ctx, tenant, 1, man, nil)
	if err != nil {
		return View{}, err
	}
	defer end()
	if err := m.o.Store.AddSession(row, k); err != nil {
		return View{}, err
	}
	return m.view(row, man), nil
}

// checkPolicy checks that a tenant can have sessions with the policy of a manifest, which gets its version, and with its tools.
func (m *Manager) checkPolicy(ctx context.Context, tenant string, man *manifest) error {
	ref, err := m.o.Plans.Resolve(ctx, tenant, man.Policy)
	if errors.Is(err, policies.ErrUnknown) {
		return fmt.Errorf("%w: policy: %w", runs.ErrRequest, err)
	} else if err != nil {
		return err
	}
	man.Policy = string(ref)
	if err := m.o.Plans.Admit(tenant, man.Tools); errors.Is(err, plans.ErrTools) {
		return err
	} else if err != nil {
		return fmt.Errorf("%w: %w", runs.ErrRequest, err)
	}
	box, err := m.o.Plans.Get(ctx, ref, man.Tools)
	if err != nil {
		return fmt.Errorf("%w: policy: %w", runs.ErrRequest, err)
	}
	defer box.Release()
	return checkBox(box)
}

func checkBox(box *plans.Box) error {
	switch {
	case box.NeedsState():
		return fmt.Errorf("%w: policy: its rules depend on earlier calls, which a session has forgotten when its worker has ended: use a policy without such rules, or runs without a session", runs.ErrRequest)
	case !box.HasFiles():
		return fmt.Errorf("%w: policy: sessions need files in memory, and this policy gives scripts none, or those of a directory", runs.ErrRequest)
	}
	return nil
}

// kept is m, to be written.
func (m *manifest) kept(tenant, session string) (*store.Kept, error) {
	text, hash, err := m.encode()
	if err != nil {
		return nil, err
	}
	return &store.Kept{
		Tenant: tenant, Session: session, Head: hash, Needed: m.needed(hash), New: map[store.Hash][]byte{hash: text}, Bytes: m.bytes(), Used: time.Now(),
	}, nil
}

// Delete deletes a session, and ends its cell. Its snapshots stay.
func (m *Manager) Delete(ctx context.Context, tenant, id string) error {
	kind, result := runs.Ended(failed(sandtrap.KindCancelled, errDeleted.Error()))
	if err := m.o.Store.DeleteSession(tenant, id, kind, result); err != nil {
		return err
	}
	m.Deleted(id)
	return nil
}

// Deleted ends the cell of a session that was deleted.
func (m *Manager) Deleted(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.seats[id]
	if s == nil {
		return
	}
	if s.gone = true; s.stop != nil {
		s.stop(errDeleted)
	}
	if s.worker = ""; len(s.queue) == 0 {
		m.letGo(s)
		m.tidy(s)
	}
}

var errDeleted = fmt.Errorf("the session was deleted")
