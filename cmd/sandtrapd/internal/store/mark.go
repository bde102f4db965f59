package store

import (
	"context"
	"math"
	"time"
)

// maxMarks bounds the marks that are kept, the newest ones.
const maxMarks = 256

// A Span is some revisions of a ledger, with the first and the last one.
type Span struct{ First, Last uint64 }

// Unshared is that of rows that are in no ledger.
var Unshared = Span{0, 0}

// After is those after a revision.
func After(revision uint64) Span { return Span{revision + 1, math.MaxInt64} }

// inSpan is the condition of a row. Its parameters are those of a span, which are the first two.
const inSpan = `revision BETWEEN ?1 AND ?2`

// A Mark is an entry of a ledger: its revision, and when the ledger has written it.
type Mark struct {
	Revision uint64
	Time     time.Time
}

// Mark notes that all of a ledger is here up to an entry.
func (s *Store) Mark(m Mark) error {
	return s.updateSynced(false, func(tx *tx) error {
		if _, err := tx.Exec(`UPDATE feed SET seq = ?`, m.Revision); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT OR REPLACE INTO mark (revision, time) VALUES (?, ?)`, m.Revision, m.Time.UnixNano()); err != nil {
			return err
		}
		if err := forgetDeleted(tx); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM mark WHERE revision <= (SELECT revision FROM mark ORDER BY revision DESC LIMIT 1 OFFSET ?)`, maxMarks)
		return err
	})
}

// Marks are those that are kept, the newest first, and up to which revision all of the ledger is here.
func (s *Store) Marks(ctx context.Context) (list []Mark, seq uint64, err error) {
	if err := s.read.QueryRowContext(ctx, `SELECT seq FROM feed`).Scan(&seq); err != nil {
		return nil, 0, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT revision, time FROM mark ORDER BY revision DESC`)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var m Mark
		var at int64
		if err := rows.Scan(&m.Revision, &at); err != nil {
			return nil, 0, err
		}
		m.Time = time.Unix(0, at)
		list = append(list, m)
	}
	return list, seq, rows.Err()
}

// Reset has the feed go on after a revision, where a ledger ends that has lost its end.
func (s *Store) Reset(seq uint64) error {
	return s.update(func(tx *tx) error {
		if _, err := tx.Exec(`DELETE FROM mark WHERE revision > ?`, seq); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE feed SET seq = ?`, seq)
		return err
	})
}
