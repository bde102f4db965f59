package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Batch is a row of many runs that were sent together. Those that have begun have its ID, and the numbers of their lines.
type Batch struct {
	Seq                       int64
	ID, Tenant                string
	Key                       string   // of who must not send it twice; empty for none
	Digest                    [32]byte // SHA-256 of its lines
	Lines                     int
	Bytes                     int64     // of lines that are in no row of this store, until it has ended
	Created, Cancelled, Ended time.Time // the last two are zero before that
	Revision                  uint64    `cbor:"-"` // of its entry in the ledger; 0 if it has none
}

// ErrLines is matched by errors about a batch that has more lines than its tenant may have in batches that have not ended.
var ErrLines = errors.New("too many lines have no result yet")

// AddBatch writes a batch whose lines are kept. The error matches ErrExists if there is one of the tenant with the same Key, and ErrLines if
// more than most lines of the tenant would be in batches that have not ended.
func (s *Store) AddBatch(b *Batch, most int64) error {
	return s.update(func(tx *tx) error {
		if err := addBatch(tx, b); err != nil {
			return err
		}
		var lines int64
		if err := tx.QueryRow(openLines, b.Tenant).Scan(&lines); err != nil {
			return err
		}
		if lines > most {
			return fmt.Errorf("%d of %d: %w", lines, most, ErrLines)
		}
		return tight(tx, b.ID)
	})
}

func addBatch(tx *tx, b *Batch) error {
	key := sql.NullString{String: b.Key, Valid: b.Key != ""}
	seq := sql.NullInt64{Int64: b.Seq, Valid: b.Seq != 0}
	_, err := tx.Exec(`INSERT INTO batch (seq, id, tenant, key, digest, lines, bytes, created, cancelled, ended, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		seq, b.ID, b.Tenant, key, b.Digest[:], b.Lines, b.Bytes, b.Created.UnixNano(), sinceZero(b.Cancelled), sinceZero(b.Ended), b.Revision)
	if taken(err, "batch.tenant, batch.key") {
		return fmt.Errorf("a batch with this key: %w: %w", ErrExists, err)
	}
	return err
}

const openLines = `SELECT coalesce(sum(lines), 0) FROM batch INDEXED BY batch_open WHERE tenant = ? AND ended = 0`

// OpenLines is how many lines of a tenant are in batches that have not ended.
func (s *Store) OpenLines(ctx context.Context, tenant string) (n int64, err error) {
	err = s.read.QueryRowContext(ctx, openLines, tenant).Scan(&n)
	return n, err
}

const batchColumns = `seq, id, tenant, COALESCE(key, ''), digest, lines, bytes, created, cancelled, ended, revision`

func (b *Batch) scan(scan func(...any) error) error {
	var digest []byte
	var created, cancelled, ended int64
	if err := scan(&b.Seq, &b.ID, &b.Tenant, &b.Key, &digest, &b.Lines, &b.Bytes, &created, &cancelled, &ended, &b.Revision); err != nil {
		return err
	}
	copy(b.Digest[:], digest)
	b.Created = time.Unix(0, created).UTC()
	b.Cancelled, b.Ended = timeOf(cancelled), timeOf(ended)
	return nil
}

// Batch is the batch of a tenant, or of any with All.
func (s *Store) Batch(ctx context.Context, tenant, id string) (*Batch, error) {
	if tenant == All {
		return s.batch(ctx, `id = ?`, id)
	}
	return s.batch(ctx, `tenant = ? AND id = ?`, tenant, id)
}

// BatchByKey is the batch that a tenant has sent with a key.
func (s *Store) BatchByKey(ctx context.Context, tenant, key string) (*Batch, error) {
	return s.batch(ctx, `tenant = ? AND key = ?`, tenant, key)
}

func (s *Store) batch(ctx context.Context, where string, args ...any) (*Batch, error) {
	var b Batch
	err := b.scan(s.read.QueryRowContext(ctx, `SELECT `+batchColumns+` FROM batch WHERE `+where, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("batch: %w", ErrNone)
	}
	return &b, err
}

// Batches lists the batches of a tenant, the newest first. If there may be more of them next is the Before of their page.
func (s *Store) Batches(ctx context.Context, p Page) (list []*Batch, next int64, err error) {
	list, err = s.batches(ctx, `tenant = ? AND (? = 0 OR seq < ?) ORDER BY seq DESC LIMIT ?`, p.Tenant, p.Before, p.Before, p.Limit)
	if len(list) > 0 && len(list) == p.Limit {
		next = list[len(list)-1].Seq
	}
	return list, next, err
}

// OpenBatches are the oldest batches of a tenant that have not ended, after the one with the Seq after.
func (s *Store) OpenBatches(ctx context.Context, tenant string, after int64, limit int) ([]*Batch, error) {
	return s.batches(ctx, `tenant = ? AND ended = 0 AND seq > ? ORDER BY seq LIMIT ?`, tenant, after, limit)
}

func (s *Store) batches(ctx context.Context, where string, args ...any) (list []*Batch, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+batchColumns+` FROM batch WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b Batch
		if err := b.scan(rows.Scan); err != nil {
			return nil, err
		}
		list = append(list, &b)
	}
	return list, rows.Err()
}

// BatchTenants are those who have batches that have not ended.
func (s *Store) BatchTenants(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `SELECT DISTINCT tenant FROM batch INDEXED BY batch_open WHERE ended = 0`)
}

// CancelledBatches are those that were cancelled and have not ended.
func (s *Store) CancelledBatches(ctx context.Context) ([]*Batch, error) {
	return s.batches(ctx, `ended = 0 AND cancelled > 0`)
}

// CancelBatch has no more lines of a batch begin. One that has ended, or was cancelled, stays as it is.
func (s *Store) CancelBatch(tenant, id string, now time.Time) error {
	return s.update(func(tx *tx) error {
		_, err := tx.Exec(`UPDATE batch SET cancelled = ? WHERE tenant = ? AND id = ? AND cancelled = 0 AND ended = 0`, now.UnixNano(), tenant, id)
		return err
	})
}

// batchEnds is the condition that a batch of a tenant, the first two arguments, can end: each line has a result, or it was cancelled and no
// run of it goes on.
const batchEnds = `NOT EXISTS (SELECT 1 FROM run INDEXED BY run_batch WHERE tenant = ?1 AND batch = ?2 AND batch != '' AND state IN ('running', 'pending'))
	AND (cancelled > 0 OR lines = (SELECT count(*) FROM run INDEXED BY run_batch WHERE tenant = ?1 AND batch = ?2 AND batch != ''))`

// EndBatch notes that a batch has ended, if it has: each line has a result, or it was cancelled and no run of it goes on.
func (s *Store) EndBatch(tenant, id string, now time.Time) (ended bool, err error) {
	err = s.update(func(tx *tx) error {
		res, err := tx.Exec(`UPDATE batch SET ended = ?3 WHERE tenant = ?1 AND id = ?2 AND ended = 0 AND `+batchEnds, tenant, id, now.UnixNano())
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		ended = n > 0
		return err
	})
	return ended, err
}

// DeleteBatch deletes a batch that has ended, with its runs. The error matches ErrState if it has not.
func (s *Store) DeleteBatch(tenant, id string) error {
	err := s.update(func(tx *tx) error {
		var ended int64
		err := tx.QueryRow(`SELECT ended FROM batch WHERE tenant = ? AND id = ?`, tenant, id).Scan(&ended)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("batch: %w", ErrNone)
		case err != nil:
			return err
		case ended == 0:
			return InState("the batch has not ended: cancel it, and delete it then")
		}
		if _, err := tx.Exec(`DELETE FROM batch WHERE tenant = ? AND id = ?`, tenant, id); err != nil {
			return err
		}
		return loosen(tx, tenant, id)
	})
	if err != nil {
		return err
	}
	return s.sweep(tenant)
}

// removeBatches removes batches that have ended before a time, with their runs.
func (s *Store) removeBatches(ctx context.Context, before time.Time) (removed int64, err error) {
	list, err := s.batches(ctx, `ended > 0 AND ended < ? LIMIT ?`, before.UnixNano(), maxRemoved)
	for _, b := range list {
		if err := s.DeleteBatch(b.Tenant, b.ID); err != nil && !errors.Is(err, ErrNone) {
			return removed, err
		}
		removed += int64(b.Lines)
	}
	return removed, err
}
