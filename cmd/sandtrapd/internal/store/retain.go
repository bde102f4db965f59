package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// A Retention says what is kept, and for how long. A value of 0 is no bound.
type Retention struct {
	Age     time.Duration // of runs, after their end
	Count   int           // of runs of a tenant that have ended
	Pending time.Duration // of runs that wait: those that have waited longer have failed

	// Kind and Result are those of runs that have waited too long.
	Kind   string
	Result json.RawMessage
}

// maxRemoved bounds how many rows one write removes, so that other writes need not wait long.
const maxRemoved = 100

// unreferenced are runs that nothing that is kept refers to: no fork of them.
const unreferenced = ` AND NOT EXISTS (SELECT 1 FROM run AS fork WHERE fork.tenant = run.tenant AND fork.parent = run.id AND fork.parent != '')`

// Retain removes runs that need not be kept any more, but none that waits, goes on, or has a fork that is kept, and has runs that have
// waited too long fail. Runs of a batch stay as long as the batch. It returns how many it removed, and how many failed. Other writes come in between.
func (s *Store) Retain(ctx context.Context, now time.Time, r Retention) (removed, failed int64, err error) {
	if r.Pending > 0 {
		failed, err = s.repeat(ctx, `UPDATE run SET state = ?, ended = ?, kind = ?, result = ?, pending = NULL, journal = NULL WHERE seq IN
			(SELECT seq FROM run WHERE state = 'pending' AND max(waits, created) < ? LIMIT ?)`, Failed, now.UnixNano(), r.Kind, []byte(r.Result), now.Add(-r.Pending).UnixNano(), maxRemoved)
	}
	if err == nil && r.Age > 0 {
		removed, err = s.repeat(ctx, `DELETE FROM run WHERE seq IN (SELECT seq FROM run INDEXED BY run_ended WHERE ended > 0 AND ended < ? AND batch = ''`+unreferenced+` LIMIT ?)`,
			now.Add(-r.Age).UnixNano(), maxRemoved)
	}
	if err == nil && r.Age > 0 {
		var n int64
		n, err = s.removeBatches(ctx, now.Add(-r.Age))
		removed += n
	}
	if err != nil {
		return removed, failed, err
	}
	tenants, err := s.texts(ctx, `SELECT tenant FROM usage`) // those of whom anything is kept
	for _, tenant := range tenants {
		if err != nil || r.Count <= 0 {
			break
		}
		var n int64
		n, err = s.removeBeyond(ctx, tenant, r.Count)
		removed += n
	}
	if err == nil {
		_, err = s.repeat(ctx, `DELETE FROM spent WHERE (tenant, minute) IN (SELECT tenant, minute FROM spent WHERE minute < ? LIMIT ?)`, now.Unix()/60-24*60, maxRemoved)
	}
	if err == nil {
		err = s.free(ctx)
	}
	return removed, failed, err
}

// removeBeyond removes runs of a tenant that have ended, but for the newest ones.
func (s *Store) removeBeyond(ctx context.Context, tenant string, count int) (int64, error) {
	var last int64 // of those that are too many
	err := s.read.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM run INDEXED BY run_tenant WHERE tenant = ? AND ended > 0 AND batch = '' ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)`, tenant, count).Scan(&last)
	if err != nil || last == 0 {
		return 0, err
	}
	return s.repeat(ctx, `DELETE FROM run WHERE seq IN (SELECT seq FROM run INDEXED BY run_tenant WHERE tenant = ? AND seq <= ? AND ended > 0 AND batch = ''`+unreferenced+` LIMIT ?)`, tenant, last, maxRemoved)
}

// repeat does a statement, each time in a write of its own, until it changes nothing or ctx ends. It returns how many rows it changed.
func (s *Store) repeat(ctx context.Context, statement string, args ...any) (sum int64, err error) {
	for ctx.Err() == nil {
		var n int64
		err := s.update(func(tx *tx) error {
			res, err := tx.Exec(statement, args...)
			if err != nil {
				return err
			}
			n, err = res.RowsAffected()
			return err
		})
		if err != nil || n == 0 {
			return sum, err
		}
		sum += n
	}
	return sum, ctx.Err()
}

// free gives pages that nothing is in any more back to the file system, a thousand in each write.
func (s *Store) free(ctx context.Context) error {
	for ctx.Err() == nil {
		var pages int64
		if err := s.read.QueryRowContext(ctx, `PRAGMA freelist_count`).Scan(&pages); err != nil || pages == 0 {
			return err
		}
		before := pages
		err := s.update(func(tx *tx) error {
			rows, err := tx.Query(`PRAGMA incremental_vacuum(1000)`)
			if err != nil {
				return err
			}
			for rows.Next() { // each step frees a page
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return err
			}
			return tx.QueryRow(`PRAGMA freelist_count`).Scan(&pages)
		})
		if err != nil || pages >= before { // a file of before that cannot
			return err
		}
	}
	return ctx.Err()
}
