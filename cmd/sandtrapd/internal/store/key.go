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
	Revoked      bool // then it has its hash and its revision alone

	Revision uint64 `cbor:"-"` // in a ledger; 0 if it is in none
}

// AddKey keeps a key.
func (s *Store) AddKey(k Key) error {
	return s.update(func(tx *tx) error { return addKey(tx, k) })
}

func addKey(tx *tx, k Key) error {
	_, err := tx.Exec(`INSERT INTO key (hash, tenant, role, created, revision) VALUES (?, ?, ?, ?, ?)`, k.Hash[:], k.Tenant, k.Role, k.Created.UnixNano(), k.Revision)
	return err
}

// RemoveKey revokes a key. The error matches ErrState if it is not kept. Its hash stays, so that a ledger learns of it.
func (s *Store) RemoveKey(hash [32]byte) error {
	return s.update(func(tx *tx) error {
		if err := changed(tx.Exec(`DELETE FROM key WHERE hash = ?`, hash[:])); err != nil {
			return err
		}
		return revoke(tx, Key{Hash: hash})
	})
}

func revoke(tx *tx, k Key) error {
	_, err := tx.Exec(`INSERT INTO revoked (hash, revision) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET revision = max(revision, excluded.revision)`, k.Hash[:], k.Revision)
	return err
}

// PutKey has a key be as a ledger has it. One that was revoked stays so.
func (s *Store) PutKey(k Key) error {
	return s.update(func(tx *tx) error {
		if k.Revoked {
			if _, err := tx.Exec(`DELETE FROM key WHERE hash = ?`, k.Hash[:]); err != nil {
				return err
			}
			return revoke(tx, k)
		}
		var n int
		if err := tx.QueryRow(`SELECT count(*) FROM revoked WHERE hash = ?`, k.Hash[:]).Scan(&n); err != nil || n > 0 {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM key WHERE hash = ?`, k.Hash[:]); err != nil {
			return err
		}
		return addKey(tx, k)
	})
}

// Keys are all that were not revoked.
func (s *Store) Keys(ctx context.Context) (list []Key, err error) {
	return s.keys(ctx, `SELECT hash, tenant, role, created, revision, 0 FROM key ORDER BY created, hash`)
}

// KeysIn are those with these revisions, with those that were revoked.
func (s *Store) KeysIn(ctx context.Context, in Span) ([]Key, error) {
	return s.keys(ctx, `SELECT hash, tenant, role, created, revision, 0 FROM key WHERE `+inSpan+` UNION ALL SELECT hash, '', '', 0, revision, 1 FROM revoked WHERE `+inSpan, in.First, in.Last)
}

func (s *Store) keys(ctx context.Context, query string, args ...any) (list []Key, err error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k Key
		var hash []byte
		var created int64
		if err := rows.Scan(&hash, &k.Tenant, &k.Role, &created, &k.Revision, &k.Revoked); err != nil {
			return nil, err
		}
		copy(k.Hash[:], hash)
		k.Created = time.Unix(0, created).UTC()
		list = append(list, k)
	}
	return list, rows.Err()
}
