package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// PutPolicy has a version of a policy be as a ledger has it. Another one of the same number that is here gets another version, and what
// uses it here uses that.
func (s *Store) PutPolicy(p *Policy) error {
	return s.update(func(tx *tx) error {
		tenants, texts := string(encodeList(p.Tenants)), encodeTexts(p.Texts)
		var same bool
		err := tx.QueryRow(`SELECT source = ? AND tenants = ? AND root = ? AND texts = ? FROM policy WHERE name = ? AND version = ?`,
			p.Source, tenants, p.Root, texts, p.Name, p.Version).Scan(&same)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case same:
			_, err := tx.Exec(`UPDATE policy SET revision = max(revision, ?) WHERE name = ? AND version = ?`, p.Revision, p.Name, p.Version)
			return err
		default:
			if err := renamePolicy(tx, p.Name, p.Version); err != nil {
				return err
			}
		}
		return addPolicy(tx, p)
	})
}

// RenamePolicy has a version that is here alone be another one than those of the ledger, and what uses it here use that.
func (s *Store) RenamePolicy(name, version string) error {
	return s.update(func(tx *tx) error { return renamePolicy(tx, name, version) })
}

// renamePolicy names a version by what it is.
func renamePolicy(tx *tx, name, version string) error {
	var tenants, root string
	var texts []byte
	if err := tx.QueryRow(`SELECT tenants, root, texts FROM policy WHERE name = ? AND version = ?`, name, version).Scan(&tenants, &root, &texts); err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", version, tenants, root, texts))
	now := "own-" + hex.EncodeToString(sum[:8])
	if _, err := tx.Exec(`UPDATE policy SET version = ?, revision = 0 WHERE name = ? AND version = ?`, now, name, version); err != nil {
		return err
	}
	for _, table := range []string{"run", "session", "snapshot"} {
		if _, err := tx.Exec(`UPDATE `+table+` SET policy = ? WHERE policy = ? AND revision = 0`, name+"@"+now, name+"@"+version); err != nil {
			return err
		}
	}
	return nil
}

// PoliciesIn are the versions with these revisions that were sent, in their order.
func (s *Store) PoliciesIn(ctx context.Context, in Span) ([]*Policy, error) {
	return s.policies(ctx, `SELECT `+policyColumns+` FROM policy WHERE source = 'sent' AND `+inSpan+` ORDER BY seq`, in.First, in.Last)
}
