package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Session is a row of a session. Its head is the hash of its manifest, which lists the contents of its state and its files.
type Session struct {
	Seq                      int64
	ID, Tenant, Name, Policy string
	Origin, Parent           string
	Created, Used            time.Time
	Head                     Hash
	Bytes                    int64
	Revision                 uint64 `cbor:"-"` // of its entry in the ledger; 0 if it has none
	Waits                    string `cbor:"-"` // the run of it that waits; empty for none
}

// A Snapshot is a row of a snapshot: a head that a session had.
type Snapshot struct {
	Seq                                 int64
	ID, Tenant, Session, Policy, Origin string
	Created                             time.Time
	Head                                Hash
	Bytes                               int64
	Revision                            uint64 `cbor:"-"` // of its entry in the ledger; 0 if it has none
}

// A Kept is what a session has become, to be written.
type Kept struct {
	Tenant, Session string
	Head            Hash
	Needed          map[Hash]bool   // contents that it needs, its manifest among them
	New             map[Hash][]byte // the data of those that it has not had before
	Bytes           int64
	Used            time.Time
	Revision        uint64 // of its entry in the ledger; 0 if it has none
}

// AddSession writes a session that begins, with what it has. The error matches ErrExists if the tenant has one of this name.
func (s *Store) AddSession(row *Session, k *Kept) error {
	return s.updateKept(k, func(tx *tx, k *Kept, staged string) error {
		holder, err := hold(tx, "", staged, k)
		if err != nil {
			return err
		}
		return addSession(tx, row, holder)
	})
}

func addSession(tx *tx, r *Session, holder string) error {
	name := sql.NullString{String: r.Name, Valid: r.Name != ""}
	seq := sql.NullInt64{Int64: r.Seq, Valid: r.Seq != 0}
	_, err := tx.Exec(`INSERT INTO session (seq, id, tenant, name, policy, origin, parent, created, used, head, bytes, holder, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		seq, r.ID, r.Tenant, name, r.Policy, r.Origin, r.Parent, r.Created.UnixNano(), r.Used.UnixNano(), r.Head[:], r.Bytes, holder, r.Revision)
	if taken(err, "session.tenant, session.name") {
		return fmt.Errorf("a session with this name: %w: %w", ErrExists, err)
	}
	return err
}

// sessionOwner has a statement look a session up by its tenant first, so that the time does not tell one of another tenant from one that is
// not there.
const sessionOwner = "INDEXED BY session_owner"

// Keep writes what a session has become, whole or not at all. The error matches ErrNone if it was deleted. What is here of a newer
// revision stays.
func (s *Store) Keep(k *Kept) error { return s.updateKept(k, keepSession) }

func keepSession(tx *tx, k *Kept, staged string) error {
	var holder string
	var revision uint64
	err := tx.QueryRow(`SELECT holder, revision FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, k.Session, k.Tenant).Scan(&holder, &revision)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("session: %w", ErrNone)
	}
	if err == nil && k.Revision != 0 && k.Revision <= revision {
		if staged != "" {
			err = loosen(tx, k.Tenant, staged)
		}
		return err
	}
	if err != nil {
		return err
	}
	if k.Needed == nil { // what it is may have been changed by another server since
		return changed(tx.Exec(`UPDATE session `+sessionOwner+` SET used = ? WHERE id = ? AND tenant = ?`, k.Used.UnixNano(), k.Session, k.Tenant))
	}
	now, err := hold(tx, holder, staged, k) // first, so that its list is there when the row counts it
	if err != nil {
		return err
	}
	return changed(tx.Exec(`UPDATE session `+sessionOwner+` SET head = ?, bytes = ?, used = ?, revision = ?, holder = ? WHERE id = ? AND tenant = ?`,
		k.Head[:], k.Bytes, k.Used.UnixNano(), max(k.Revision, revision), now, k.Session, k.Tenant))
}

// Fork writes sessions that have what another one has at this moment. Their Head and Bytes are set to that.
func (s *Store) Fork(tenant, id string, forks ...*Session) error {
	return s.update(func(tx *tx) error {
		var head []byte
		var bytes int64
		var holder string
		err := tx.QueryRow(`SELECT head, bytes, holder FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, id, tenant).Scan(&head, &bytes, &holder)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("session: %w", ErrNone)
		}
		for _, f := range forks {
			if err == nil {
				f.Head, f.Bytes = Hash(head), bytes
				err = addSession(tx, f, holder)
			}
		}
		return err
	})
}

// CopyBytes is how much counts for one more session or snapshot with contents of so many bytes that are there already: its row, as it shares them.
func (s *Store) CopyBytes(int64) int64 { return RowBytes }

// SnapshotID is the ID of a snapshot with this head.
func SnapshotID(head Hash) string { return "snap_" + head.String() }

// SaveSession makes a snapshot of what a session has at this moment. If there is one of it already, it is that.
func (s *Store) SaveSession(tenant, id string, now time.Time) (snapshot string, err error) {
	err = s.update(func(tx *tx) error {
		var head []byte
		err := tx.QueryRow(`SELECT head FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, id, tenant).Scan(&head)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("session: %w", ErrNone)
		}
		if err != nil {
			return err
		}
		snapshot = SnapshotID(Hash(head))
		_, err = tx.Exec(`INSERT INTO snapshot (id, tenant, session, policy, origin, created, head, bytes, holder)
			SELECT ?, tenant, id, policy, origin, ?, head, bytes, holder FROM session `+sessionOwner+` WHERE id = ? AND tenant = ? ON CONFLICT DO NOTHING`, snapshot, now.UnixNano(), id, tenant)
		return err
	})
	return snapshot, err
}

// DeleteSession deletes a session. What nothing else needs goes with it, and its run that waits ends as cancelled.
func (s *Store) DeleteSession(tenant, id, kind string, result json.RawMessage) error {
	return s.remove("session", "session "+sessionOwner, tenant, id, func(tx *tx) error {
		_, err := tx.Exec(cancel+` WHERE session = ? AND tenant = ? AND state = ?`, Cancelled, time.Now().UnixNano(), kind, []byte(result), id, tenant, Pending)
		return err
	})
}

// ExclusiveRun is the run that has a session to itself, empty if none has: one that waits, or has begun what can be repeated from what the
// session had then.
func (s *Store) ExclusiveRun(ctx context.Context, tenant, session string) (run string, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT id FROM run INDEXED BY run_session WHERE tenant = ? AND session = ? AND session != '' AND ended = 0
		AND (state = 'pending' OR state = 'running' AND octet_length(journal) > 0) LIMIT 1`, tenant, session).Scan(&run)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return run, err
}

// DeleteSnapshot deletes a snapshot. What nothing else needs goes with it.
func (s *Store) DeleteSnapshot(tenant, id string) error {
	return s.remove("snapshot", "snapshot", tenant, id, func(*tx) error { return nil })
}

// remove deletes a session or a snapshot, and does more with it.
func (s *Store) remove(kind, from, tenant, id string, more func(*tx) error) error {
	err := s.update(func(tx *tx) error {
		var holder string
		err := tx.QueryRow(`DELETE FROM `+from+` WHERE id = ? AND tenant = ? RETURNING holder`, id, tenant).Scan(&holder)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%s: %w", kind, ErrNone)
		}
		if err != nil {
			return err
		}
		if err := more(tx); err != nil {
			return err
		}
		others, err := heldBy(tx, tenant, holder)
		if err != nil || others > 0 {
			return err
		}
		return loosen(tx, tenant, holder)
	})
	if err != nil {
		return err
	}
	return s.sweep(tenant)
}

const sessionColumns = `seq, id, tenant, COALESCE(name, ''), policy, origin, parent, created, used, head, bytes, revision,
	COALESCE((SELECT run.id FROM run INDEXED BY run_session WHERE run.tenant = session.tenant AND run.session = session.id AND run.session != '' AND run.ended = 0 AND run.state = 'pending'), '')`

func (r *Session) scan(scan func(...any) error) error {
	var created, used int64
	var head []byte
	if err := scan(&r.Seq, &r.ID, &r.Tenant, &r.Name, &r.Policy, &r.Origin, &r.Parent, &created, &used, &head, &r.Bytes, &r.Revision, &r.Waits); err != nil {
		return err
	}
	r.Created, r.Used = time.Unix(0, created).UTC(), time.Unix(0, used).UTC()
	return toHash(head, &r.Head)
}

func toHash(data []byte, to *Hash) error {
	if len(data) != len(to) {
		return fmt.Errorf("a head of %d bytes: %w", len(data), ErrCorrupt)
	}
	*to = Hash(data)
	return nil
}

// Session is the session of a tenant.
func (s *Store) Session(ctx context.Context, tenant, id string) (*Session, error) {
	var r Session
	err := r.scan(s.read.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, id, tenant).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("session: %w", ErrNone)
	}
	return &r, err
}

// A Page is a part of a list.
type Page struct {
	Tenant string
	Name   string // of sessions: that of the one that is looked for; empty for all
	Before int64  // the Seq of the last row of the page before; 0 for the first page
	Limit  int
}

// Sessions lists those of a tenant, the newest first.
func (s *Store) Sessions(ctx context.Context, p Page) (list []*Session, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+sessionColumns+` FROM session WHERE tenant = ?1 AND (?2 = 0 OR seq < ?2) AND (?3 = '' OR name = ?3) ORDER BY seq DESC LIMIT ?4`, p.Tenant, p.Before, p.Name, p.Limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Session
		if err := r.scan(rows.Scan); err != nil {
			return nil, err
		}
		list = append(list, &r)
	}
	return list, rows.Err()
}

const snapshotColumns = `seq, id, tenant, session, policy, origin, created, head, bytes, revision`

func (r *Snapshot) scan(scan func(...any) error) error {
	var created int64
	var head []byte
	if err := scan(&r.Seq, &r.ID, &r.Tenant, &r.Session, &r.Policy, &r.Origin, &created, &head, &r.Bytes, &r.Revision); err != nil {
		return err
	}
	r.Created = time.Unix(0, created).UTC()
	return toHash(head, &r.Head)
}

// Snapshot is the snapshot of a tenant.
func (s *Store) Snapshot(ctx context.Context, tenant, id string) (*Snapshot, error) {
	var r Snapshot
	err := r.scan(s.read.QueryRowContext(ctx, `SELECT `+snapshotColumns+` FROM snapshot WHERE id = ? AND tenant = ?`, id, tenant).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("snapshot: %w", ErrNone)
	}
	return &r, err
}

// Snapshots lists those of a tenant, the newest first.
func (s *Store) Snapshots(ctx context.Context, p Page) (list []*Snapshot, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+snapshotColumns+` FROM snapshot WHERE tenant = ?1 AND (?2 = 0 OR seq < ?2) ORDER BY seq DESC LIMIT ?3`, p.Tenant, p.Before, p.Limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Snapshot
		if err := r.scan(rows.Scan); err != nil {
			return nil, err
		}
		list = append(list, &r)
	}
	return list, rows.Err()
}
