package runs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// finishEach is how often an outcome is written that the disk does not take.
const finishEach = time.Second

// tellAfter is how long a client waits for what a ledger does not take that answers, or may soon: the election of a leader among servers of NATS takes less.
const tellAfter = 15 * time.Second

// finish writes what has become of a run. While the disk does not take it, as one that is full, it is tried again, until the server ends:
// the next start finds the run as one that went on. Meanwhile the run has a turn, so that few outcomes are in memory. One that was not written before
// is as one that was refused.
func (m *Manager) finish(l *live, row *store.Run) error {
	began := time.Now()
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
	defer m.unwritten.add(err)()
	for errors.Is(err, store.ErrDisk) {
		m.tell(l, began, err)
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
func (m *Manager) journal(ctx context.Context, l *live, text []byte) error {
	row, began := l.row, time.Now()
	for {
		err := m.o.Store.Begin(row.Tenant, row.ID, text)
		if !errors.Is(err, store.ErrDisk) {
			return err
		}
		m.o.Log.Warn("the beginning of a run is not written yet", "run", row.ID, "tenant", row.Tenant, "error", err)
		m.tell(l, began, err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(finishEach):
		}
	}
}

// tell has clients who wait for a run be told that the ledger does not take what is to be written of it, when that has lasted. Who looks after a
// disk that is full frees it, and they wait.
func (m *Manager) tell(l *live, began time.Time, err error) {
	if errors.Is(err, store.ErrCluster) && (time.Since(began) > tellAfter || m.reached() != nil) {
		l.overdue()
	}
}

// wait waits for the turn of a run in its session, which the ledger may have to give. Clients who wait for the run are told if that is away
// meanwhile.
func (m *Manager) wait(l *live, in *runner) {
	if in.cell == nil {
		return
	}
	has := make(chan struct{})
	defer close(has)
	go func() {
		for {
			select {
			case <-has:
				return
			case <-time.After(finishEach):
			}
			if m.reached() != nil {
				l.overdue()
				return
			}
		}
	}()
	in.cell.Wait(l.ctx)
}

// errUnwritten is the error of a client who waits for a run of which nothing can be written.
var errUnwritten = fmt.Errorf("%w: what becomes of the run is not written yet", store.ErrCluster)

// reached is why runs cannot be written now.
func (m *Manager) reached() error {
	if m.o.Reached == nil {
		return nil
	}
	return m.o.Reached()
}

// An unwritten is how many runs have ended, or wait, whose outcome is not written yet, and why.
type unwritten struct {
	mu  sync.Mutex
	n   int64
	err error // of the last one
}

func (u *unwritten) add(err error) (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
	u.err = err
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.n--
	}
}

// Unwritten is an error if runs have ended, or wait, whose outcome the disk or the ledger has not taken yet.
func (m *Manager) Unwritten() error {
	u := &m.unwritten
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n == 0 {
		return nil
	}
	return fmt.Errorf("the outcome of %d runs is not written yet: %w", u.n, u.err)
}
