package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// A Hash names a content: its SHA-256.
type Hash [sha256.Size]byte

// HashOf is that of data.
func HashOf(data []byte) Hash { return sha256.Sum256(data) }

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText is String.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what String has written.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return fmt.Errorf("a hash has %d digits, not %d", 2*len(h), len(text))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// ErrCorrupt is matched by errors about a content that is not the one that its hash names, or that is missing though it is in use.
var ErrCorrupt = errors.New("the database does not have what it ought to have")

// Blob is a content of a tenant. The data was checked against the hash.
func (s *Store) Blob(ctx context.Context, tenant string, hash Hash) (data []byte, err error) {
	data, err = s.blob(ctx, tenant, hash)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("content %s: %w", hash, ErrCorrupt)
	case err == nil && HashOf(data) != hash:
		return nil, fmt.Errorf("content %s has another hash: %w", hash, ErrCorrupt)
	}
	return data, err
}

// blob reads a content as it is at one moment.
func (s *Store) blob(ctx context.Context, tenant string, hash Hash) (data []byte, err error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var size int
	var parts string
	if err := tx.QueryRow(`SELECT data, size, parts FROM blob WHERE tenant = ? AND hash = ?`, tenant, hash[:]).Scan(&data, &size, &parts); err != nil || parts == "" {
		return data, err
	}
	rows, err := tx.Query(`SELECT data FROM part WHERE parts = ? ORDER BY at`, parts)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for data = make([]byte, 0, size); rows.Next(); {
		var part sql.RawBytes
		if err := rows.Scan(&part); err != nil {
			return nil, err
		}
		data = append(data, part...)
	}
	return data, rows.Err()
}

// HasBlobs reports whether a tenant has all these contents; it does not look into them.
func (s *Store) HasBlobs(ctx context.Context, tenant string, hashes map[Hash]bool) (bool, error) {
	for hash := range hashes {
		var n int
		if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM blob WHERE tenant = ? AND hash = ?`, tenant, hash[:]).Scan(&n); err != nil || n == 0 {
			return false, err
		}
	}
	return true, nil
}

// keep has a holder need these contents and no others. New are the data of those that there may not be yet.
func keep(tx *tx, tenant, holder string, needed map[Hash]bool, new map[Hash][]byte) error {
	for hash, data := range new {
		if !needed[hash] {
			continue
		}
		if err := addBlob(tx, tenant, hash, data); err != nil {
			return err
		}
	}
	had, err := uses(tx, tenant, holder)
	if err != nil {
		return err
	}
	for hash := range needed {
		if had[hash] {
			delete(had, hash)
			continue
		}
		if err := use(tx, tenant, holder, hash); err != nil {
			return err
		}
	}
	for hash := range had {
		if err := drop(tx, tenant, holder, hash); err != nil {
			return err
		}
	}
	return nil
}

func addBlob(tx *tx, tenant string, hash Hash, data []byte) error {
	if data == nil { // which is NULL
		data = []byte{}
	}
	_, err := tx.Exec(`INSERT INTO blob (tenant, hash, size, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, tenant, hash[:], len(data), data)
	return err
}

func use(tx *tx, tenant, holder string, hash Hash) error {
	_, err := tx.Exec(`INSERT INTO blob_use (tenant, holder, hash) VALUES (?, ?, ?)`, tenant, holder, hash[:])
	return err
}

// drop ends the use of a content, and deletes it if that was the last one: its parts are loose then.
func drop(tx *tx, tenant, holder string, hash Hash) error {
	if _, err := tx.Exec(`DELETE FROM blob_use WHERE tenant = ? AND holder = ? AND hash = ?`, tenant, holder, hash[:]); err != nil {
		return err
	}
	var parts string
	err := tx.QueryRow(`DELETE FROM blob WHERE tenant = ?1 AND hash = ?2 AND NOT EXISTS (SELECT 1 FROM blob_use WHERE tenant = ?1 AND hash = ?2) RETURNING parts`, tenant, hash[:]).Scan(&parts)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil && parts != "":
		return loosen(tx, tenant, parts)
	}
	return err
}

// A querier is a transaction, or connections.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// uses are the contents that a holder needs.
func uses(tx querier, tenant, holder string) (map[Hash]bool, error) {
	rows, err := tx.Query(`SELECT hash FROM blob_use WHERE tenant = ? AND holder = ?`, tenant, holder)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	had := map[Hash]bool{}
	for rows.Next() {
		var hash []byte
		if err := rows.Scan(&hash); err != nil {
			return nil, err
		}
		had[Hash(hash)] = true
	}
	return had, rows.Err()
}
