package sessions

import (
	"context"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A copying is what makes copies of one tenant, one after the other: else each would find the room that another one is about to take.
type copying struct {
	mu sync.Mutex
	n  int // who has it, or waits for it
}

// alone has a tenant make copies in one place at a time, until end is called.
func (m *Manager) alone(tenant string) (end func()) {
	m.mu.Lock()
	c := m.copied[tenant]
	if c == nil {
		c = &copying{}
		m.copied[tenant] = c
	}
	c.n++
	m.mu.Unlock()
	c.mu.Lock()
	return func() {
		c.mu.Unlock()
		m.mu.Lock()
		defer m.mu.Unlock()
		if c.n--; c.n == 0 {
			delete(m.copied, tenant)
		}
	}
}

// copy is an error if n more sessions or snapshots that have what is in man may not be kept, instead of what is in another one. Nothing else of
// the tenant is copied until end is called.
func (m *Manager) copy(ctx context.Context, tenant string, n int, man, instead *manifest) (end func(), err error) {
	more, err := m.copyBytes(man)
	if more *= int64(n); err == nil && instead != nil {
		var less int64
		less, err = m.copyBytes(instead)
		more -= less
	}
	if err != nil || more <= 0 {
		return func() {}, err
	}
	end = m.alone(tenant)
	if err := m.o.Room(ctx, tenant, more); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// copyBytes is how much a copy of man counts.
func (m *Manager) copyBytes(man *manifest) (int64, error) {
	text, _, err := man.encode()
	return m.o.Store.CopyBytes(man.bytes() + int64(len(text))), err
}

// copyOf is copy of what a session has.
func (m *Manager) copyOf(ctx context.Context, tenant, id string, n int) (end func(), err error) {
	var has *manifest
	err = m.look(ctx, tenant, id, func(_ *store.Session, man *manifest) error {
		has = man
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m.copy(ctx, tenant, n, has, nil)
}
