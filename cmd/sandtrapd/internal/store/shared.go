package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// A Change is a run or a batch as a ledger has it, which several servers share, or that the run is gone there.
type Change struct {
	Run   *Run   // with its artifacts, and its revision
	Gone  bool   // Run has its ID and the revision at which it went
	Batch *Batch // instead of Run
}

// Apply writes changes of a ledger, each unless what is here is as new. A change that is not synced is lost with the power, and the feed
// brings it again.
func (s *Store) Apply(synced bool, changes ...Change) error {
	return s.updateSynced(synced, func(tx *tx) error {
		for _, c := range changes {
			if err := apply(tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

func apply(tx *tx, c Change) error {
	if c.Batch != nil {
		return putBatch(tx, c.Batch)
	}
	r := c.Run
	if c.Gone {
		if _, err := tx.Exec(`DELETE FROM run WHERE id = ? AND revision < ?`, r.ID, r.Revision); err != nil {
			return err
		}
		return errors.Join(settle(tx, r), went(tx, r.ID, r.Revision))
	}
	var revision uint64
	err := tx.QueryRow(`SELECT revision FROM run WHERE tenant = ? AND id = ?`, r.Tenant, r.ID).Scan(&revision)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		var is bool
		if is, err = deleteAgain(tx, r.Tenant, r.ID, r.Created, r.Revision, r.Object); err != nil || is {
			return err
		}
		if err = settle(tx, r); err == nil {
			err = insert(tx, r)
		}
	case err == nil && revision < r.Revision:
		err = replace(tx, r)
	}
	return err
}

// Replace has a run that is here with a revision be as r is, which has a lower one if a ledger has lost its end.
func (s *Store) Replace(r *Run, before uint64) error {
	return s.update(func(tx *tx) error {
		var n int
		if err := tx.QueryRow(`SELECT count(*) FROM run WHERE tenant = ? AND id = ? AND revision = ?`, r.Tenant, r.ID, before).Scan(&n); err != nil || n == 0 {
			return err
		}
		return replace(tx, r)
	})
}

// settle forgets that a run was deleted here before a revision.
func settle(tx *tx, r *Run) error {
	_, err := tx.Exec(`DELETE FROM gone WHERE id = ? AND revision < ?`, r.ID, r.Revision)
	return err
}

// replace has a run be as r is, in its place in lists.
func replace(tx *tx, r *Run) error {
	ended, waits := r.times()
	if _, err := tx.Exec(`DELETE FROM artifact WHERE tenant = ? AND run = ?`, r.Tenant, r.ID); err != nil {
		return err
	}
	err := changed(tx.Exec(`UPDATE run SET state = ?, owner = ?, revision = ?, object = ?, part = ?, begins = ?, ended = ?, kind = ?, ticks = ?, peak = ?, duration = ?,
		result = ?, pending = ?, journal = ?, answers = ?, events = ?, stdout = ?, stderr = ?, waits = ? WHERE tenant = ? AND id = ?`,
		r.State, r.Owner, r.Revision, r.Object, r.Part, r.Begins, ended, r.Kind, r.Ticks, r.Peak, r.Duration,
		[]byte(r.Result), []byte(r.Pending), r.Journal, []byte(r.Answers), r.Events, r.ToldStdout, r.ToldStderr, waits, r.Tenant, r.ID))
	if err == nil {
		err = addArtifacts(tx, r)
	}
	return err
}

// insert adds a run as it is.
func insert(tx *tx, r *Run) error {
	one := *r
	_, waits := r.times()
	if err := insertAnywhere(tx, &one, waits); err != nil {
		return err
	}
	return addArtifacts(tx, r)
}

// insertAnywhere adds a run, without its key if another one has that.
func insertAnywhere(tx *tx, r *Run, waits int64) error {
	err := insertRun(tx, r, waits)
	if taken(err, "run.tenant, run.key") {
		r.Key = ""
		err = insertRun(tx, r, waits)
	}
	return err
}

// insertRun writes a row of a run, which waits since a time. If another run has its place in lists, it is the last one there.
func insertRun(tx *tx, r *Run, waits int64) error {
	err := insertAt(tx, r, waits)
	if taken(err, "run.seq") {
		r.Seq = 0
		err = insertAt(tx, r, waits)
	}
	return err
}

// taken reports that another row has the value of a unique column.
func taken(err error, column string) bool {
	return err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed: "+column)
}

// An Owned is a run by its names.
type Owned struct {
	Tenant, ID, Session string
	Revision            uint64
	Object              string
	Went                uint64 // the revision at which it went from a ledger; 0 if that is not known
}

// changedEach is how often a run is looked at that goes on in another process.
const changedEach = 100 * time.Millisecond

// Changed waits for a while, in which a run may have changed. See Ledger.Changed.
func (s *Store) Changed(ctx context.Context, _, _ string, _ uint64) {
	select {
	case <-time.After(changedEach):
	case <-ctx.Done():
	}
}

// Unfinished are the runs that go on, of a store that is in no ledger, the oldest first.
func (s *Store) Unfinished(ctx context.Context) ([]Owned, error) { return s.Running(ctx, "") }

// Running are the runs that go on in a server, the oldest first.
func (s *Store) Running(ctx context.Context, owner string) ([]Owned, error) {
	return s.owned(ctx, `run INDEXED BY run_owned WHERE state = 'running' AND owner = ? ORDER BY seq`, owner)
}

// Owners are the servers that runs go on in.
func (s *Store) Owners(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `SELECT DISTINCT owner FROM run INDEXED BY run_owned WHERE state = 'running' AND owner != ''`)
}

// Overdue are runs that wait since a time before this one, not too many.
func (s *Store) Overdue(ctx context.Context, before time.Time) ([]Owned, error) {
	return s.owned(ctx, `run WHERE state = 'pending' AND max(waits, created) < ? LIMIT ?`, before.UnixNano(), maxRemoved)
}

// RunsIn are the runs with these revisions, but for those that go on and are in no ledger.
func (s *Store) RunsIn(ctx context.Context, in Span) ([]Owned, error) {
	return s.owned(ctx, `run INDEXED BY run_revision WHERE `+inSpan+` AND (revision > 0 OR state != 'running')`, in.First, in.Last)
}

// Gone are runs and batches that were deleted here, and not in the ledger yet.
func (s *Store) Gone(ctx context.Context) ([]Owned, error) {
	return s.owned(ctx, `(SELECT *, '' AS session FROM gone LIMIT ?)`, maxRemoved)
}

// Settle notes that what was deleted here is not in the ledger any more.
func (s *Store) Settle(gone ...Owned) error {
	return s.updateSynced(false, func(tx *tx) error {
		for _, g := range gone {
			if _, err := tx.Exec(`DELETE FROM gone WHERE tenant = ? AND id = ? AND revision = ?`, g.Tenant, g.ID, g.Revision); err != nil {
				return err
			}
			if g.Went == 0 {
				continue
			}
			if err := went(tx, g.ID, g.Went); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) owned(ctx context.Context, from string, args ...any) (list []Owned, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT tenant, id, session, revision, object FROM `+from, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Owned
		if err := rows.Scan(&one.Tenant, &one.ID, &one.Session, &one.Revision, &one.Object); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}
