package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A live is a session with a worker.
type live struct {
	box     *plans.Box
	sandbox *sandtrap.Sandbox
	session *sandtrap.Session
	tree    afero.Fs
	has     *manifest // what is written of it
	head    store.Hash
	after   string // the run that has made it what it is, of one whose session is elsewhere
}

func (l *live) close() {
	if l.session != nil {
		_ = l.session.Close()
	}
	if l.sandbox != nil {
		_ = l.sandbox.Close()
	}
	l.box.Release()
}

// maxLoads bounds how often a session is loaded whose workers die.
const maxLoads = 5

// open is the live of a session whose turn the caller has, loaded if it has none. It stays until the caller calls done.
func (m *Manager) open(ctx context.Context, s *seat, load func() (*live, error)) (*live, error) {
	l, err := m.reserve(ctx, s)
	if l != nil || err != nil {
		return l, err
	}
	for tries := 1; ; tries++ {
		l, err = load()
		// A worker can have died while nobody used it. Loading runs no code, so that it can be done again.
		if !errors.Is(err, sandtrap.KindWorker) || tries == maxLoads {
			break
		}
	}
	if err != nil {
		m.done(s)
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.live = l
	return l, nil
}

// reserve marks a session as busy. If it has no worker it waits until there is room for one.
func (m *Manager) reserve(ctx context.Context, s *seat) (*live, error) {
	for {
		m.mu.Lock()
		if m.room(s) {
			s.busy = true
			l := s.live
			m.mu.Unlock()
			return l, nil
		}
		freed := m.freed
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// room makes room for a worker of a session that has none. It is false if all that have one are busy. The caller holds the lock.
func (m *Manager) room(s *seat) bool {
	n := 0
	var last *seat // the one that is idle for longest
	for _, other := range m.seats {
		if other.live != nil || other.busy {
			n++
		}
		if other.live != nil && !other.busy && other != s && (last == nil || other.used.Before(last.used)) {
			last = other
		}
	}
	switch {
	case s.live != nil || n < m.o.Live:
	case last == nil:
		return false
	default:
		m.letGo(last)
		m.tidy(last)
	}
	return true
}

// done ends the use of a live.
func (m *Manager) done(s *seat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.busy = false
	m.signal()
}

// signal tells those that wait for room that there may be some. The caller holds the lock.
func (m *Manager) signal() {
	close(m.freed)
	m.freed = make(chan struct{})
}

// lose ends a live whose worker is lost, or which is not what is written. The next use loads what is written.
func (m *Manager) lose(s *seat, l *live) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.live == l {
		m.letGo(s)
	}
}

// load makes a live from what is written of a session.
func (m *Manager) load(ctx context.Context, tenant, id string) (*live, error) {
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	man, err := m.manifest(ctx, tenant, row.Head)
	if err != nil {
		return nil, err
	}
	l := &live{has: man, head: row.Head}
	box := func() (*plans.Box, error) { return m.o.Plans.Get(ctx, policies.Ref(row.Policy), "") }
	get := func(ctx context.Context, h store.Hash) ([]byte, error) { return m.o.Store.Blob(ctx, tenant, h) }
	return l, l.load(ctx, tenant, box, get)
}

// load makes the worker of a live that has a manifest.
func (l *live) load(ctx context.Context, tenant string, box func() (*plans.Box, error), get fetch) (err error) {
	if l.tree, err = newTree(ctx, time.Time{}, l.has.Entries, get); err != nil {
		return fmt.Errorf("its files: %w", err)
	}
	if l.box, err = box(); err != nil {
		return fmt.Errorf("its policy: %w", err)
	}
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	if err := checkBox(l.box); err != nil { // it may be another one than when the session began
		return err
	}
	if l.box.Waits() {
		return errWaits
	}
	if l.sandbox, err = l.box.Sandbox(ctx, tenant, l.tree); err != nil {
		return err
	}
	if l.has.State == nil {
		l.session, err = l.sandbox.Session()
		return err
	}
	state, err := get(ctx, l.has.State.Hash)
	if err != nil {
		return err
	}
	l.session, err = l.sandbox.LoadSession(bytes.NewReader(state))
	return err
}

// become is what a session has become by a cell. New are the contents that it has not had. Warnings name variables whose values are not kept.
func (l *live) become() (after *manifest, new map[store.Hash][]byte, warnings []string, err error) {
	var state bytes.Buffer
	skipped, err := l.session.Save(&state)
	if err != nil {
		return nil, nil, nil, err
	}
	names, err := l.session.Bindings()
	if err != nil {
		return nil, nil, nil, err
	}
	c := &content{store.HashOf(state.Bytes()), int64(state.Len())}
	had := l.has.needed(l.head)
	new = map[store.Hash][]byte{}
	after = &manifest{Origin: l.has.Origin, Policy: l.has.Policy, Tools: l.has.Tools, State: c, Variables: variables(names), Skipped: map[string]string{}}
	if !had[c.Hash] {
		new[c.Hash] = state.Bytes()
	}
	for _, name := range sorted(skipped) {
		if _, told := l.has.Skipped[name]; !told {
			warnings = append(warnings, fmt.Sprintf("the variable %s is not kept: %s", name, skipped[name]))
		}
		if len(after.Skipped) < maxVariables {
			after.Skipped[clip(name)] = clip(skipped[name])
		}
	}
	after.Entries, err = list(l.tree, had, new)
	return after, new, warnings, err
}
