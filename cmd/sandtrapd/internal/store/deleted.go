package store

import (
	"context"
	"time"
)

// maxDeleted bounds how much is known of what was deleted, the newest of it.
const maxDeleted = 50_000

// A Deleted is a run, a session, a snapshot or a batch that a ledger had, and that was deleted, here or at another server.
type Deleted struct {
	Tenant, ID string
	Created    time.Time
}

// Deleted is what went from a ledger after a revision, as far as it is known: a ledger that has lost its end may have it again.
func (s *Store) Deleted(ctx context.Context, after uint64) (list []Deleted, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT tenant, id, created FROM deleted WHERE revision > ? ORDER BY seq`, after)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Deleted
		var created int64
		if err := rows.Scan(&one.Tenant, &one.ID, &created); err != nil {
			return nil, err
		}
		one.Created = timeOf(created)
		list = append(list, one)
	}
	return list, rows.Err()
}

// WasDeleted reports that a thing was deleted, and not one that was made again under its ID.
func (s *Store) WasDeleted(ctx context.Context, d Deleted) (is bool, err error) {
	err = s.read.QueryRowContext(ctx, wasDeleted, d.ID, d.Tenant, d.Created.UnixNano()).Scan(&is)
	return is, err
}

const wasDeleted = `SELECT EXISTS (SELECT 1 FROM deleted WHERE id = ? AND tenant = ? AND created = ?)`

// deleteAgain reports that a run or a batch was deleted here that a ledger has, and has it be removed from there.
func deleteAgain(tx *tx, tenant, id string, created time.Time, revision uint64, object string) (is bool, err error) {
	if err = tx.QueryRow(wasDeleted, id, tenant, created.UnixNano()).Scan(&is); err == nil && is {
		_, err = tx.Exec(`INSERT OR REPLACE INTO gone (tenant, id, revision, object) VALUES (?, ?, ?, ?)`, tenant, id, revision, object)
	}
	return is, err
}

// went notes at which revision something went from a ledger.
func went(tx *tx, id string, revision uint64) error {
	_, err := tx.Exec(`UPDATE deleted SET revision = ? WHERE id = ?`, revision, id)
	return err
}

// forgetDeleted forgets what went before the marks that are kept, and what is too much.
func forgetDeleted(tx *tx) error {
	if _, err := tx.Exec(`DELETE FROM deleted WHERE revision <= (SELECT revision FROM mark ORDER BY revision DESC LIMIT 1 OFFSET ?)`, maxMarks); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM deleted WHERE seq <= (SELECT max(seq) FROM deleted) - ?`, maxDeleted)
	return err
}
