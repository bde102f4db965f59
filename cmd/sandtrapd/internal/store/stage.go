package store

import (
	"crypto/rand"
)

// Bounds of what one write does where much is to do, so that others need not wait long.
const (
	maxPiece  = 1 << 20   // bytes of contents
	maxUses   = 250       // rows of uses
	partBytes = 256 << 10 // of a part of a content that is larger than a piece
)

// updateKept has the writer do something with what a session has become, nil if that is nothing. Where that is much, all that it needs
// is written before, to a holder of its own that is loose until do takes it.
func (s *Store) updateKept(k *Kept, do func(tx *tx, k *Kept, staged string) error) error {
	if k == nil || k.Needed == nil {
		return s.update(func(tx *tx) error { return do(tx, k, "") })
	}
	much, err := s.much(k)
	if err != nil {
		return err
	}
	staged := ""
	if much {
		staged = newHolder()
		if err := s.stage(k, staged); err != nil { // such as for a session that was deleted: do says so
			s.unstage(k.Tenant, staged)
			staged = ""
		}
	}
	err = s.update(func(tx *tx) error { return do(tx, k, staged) })
	if err != nil && staged != "" {
		s.unstage(k.Tenant, staged)
	}
	_ = s.sweep(k.Tenant) // what stays goes when the store is opened again
	return err
}

// unstage gives up what was staged.
func (s *Store) unstage(tenant, holder string) {
	_ = s.update(func(tx *tx) error { return loosen(tx, tenant, holder) }) // likewise
}

// much reports that to write k in one write takes long.
func (s *Store) much(k *Kept) (bool, error) {
	sum := 0
	for _, data := range k.New {
		sum += len(data)
	}
	if sum > maxPiece || len(k.Needed) <= maxUses {
		return sum > maxPiece, nil
	}
	if same, err := saved(s.read, k); err != nil || same != "" {
		return false, err
	}
	var holder string
	_ = s.read.QueryRow(`SELECT holder FROM session WHERE tenant = ? AND id = ?`, k.Tenant, k.Session).Scan(&holder) // one that begins has none
	if n, err := heldBy(s.read, k.Tenant, holder); err != nil || n != 1 {
		return true, err
	}
	had, err := uses(s.read, k.Tenant, holder)
	changes := len(had)
	for hash := range k.Needed {
		if had[hash] {
			changes--
		} else {
			changes++
		}
	}
	return changes > maxUses, err
}

// piece does a part of a long work.
func (s *Store) piece(do func(*tx) error) error {
	s.pieces.Lock()
	defer s.pieces.Unlock()
	return s.update(do)
}

// stage has a holder need what k needs, a piece in each write.
func (s *Store) stage(k *Kept, holder string) error {
	if err := s.mine(k.Tenant, holder); err != nil {
		return err
	}
	var piece []Hash
	sum := 0
	flush := func() error {
		list := piece
		piece, sum = nil, 0
		return s.piece(func(tx *tx) error { return stageSome(tx, k, holder, list) })
	}
	for hash := range k.Needed {
		data, isNew := k.New[hash]
		if isNew && len(data) > maxPiece {
			if err := s.stageLarge(k.Tenant, holder, hash, data); err != nil {
				return err
			}
			continue
		}
		piece = append(piece, hash)
		if sum += len(data); sum >= maxPiece || len(piece) >= maxUses {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// mine notes a holder or parts that this process writes, to be removed if it ends before something has them.
func (s *Store) mine(tenant, id string) error {
	return s.update(func(tx *tx) error {
		_, err := tx.Exec(`INSERT INTO loose (id, tenant, owner) VALUES (?, ?, ?)`, id, tenant, s.owner)
		return err
	})
}

func stageSome(tx *tx, k *Kept, holder string, list []Hash) error {
	for _, hash := range list {
		if data, ok := k.New[hash]; ok {
			if err := addBlob(tx, k.Tenant, hash, data); err != nil {
				return err
			}
		}
		if err := use(tx, k.Tenant, holder, hash); err != nil {
			return err
		}
	}
	return nil
}

// stageLarge writes a large content in parts, and has a holder need it.
func (s *Store) stageLarge(tenant, holder string, hash Hash, data []byte) error {
	parts := "part_" + rand.Text()
	if err := s.mine(tenant, parts); err != nil {
		return err
	}
	for at := 0; at < len(data); at += maxPiece {
		if err := s.piece(func(tx *tx) error { return addParts(tx, parts, at, data[at:min(at+maxPiece, len(data))]) }); err != nil {
			return err
		}
	}
	return s.piece(func(tx *tx) error {
		res, err := tx.Exec(`INSERT INTO blob (tenant, hash, size, data, parts) VALUES (?, ?, ?, x'', ?) ON CONFLICT DO NOTHING`, tenant, hash[:], len(data), parts)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		switch {
		case err != nil:
			return err
		case n == 0: // it is there
			err = loosen(tx, tenant, parts)
		default:
			err = tight(tx, parts)
		}
		if err != nil {
			return err
		}
		return use(tx, tenant, holder, hash)
	})
}

func addParts(tx *tx, parts string, at int, data []byte) error {
	for len(data) > 0 {
		n := min(partBytes, len(data))
		if _, err := tx.Exec(`INSERT INTO part (parts, at, data) VALUES (?, ?, ?)`, parts, at, data[:n]); err != nil {
			return err
		}
		at, data = at+n, data[n:]
	}
	return nil
}
