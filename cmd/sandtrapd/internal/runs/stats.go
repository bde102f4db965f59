package runs

import (
	"context"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Stats are how many runs go on, and how many wait for their turn.
type Stats struct{ Running, Queued int }

// Stats are those of now.
func (m *Manager) Stats() Stats {
	m.mu.Lock()
	all := len(m.live)
	m.mu.Unlock()
	queued := 0
	for _, q := range m.Queues() {
		queued += q.Stats().Queued
	}
	queued = min(all, queued)
	return Stats{Running: all - queued, Queued: queued}
}

// Queues are where runs wait for their turn: that of this process, and that of workers, if there are some.
func (m *Manager) Queues() []dispatch.Queue {
	if m.o.Queue == nil {
		return []dispatch.Queue{m.here}
	}
	return []dispatch.Queue{m.here, m.o.Queue}
}

// A Watcher is told of each part of a run, which goes up to its end or a wait. It is called from any goroutine, and returns soon.
type Watcher interface {
	// Began is told of the run, and of the context of the request that has begun it, or had it go on.
	Began(ctx context.Context, r *store.Run)

	// Ended is told what has become of it, when that is on disk.
	Ended(r *store.Run)
}

// nobody is the Watcher where there is none.
type nobody struct{}

func (nobody) Began(context.Context, *store.Run) {}
func (nobody) Ended(*store.Run)                  {}
