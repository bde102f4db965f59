package batches

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	lostAfter = 10 * time.Second // that nothing of a batch has changed here, before its lines are looked for
	sweepEach = time.Hour
	sweptFor  = time.Hour // no batch takes so long to come from one line to the next
)

// queued is an error if the lines of a tenant that wait have too many bytes with n more.
func (m *Manager) queued(ctx context.Context, tenant string, n int64) (err error) {
	if m.o.Queue.Counts() { // the data directory of one server, whose bounds are those of all that is kept
		return nil
	}
	m.mu.Lock()
	all := n + m.coming[tenant]
	m.mu.Unlock()
	for after := int64(0); err == nil && all <= m.o.Queued; {
		var list []*store.Batch
		if list, err = m.o.Store.OpenBatches(ctx, tenant, after, 100); len(list) == 0 {
			return err
		}
		for _, b := range list {
			after, all = b.Seq, all+b.Bytes
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: the lines of batches that wait may have %d MiB in all", runs.ErrBusy, m.o.Queued>>20)
	}
	return err
}

// comes notes how many bytes of lines come of a tenant whose batch is not there yet.
func (m *Manager) comes(tenant string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.coming[tenant] += n; m.coming[tenant] == 0 {
		delete(m.coming, tenant)
	}
}

// lost gives up lines of a batch that the queue does not have, and that have no run: nobody would end the batch.
func (f *feeder) lost(b *store.Batch) error {
	of := Name{b.Tenant, b.ID}
	if left, err := f.o.Queue.Left(f.ctx, of); err != nil || left {
		return err
	}
	next := 1
	giveUp := func(before int) error {
		for ; next < before && f.ctx.Err() == nil; next++ {
			q := (&Line{}).request(of, next)
			if err := f.giveUp(q, Item{Number: next, Done: func() error { return nil }}, "the queue has lost it"); err != nil {
				return err
			}
		}
		return f.ctx.Err()
	}
	for {
		list, err := f.o.Store.RunsOf(f.ctx, b.Tenant, b.ID, next-1)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return giveUp(b.Lines + 1)
		}
		for _, r := range list {
			if err := giveUp(r.Line); err != nil { // one that has a run which is not here yet keeps it
				return err
			}
			next = r.Line + 1
		}
	}
}

// sweep forgets lines of batches that never came, until Stop.
func (m *Manager) sweep() {
	for m.ctx.Err() == nil {
		n, err := m.o.Queue.Sweep(m.ctx, sweptFor, func(batch string) (bool, error) {
			_, err := m.o.Store.Batch(m.ctx, store.All, batch)
			if errors.Is(err, store.ErrNone) {
				return false, nil
			}
			return true, err
		})
		if n > 0 {
			m.o.Log.Info("lines of batches that never came were deleted", "batches", n)
		}
		if err != nil && m.ctx.Err() == nil {
			m.o.Log.Warn("lines of batches that never came are not all deleted", "error", err)
		}
		m.pause(sweepEach)
	}
}
