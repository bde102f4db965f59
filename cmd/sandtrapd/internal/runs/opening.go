package runs

import (
	"errors"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// unwrittenFor is how long a run goes on before it is written down whose client is told at its end alone, and which does nothing outside: most
// end before that, and are written once. If the server is killed meanwhile it is as if the run had not come, of which nobody was told.
const unwrittenFor = 200 * time.Millisecond

// rowBytes is what a run counts, beside what it was sent.
const rowBytes = 512

// An opening is the row of a live run as it begins, which the store may not have yet.
type opening struct {
	mu      sync.Mutex
	row     *store.Run // nil if the store had it before the run was live
	written bool
	over    bool // what has become of the run is written instead
	timer   *time.Timer
}

// mayWait reports that a run need not be written down when it begins.
func mayWait(row *store.Run, in *runner) bool {
	return row.ToldAtEnd && row.Batch == "" && in.cell == nil && in.Portable() && !in.Waits()
}

// writeLater has a run be written down if it goes on for long. The error is about a tenant of which as much is kept as may be, with what is not
// written yet.
func (m *Manager) writeLater(l *live) error {
	sum := m.unwrittenOf(l, rowBytes+burdenOf(l.row).bytes)
	if l.row.Quota > 0 {
		if err := m.o.Limits.Room(l.ctx, l.row.Tenant, sum); err != nil {
			return err
		}
	}
	row := *l.row
	row.Quota = 0 // it has begun
	o := &l.opening
	o.mu.Lock()
	defer o.mu.Unlock()
	o.row = &row
	o.timer = time.AfterFunc(unwrittenFor, func() { _ = m.writeNow(l) })
	return nil
}

// writeNow writes a run down that somebody is told of, or that goes on for long. If the disk does not take it, it is tried again.
func (m *Manager) writeNow(l *live) error {
	o := &l.opening
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.row == nil || o.written || o.over {
		return nil
	}
	if err := m.o.Store.AddRuns(o.row); err != nil {
		m.o.Log.Warn("a run that goes on is not written yet", "run", l.row.ID, "tenant", l.row.Tenant, "error", err)
		if errors.Is(err, store.ErrDisk) {
			o.timer.Reset(finishEach)
		}
		return err
	}
	o.written = true
	o.timer.Stop()
	m.unwrittenOf(l, 0)
	return nil
}

// end has row, what has become of the run, be written in the place of its opening, or over it.
func (o *opening) end(row *store.Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.row == nil {
		return
	}
	o.over = true
	o.timer.Stop()
	row.Seq, row.Owner, row.Revision, row.Object, row.Unwritten = o.row.Seq, o.row.Owner, o.row.Revision, o.row.Object, !o.written
}

// unwrittenOf has n be the bytes of a live run that the store does not have yet. It returns those of all runs of the tenant.
func (m *Manager) unwrittenOf(l *live, n int64) (sum int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load.unwritten(l, n)
}
