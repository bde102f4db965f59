package store

import (
	"context"
	"database/sql"
	"errors"
)

// PutBatch has a batch be as a ledger has it, unless what is here is as new.
func (s *Store) PutBatch(b *Batch) error {
	return s.update(func(tx *tx) error { return putBatch(tx, b) })
}

func putBatch(tx *tx, b *Batch) error {
	var revision uint64
	err := tx.QueryRow(`SELECT revision FROM batch WHERE tenant = ? AND id = ?`, b.Tenant, b.ID).Scan(&revision)
	if errors.Is(err, sql.ErrNoRows) {
		if is, err := deleteAgain(tx, b.Tenant, b.ID, b.Created, b.Revision, ""); err != nil || is {
			return err
		}
		return insertBatch(tx, b)
	}
	if err != nil || revision >= b.Revision {
		return err
	}
	return replaceBatch(tx, b)
}

// ReplaceBatch has a batch that is here be as b is, whatever its revision.
func (s *Store) ReplaceBatch(b *Batch) error {
	return s.update(func(tx *tx) error { return replaceBatch(tx, b) })
}

func replaceBatch(tx *tx, b *Batch) error {
	return changed(tx.Exec(`UPDATE batch SET cancelled = ?, ended = ?, revision = ? WHERE tenant = ? AND id = ?`, sinceZero(b.Cancelled), sinceZero(b.Ended), b.Revision, b.Tenant, b.ID))
}

// BatchesIn are those with these revisions.
func (s *Store) BatchesIn(ctx context.Context, in Span) ([]*Batch, error) {
	return s.batches(ctx, inSpan, in.First, in.Last)
}

// insertBatch adds a batch at its place in lists. If another one has this place, or its key, it is the last one then, or has no key.
func insertBatch(tx *tx, b *Batch) error {
	one := *b
	err := addBatch(tx, &one)
	if taken(err, "batch.seq") {
		one.Seq = 0
		err = addBatch(tx, &one)
	}
	if errors.Is(err, ErrExists) { // one that was deleted, and the feed has not said so yet
		one.Key = ""
		err = addBatch(tx, &one)
	}
	return err
}

// BatchEnds reports whether a batch has ended, or can: see EndBatch.
func (s *Store) BatchEnds(ctx context.Context, tenant, id string) (ends bool, err error) {
	var n int
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM batch WHERE tenant = ?1 AND id = ?2 AND (ended > 0 OR `+batchEnds+`)`, tenant, id).Scan(&n)
	return n > 0, err
}
