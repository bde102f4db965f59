package store

import (
	"context"
	"time"
)

// A Key is a row of a key. The token is not kept.
type Key struct {
	Hash         [32]byte // SHA-256 of the token
	Tenant, Role string
	Created      time.Time
}

// AddKey keeps a key.
func (s *Store) AddKey(k Key) error {
	return s.update(func(tx *tx) error {
		_, err := tx.Exec(`INSERT INTO key (hash, tenant, role, created) VALUES (?, ?, ?, ?)`, k.Hash[:], k.Tenant, k.Role, k.Created.UnixNano())
		return err
	})
}

// RemoveKey forgets a key. The error matches ErrState if it is not kept.
func (s *Store) RemoveKey(hash [32]byte) error {
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(`DELETE FROM key WHERE hash = ?`, hash[:]))
	})
}

// Keys are all of them.
func (s *Store) Keys(ctx context.Context) (list []Key, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT hash, tenant, role, created FROM key ORDER BY created, hash`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k Key
		var hash []byte
		var created int64
		if err := rows.Scan(&hash, &k.Tenant, &k.Role, &created); err != nil {
			return nil, err
		}
		copy(k.Hash[:], hash)
		k.Created = time.Unix(0, created).UTC()
		list = append(list, k)
	}
	return list, rows.Err()
}
