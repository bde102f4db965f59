package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrQuota is matched by errors about a write that would keep more bytes of a tenant than it may have.
var ErrQuota = errors.New("too many bytes are kept")

// maxUsages bounds how many tenants' bytes are kept in memory.
const maxUsages = 1024

const bytesOf = `SELECT bytes + max(0, shared - contents) FROM usage WHERE tenant = ?`

// Bytes is how much is kept of a tenant: of its runs what they were sent, their results, events, journals and artifacts, and the contents
// of its sessions and snapshots, each once; of those that are in a ledger as often as they are there. Rows count too.
func (s *Store) Bytes(ctx context.Context, tenant string) (n int64, err error) {
	at := s.counts.commits.Load() // before it reads: what is read has all commits that somebody was told of
	if n, ok := s.usages.get(at, tenant); ok {
		return n, nil
	}
	stmt, err := s.prepared(ctx, bytesOf)
	if err != nil {
		return 0, err
	}
	if err := stmt.QueryRowContext(ctx, tenant).Scan(&n); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	s.usages.put(at, tenant, n)
	return n, nil
}

// usages are the bytes that are kept of tenants, until the next commit: many runs begin between two.
type usages struct {
	mu    sync.Mutex
	at    int64 // commits there were
	bytes map[string]int64
}

func (u *usages) get(at int64, tenant string) (n int64, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == at {
		n, ok = u.bytes[tenant]
	}
	return n, ok
}

func (u *usages) put(at int64, tenant string, n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at != at || u.bytes == nil {
		u.at, u.bytes = at, map[string]int64{}
	}
	if len(u.bytes) < maxUsages {
		u.bytes[tenant] = n
	}
}

// within is an error if more is kept of a tenant than quota.
func within(tx *tx, tenant string, quota int64) error {
	var n int64
	if err := tx.QueryRow(bytesOf, tenant).Scan(&n); err != nil {
		return err
	}
	if n > quota {
		return fmt.Errorf("%d of %d: %w", n, quota, ErrQuota)
	}
	return nil
}

// Waiting is how many runs of a tenant wait.
func (s *Store) Waiting(ctx context.Context, tenant string) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM run INDEXED BY run_pending WHERE tenant = ? AND state = 'pending'`, tenant).Scan(&n)
	return n, err
}

// A Spent is how long the runs of a tenant took that ended in a minute, or began to wait.
type Spent struct {
	Tenant string
	Minute int64 // Unix time in minutes
	Time   time.Duration
}

// spend notes a time in the minute of now.
func spend(tx *tx, tenant string, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	_, err := tx.Exec(`INSERT INTO spent (tenant, minute, ns) VALUES (?, ?, ?) ON CONFLICT (tenant, minute) DO UPDATE SET ns = ns + excluded.ns`,
		tenant, time.Now().Unix()/60, d)
	return err
}

// Spent is what was spent from a minute on.
func (s *Store) Spent(ctx context.Context, from int64) (list []Spent, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT tenant, minute, ns FROM spent WHERE minute >= ?`, from)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Spent
		if err := rows.Scan(&one.Tenant, &one.Minute, &one.Time); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}
