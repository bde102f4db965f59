package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrLease is matched by errors about a session that another server has.
var ErrLease = fmt.Errorf("the session goes on in another server: %w", ErrState)

// Lease has a session be that of this server, as it always is without a ledger. See Ledger.Lease.
func (s *Store) Lease(context.Context, string, string) (fresh bool, err error) { return false, nil }

// PutSession has a session be as a ledger has it, with all its contents, unless what is here is as new.
func (s *Store) PutSession(r *Session, k *Kept) error {
	k.Revision = r.Revision
	return s.updateKept(k, func(tx *tx, k *Kept, staged string) error {
		var n int
		if err := tx.QueryRow(`SELECT count(*) FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, r.ID, r.Tenant).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return keepSession(tx, k, staged)
		}
		holder, err := hold(tx, "", staged, k)
		if err != nil {
			return err
		}
		one := *r
		err = addSession(tx, &one, holder)
		if taken(err, "session.seq") { // it is the last one then
			one.Seq = 0
			err = addSession(tx, &one, holder)
		}
		if errors.Is(err, ErrExists) { // one that was deleted, and the feed has not said so yet
			one.Name = ""
			err = addSession(tx, &one, holder)
		}
		return err
	})
}

// PutSnapshot has a snapshot be as a ledger has it, with all its contents.
func (s *Store) PutSnapshot(r *Snapshot, k *Kept) error {
	return s.updateKept(k, func(tx *tx, k *Kept, staged string) error {
		res, err := tx.Exec(`UPDATE snapshot SET revision = max(revision, ?) WHERE tenant = ? AND id = ?`, r.Revision, r.Tenant, r.ID)
		if err == nil {
			err = changed(res, nil)
		}
		if !errors.Is(err, ErrState) {
			if err == nil && staged != "" {
				err = loosen(tx, r.Tenant, staged)
			}
			return err
		}
		holder, err := hold(tx, "", staged, k)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO snapshot (id, tenant, session, policy, origin, created, head, bytes, holder, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.ID, r.Tenant, r.Session, r.Policy, r.Origin, r.Created.UnixNano(), r.Head[:], r.Bytes, holder, r.Revision)
		return err
	})
}

// Forget deletes a session, a snapshot or a batch that a ledger has no more since a revision, unless what is here is newer.
func (s *Store) Forget(id string, revision uint64) error {
	for _, kind := range []string{"session", "snapshot"} {
		var tenant string
		err := s.read.QueryRow(`SELECT tenant FROM `+kind+` WHERE id = ? AND revision != 0 AND revision < ?`, id, revision).Scan(&tenant)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = s.remove(kind, kind, tenant, id, func(*tx) error { return nil })
		}
		if err != nil && !errors.Is(err, ErrNone) {
			return err
		}
	}
	return s.update(func(tx *tx) error { // its runs have entries of their own
		if _, err := tx.Exec(`DELETE FROM batch WHERE id = ? AND revision != 0 AND revision < ?`, id, revision); err != nil {
			return err
		}
		return errors.Join(settle(tx, &Run{ID: id, Revision: revision}), went(tx, id, revision))
	})
}

// A Held is a session or a snapshot by its names.
type Held struct {
	Tenant, ID string
	Session    bool
	Revision   uint64
}

// HeldsIn are the sessions and snapshots with these revisions.
func (s *Store) HeldsIn(ctx context.Context, in Span) (list []Held, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT tenant, id, 1, revision FROM session WHERE `+inSpan+` UNION ALL SELECT tenant, id, 0, revision FROM snapshot WHERE `+inSpan, in.First, in.Last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Held
		if err := rows.Scan(&one.Tenant, &one.ID, &one.Session, &one.Revision); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// Contents are those that a session or a snapshot has, which are all of its head.
func (s *Store) Contents(ctx context.Context, tenant, id string) (hashes map[Hash]bool, err error) {
	var holder string
	err = s.read.QueryRowContext(ctx, `SELECT holder FROM session WHERE tenant = ?1 AND id = ?2 UNION ALL SELECT holder FROM snapshot WHERE tenant = ?1 AND id = ?2`, tenant, id).Scan(&holder)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("session: %w", ErrNone)
	}
	if err != nil {
		return nil, err
	}
	return uses(s.read, tenant, holder)
}

// WaitingRuns are the runs of a session that wait.
func (s *Store) WaitingRuns(ctx context.Context, tenant, session string) ([]Owned, error) {
	return s.owned(ctx, `run INDEXED BY run_session WHERE tenant = ? AND session = ? AND session != '' AND ended = 0 AND state = 'pending'`, tenant, session)
}

// Revise writes which revision a session or a snapshot that is here has in a ledger.
func (s *Store) Revise(h Held) error {
	kind := "snapshot"
	if h.Session {
		kind = "session"
	}
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(`UPDATE `+kind+` SET revision = ? WHERE tenant = ? AND id = ?`, h.Revision, h.Tenant, h.ID))
	})
}
