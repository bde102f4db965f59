package sessions

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
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

// open is the live of a session whose turn the caller has, made from what is written if it has none. It stays until the caller calls done.
func (m *Manager) open(ctx context.Context, t *ticket) (*live, error) {
	s := t.seat
	l, err := m.reserve(s)
	if l != nil || err != nil {
		return l, err
	}
	if l, err = m.load(ctx, s.tenant, s.id); err != nil {
		m.done(s)
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.live = l
	return l, nil
}

// reserve marks a session as busy. If it has no worker there is room for one then.
func (m *Manager) reserve(s *seat) (*live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
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
		return nil, fmt.Errorf("%w: %d sessions are in use", runs.ErrBusy, n)
	default:
		m.letGo(last)
		m.tidy(last)
	}
	s.busy = true
	return s.live, nil
}

// done ends the use of a live.
func (m *Manager) done(s *seat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.busy = false
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
func (m *Manager) load(ctx context.Context, tenant, id string) (_ *live, err error) {
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	l := &live{head: row.Head}
	if l.has, err = m.manifest(ctx, tenant, row.Head); err != nil {
		return nil, err
	}
	get := func(ctx context.Context, h store.Hash) ([]byte, error) { return m.o.Store.Blob(ctx, tenant, h) }
	if l.tree, err = newTree(ctx, l.has.Entries, get); err != nil {
		return nil, fmt.Errorf("its files: %w", err)
	}
	if l.box, err = m.o.Plans.Get(ctx, policies.Ref(row.Policy), ""); err != nil {
		return nil, fmt.Errorf("its policy: %w", err)
	}
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	if err := checkBox(l.box); err != nil { // it may be another one than when the session began
		return nil, err
	}
	if l.sandbox, err = l.box.Sandbox(ctx, tenant, l.tree); err != nil {
		return nil, err
	}
	if l.has.State == nil {
		l.session, err = l.sandbox.Session()
		return l, err
	}
	state, err := get(ctx, l.has.State.Hash)
	if err != nil {
		return nil, err
	}
	l.session, err = l.sandbox.LoadSession(bytes.NewReader(state))
	return l, err
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
	after = &manifest{Origin: l.has.Origin, Policy: l.has.Policy, State: c, Variables: variables(names), Skipped: map[string]string{}}
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
