package batches

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// How batches that were cancelled are ended: some at a time, each for a while. One whose runs do not end in that time is put aside, each time for
// longer, and others do not wait for it.
const (
	endFor    = 5 * time.Second
	endAtOnce = 8
	asideMost = time.Minute
)

// An aside is a batch that was put aside.
type aside struct {
	tries int
	next  time.Time // when it is tried again
}

// endCancelled ends batches that were cancelled, but for those that are aside. Work calls it alone.
func (m *Manager) endCancelled(list []*store.Batch) (err error) {
	for _, b := range list { // before any of them is waited for
		m.setStopped(Name{b.Tenant, b.ID})
	}
	asides, now := map[Name]aside{}, time.Now() // those that have ended are not among them
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, endAtOnce)
	for _, b := range list {
		of := Name{b.Tenant, b.ID}
		a := m.asides[of]
		if now.Before(a.next) {
			mu.Lock()
			asides[of] = a
			mu.Unlock()
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			late, failed := m.endWithin(b)
			mu.Lock()
			defer mu.Unlock()
			if err = errors.Join(err, failed); late {
				a.tries++
				a.next = time.Now().Add(min(endFor<<min(a.tries, 20), asideMost))
				asides[of] = a
			}
			<-slots
		})
	}
	all.Wait()
	m.asides = asides
	return err
}

// endWithin is endRuns for a while. It reports whether that was not enough.
func (m *Manager) endWithin(b *store.Batch) (late bool, err error) {
	ctx, cancel := context.WithTimeout(m.ctx, endFor)
	defer cancel()
	err = m.endRuns(ctx, b)
	return ctx.Err() != nil, err
}
