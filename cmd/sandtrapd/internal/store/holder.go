package store

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
)

// RowBytes is how much a session or a snapshot counts by itself.
const RowBytes = 1024

// hold is the holder of what k needs, for a session that has had another one, or "". Those that have the same contents share a holder,
// and one that is shared stays as it is. A holder that nobody has any more is loose.
func hold(tx *tx, before, staged string, k *Kept) (holder string, err error) {
	own, err := heldBy(tx, k.Tenant, before)
	if err != nil {
		return "", err
	}
	if holder = staged; staged != "" {
		err = k.complete(tx, staged)
	} else if holder, err = saved(tx, k); err == nil && holder == "" {
		if holder = before; own != 1 {
			holder = newHolder()
		}
		err = keep(tx, k.Tenant, holder, k.Needed, k.New)
	}
	if err == nil && own == 1 && holder != before {
		err = loosen(tx, k.Tenant, before)
	}
	return holder, err
}

func newHolder() string { return "hold_" + rand.Text() }

// saved is the holder of a snapshot of the same, "" if there is none.
func saved(q querier, k *Kept) (holder string, err error) {
	err = q.QueryRow(`SELECT holder FROM snapshot WHERE tenant = ? AND id = ?`, k.Tenant, SnapshotID(k.Head)).Scan(&holder)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return holder, err
}

// complete takes what was staged, if it is all that is needed.
func (k *Kept) complete(tx *tx, staged string) error {
	var n int
	if err := tx.QueryRow(`SELECT count(*) FROM blob_use WHERE tenant = ? AND holder = ?`, k.Tenant, staged).Scan(&n); err != nil {
		return err
	}
	if n != len(k.Needed) {
		return fmt.Errorf("%d of %d contents are there: %w", n, len(k.Needed), ErrCorrupt)
	}
	return tight(tx, staged)
}

// heldBy is how many sessions and snapshots have a holder.
func heldBy(q querier, tenant, holder string) (n int, err error) {
	err = q.QueryRow(`SELECT (SELECT count(*) FROM session WHERE tenant = ?1 AND holder = ?2) + (SELECT count(*) FROM snapshot WHERE tenant = ?1 AND holder = ?2)`, tenant, holder).Scan(&n)
	return n, err
}

// loosen notes a holder, or the parts of a content, to be removed.
func loosen(tx *tx, tenant, id string) error {
	_, err := tx.Exec(`INSERT INTO loose (id, tenant, owner) VALUES (?, ?, '') ON CONFLICT (id) DO UPDATE SET owner = ''`, id, tenant)
	return err
}

// tight has a holder or parts stay, which something has now.
func tight(tx *tx, id string) error {
	_, err := tx.Exec(`DELETE FROM loose WHERE id = ?`, id)
	return err
}

// sweep removes what is loose of a tenant, or of all if that is empty. Other writes come in between.
func (s *Store) sweep(tenant string) error {
	for {
		var id, of string
		err := s.read.QueryRow(`SELECT id, tenant FROM loose WHERE (tenant = ?1 OR ?1 = '') AND owner != ?2 LIMIT 1`, tenant, s.owner).Scan(&id, &of)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = s.piece(func(tx *tx) error { return sweepSome(tx, of, id) })
		}
		if err != nil {
			return err
		}
	}
}

// sweepSome removes some of what is loose.
func sweepSome(tx *tx, tenant, id string) error {
	res, err := tx.Exec(`DELETE FROM part WHERE parts = ?1 AND at IN (SELECT at FROM part WHERE parts = ?1 ORDER BY at LIMIT ?2)`, id, maxPiece/partBytes)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	if any, err := sweepBatch(tx, tenant, id); err != nil || any {
		return err
	}
	some, err := someUses(tx, tenant, id)
	if err != nil {
		return err
	}
	for _, hash := range some {
		if err := drop(tx, tenant, id, hash); err != nil {
			return err
		}
	}
	if len(some) == 0 {
		return tight(tx, id)
	}
	return nil
}

// someUses are contents that a holder needs, not too many for one write.
func someUses(tx *tx, tenant, holder string) (some []Hash, err error) {
	rows, err := tx.Query(`SELECT u.hash, CASE b.parts WHEN '' THEN b.size ELSE 0 END FROM blob_use AS u JOIN blob AS b ON b.tenant = u.tenant AND b.hash = u.hash
		WHERE u.tenant = ? AND u.holder = ? LIMIT ?`, tenant, holder, maxUses)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for sum := 0; sum < maxPiece && rows.Next(); {
		var hash []byte
		var size int
		if err := rows.Scan(&hash, &size); err != nil {
			return nil, err
		}
		some = append(some, Hash(hash))
		sum += size
	}
	return some, rows.Err()
}
