package runs

import (
	"context"
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// finishEach is how often an outcome is written that the disk does not take.
const finishEach = time.Second

// finish writes what has become of a run. While the disk does not take it, as one that is full, it is tried again, until the server ends:
// the next start finds the run as one that went on. Meanwhile the run has a turn, so that few outcomes are in memory. One that was not written before
// is as one that was refused.
func (m *Manager) finish(row *store.Run) error {
	err := m.o.Store.Finish(row)
	if !errors.Is(err, store.ErrDisk) {
		return err
	}
	if row.Unwritten && m.o.Stop == nil { // nobody was told of it, and it did nothing outside; a ledger may have it all the same
		return err
	}
	m.o.Log.Warn("the outcome of a run is not written yet", "run", row.ID, "tenant", row.Tenant, "error", err)
	m.turns.Hold(row.Tenant)
	defer m.turns.Give(row.Tenant)
	m.unwritten.Add(1)
	defer m.unwritten.Add(-1)
	for errors.Is(err, store.ErrDisk) {
		select {
		case <-m.base.Done():
			return err
		case <-time.After(finishEach):
		}
		err = m.o.Store.Finish(row)
	}
	return err
}

// journal writes the beginning of the journal of a run. While the disk does not take it, or the ledger cannot be reached, it is tried again, as
// an outcome is, until ctx ends: nothing of the run was done yet, and it need not fail for that.
func (m *Manager) journal(ctx context.Context, row *store.Run, text []byte) error {
	for {
		err := m.o.Store.Begin(row.Tenant, row.ID, text)
		if !errors.Is(err, store.ErrDisk) {
			return err
		}
		m.o.Log.Warn("the beginning of a run is not written yet", "run", row.ID, "tenant", row.Tenant, "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(finishEach):
		}
	}
}

// Unwritten is how many runs have ended, or wait, whose outcome the disk has not taken yet.
func (m *Manager) Unwritten() int64 { return m.unwritten.Load() }
