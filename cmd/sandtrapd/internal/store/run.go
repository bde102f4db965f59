package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A State says how far a run is. States are part of the API: the list is append-only.
type State string

// The states.
const (
	Running   State = "running"
	Pending   State = "pending"   // it waits for answers, without a process
	Done      State = "done"      // it has ended well
	Failed    State = "failed"    // it has ended with an error, which its result has
	Cancelled State = "cancelled" // somebody has ended it
)

// States are all of them.
func States() []State { return []State{Running, Pending, Done, Failed, Cancelled} }

// Over reports that a run has ended.
func (s State) Over() bool { return s != Running && s != Pending }

// A Run is a row of a run. Lists have nothing of Request, Result, Pending, Journal, Answers and Events, and the beginning of Code.
type Run struct {
	Seq                         int64 // its place in lists; 0 for AddRuns is the last one
	ID, Tenant, Session, Parent string
	Policy                      string
	State                       State
	Part                        int       // how often it has waited
	Begins                      int       // how often a process has begun this part; Finish begins to count anew
	Created, Ended              time.Time // Ended is zero before its end
	Code                        string
	Request                     json.RawMessage
	Key                         string // of who must not begin it twice; empty for none
	Batch                       string // that it is a line of; empty for none
	Line                        int    // of the batch, from 1
	Item                        string // the ID that the client has given the line
	Owner                       string // the server that it goes on in, of those that share a ledger
	Revision                    uint64 `cbor:"-"` // what it is in that; 0 if it is not there
	Object                      string `cbor:"-"` // the name of what it is there, if that is large

	Kind        string // of its error
	Ticks, Peak int64
	Duration    time.Duration
	Result      json.RawMessage
	Pending     json.RawMessage
	Journal     []byte
	Answers     json.RawMessage
	Events      []byte
	ToldStdout  int64         // bytes of output that events have told of, those that are not kept any more too
	ToldStderr  int64         // likewise
	Artifacts   []Artifact    // for Finish
	Kept        *Kept         `cbor:"-"` // for Finish: what its session has become; nil if it has changed nothing
	Spent       time.Duration `cbor:"-"` // for Finish: what this part of it took
	Quota       int64         `cbor:"-"` // for AddRuns: the bytes that may be kept of the tenant with it; 0 is no bound
	ToldAtEnd   bool          `cbor:"-"` // for AddRuns: nobody is told of it before Finish; until then it outlives this process, and no power cut
	Unwritten   bool          `cbor:"-"` // for Finish: it was not given to AddRuns
}

// An Artifact is a file that a run has left.
type Artifact struct {
	Name, MediaType string
	Data            []byte
}

// AddRuns writes runs that begin. The error matches ErrExists if there is one of the tenant with the same Key, and ErrQuota if too much
// would be kept.
func (s *Store) AddRuns(runs ...*Run) error {
	synced := slices.ContainsFunc(runs, func(r *Run) bool { return !r.ToldAtEnd })
	return s.updateSynced(synced, func(tx *tx) error {
		for _, r := range runs {
			if err := addRun(tx, r); err != nil {
				return err
			}
			if r.Quota > 0 {
				if err := within(tx, r.Tenant, r.Quota); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addRun writes a run that begins.
func addRun(tx *tx, r *Run) error {
	one := *r
	one.Part, one.Begins, one.Ticks, one.Peak, one.Duration, one.Answers = 0, 1, 0, 0, 0, nil
	err := insertRun(tx, &one, 0)
	if taken(err, "run.tenant, run.key") || taken(err, "run.tenant, run.batch, run.line") {
		return fmt.Errorf("a run with this key: %w: %w", ErrExists, err)
	}
	return err
}

// insertAt writes a row of a run at its place in lists, or at the end if it has none.
func insertAt(tx *tx, r *Run, waits int64) error {
	key := sql.NullString{String: r.Key, Valid: r.Key != ""}
	seq := sql.NullInt64{Int64: r.Seq, Valid: r.Seq != 0}
	_, err := tx.Exec(`INSERT INTO run (seq, id, tenant, session, parent, policy, state, part, begins, created, ended, code, request, kind, ticks, peak, duration, result, pending, journal, answers, events, stdout, stderr, key, batch, line, item, owner, revision, object, waits)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		seq, r.ID, r.Tenant, r.Session, r.Parent, r.Policy, r.State, r.Part, r.Begins, r.Created.UnixNano(), sinceZero(r.Ended), r.Code, []byte(r.Request), r.Kind, r.Ticks, r.Peak, r.Duration,
		[]byte(r.Result), []byte(r.Pending), r.Journal, []byte(r.Answers), r.Events, r.ToldStdout, r.ToldStderr, key, r.Batch, r.Line, r.Item, r.Owner, r.Revision, r.Object, waits)
	return err
}

// times are when r ended, and since when it waits, in Unix time in ns; 0 for neither.
func (r *Run) times() (ended, waits int64) {
	if r.State == Pending {
		waits = time.Now().UnixNano()
	}
	return sinceZero(r.Ended), waits
}

func addArtifacts(tx *tx, r *Run) error {
	for _, a := range r.Artifacts {
		if _, err := tx.Exec(`INSERT OR REPLACE INTO artifact (tenant, run, name, type, data) VALUES (?, ?, ?, ?, ?)`, r.Tenant, r.ID, a.Name, a.MediaType, a.Data); err != nil {
			return err
		}
	}
	return nil
}

// Finish writes what became of a run that went on: its end, or that it waits.
func (s *Store) Finish(r *Run) error {
	return s.updateKept(r.Kept, func(tx *tx, k *Kept, staged string) error {
		if err := finish(tx, r); err != nil {
			return err
		}
		if k != nil {
			if err := keepSession(tx, k, staged); err != nil && !errors.Is(err, ErrNone) { // it may have been deleted
				return err
			}
		}
		if err := addArtifacts(tx, r); err != nil {
			return err
		}
		return spend(tx, r.Tenant, r.Spent)
	})
}

// finish writes the row of a run that went on. One that is unwritten can be there, if an error has said before that it was not written.
func finish(tx *tx, r *Run) error {
	ended, waits := r.times()
	if r.Unwritten {
		one := *r
		one.Part, one.Begins, one.Answers, one.Owner = r.Part+1, 1, nil, ""
		err := insertAnywhere(tx, &one, waits)
		if !taken(err, "run.id") && !taken(err, "run.tenant, run.id") {
			return err
		}
	}
	return changed(tx.Exec(`UPDATE run SET state = ?, ended = ?, kind = ?, ticks = ?, peak = ?, duration = ?, result = ?, pending = ?, journal = ?, answers = NULL, events = ?, stdout = ?, stderr = ?, part = part + 1, begins = 1, waits = ?, owner = '', revision = ?, object = ?
		WHERE id = ? AND tenant = ? AND state = ?`,
		r.State, ended, r.Kind, r.Ticks, r.Peak, r.Duration, []byte(r.Result), []byte(r.Pending), r.Journal, r.Events, r.ToldStdout, r.ToldStderr, waits, r.Revision, r.Object, r.ID, r.Tenant, Running))
}

// Answer has a run that waits go on with answers. The error matches ErrState if it does not wait, or has gone on since it had waited
// as often as part says.
func (s *Store) Answer(tenant, id string, part int, answers json.RawMessage) error {
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(`UPDATE run SET state = ?, answers = ? WHERE id = ? AND tenant = ? AND state = ? AND part = ?`,
			Running, []byte(answers), id, tenant, Pending, part))
	})
}

// Begin writes the journal of a run that goes on from its beginning: what it is repeated by.
func (s *Store) Begin(tenant, id string, journal []byte) error {
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(`UPDATE run SET journal = ? WHERE id = ? AND tenant = ? AND state = ?`, journal, id, tenant, Running))
	})
}

// SetBegins writes how often a process has begun the part of a run that goes on: 0 if one has given it back.
func (s *Store) SetBegins(tenant, id string, n int) error {
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(`UPDATE run SET begins = ? WHERE id = ? AND tenant = ? AND state = ?`, n, id, tenant, Running))
	})
}

// cancel is the statement that ends runs which wait.
const cancel = `UPDATE run SET state = ?, ended = ?, kind = ?, result = ?, pending = NULL, journal = NULL`

// Cancel ends a run that waits. The error matches ErrState if it does not.
func (s *Store) Cancel(tenant, id, kind string, result json.RawMessage) error {
	return s.update(func(tx *tx) error {
		return changed(tx.Exec(cancel+` WHERE id = ? AND tenant = ? AND state = ?`,
			Cancelled, time.Now().UnixNano(), kind, []byte(result), id, tenant, Pending))
	})
}

// DeleteRun deletes a run that has ended, with its artifacts. The error matches ErrState if it has not.
func (s *Store) DeleteRun(tenant, id string) error {
	return s.update(func(tx *tx) error {
		var state State
		var batch string
		err := tx.QueryRow(`SELECT state, batch FROM run WHERE tenant = ? AND id = ?`, tenant, id).Scan(&state, &batch)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("run: %w", ErrNone)
		case err == nil && !state.Over():
			return InState("the run is %s: cancel it, and delete it then", state)
		case err == nil && batch != "":
			return InState("the run is a line of the batch %s: delete the batch", batch)
		case err == nil:
			_, err = tx.Exec(`DELETE FROM run WHERE tenant = ? AND id = ?`, tenant, id)
		}
		return err
	})
}

const columns = `seq, id, tenant, session, parent, policy, state, part, begins, created, ended, code, COALESCE(key, ''), batch, line, item, owner, revision, object, kind, ticks, peak, duration`

// scan reads the columns, and what is after them.
func (r *Run) scan(scan func(...any) error, more ...any) error {
	var created, ended, duration int64
	err := scan(append([]any{&r.Seq, &r.ID, &r.Tenant, &r.Session, &r.Parent, &r.Policy, &r.State, &r.Part, &r.Begins, &created, &ended, &r.Code, &r.Key, &r.Batch, &r.Line, &r.Item, &r.Owner, &r.Revision, &r.Object, &r.Kind, &r.Ticks, &r.Peak, &duration}, more...)...)
	r.Created, r.Ended, r.Duration = timeOf(created), timeOf(ended), time.Duration(duration)
	return err
}

// timeOf is a time in a row; 0 is the zero time.
func timeOf(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// sinceZero is t for a row, which timeOf reads.
func sinceZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// All, in the place of a tenant, is any of them.
const All = "*"

// Run is the run of a tenant. One of another tenant is missed in the index, as an absent one is: both take as long.
func (s *Store) Run(ctx context.Context, tenant, id string) (*Run, error) {
	if tenant == All {
		return s.one(ctx, "run WHERE id = ?", id)
	}
	return s.one(ctx, "run INDEXED BY run_owner WHERE tenant = ? AND id = ?", tenant, id)
}

// RunByKey is the run that a tenant began with a key.
func (s *Store) RunByKey(ctx context.Context, tenant, key string) (*Run, error) {
	return s.one(ctx, "run WHERE tenant = ? AND key = ?", tenant, key)
}

func (s *Store) one(ctx context.Context, from string, args ...any) (*Run, error) {
	var r Run
	stmt, err := s.prepared(ctx, `SELECT `+columns+`, request, result, pending, journal, answers, events, stdout, stderr FROM `+from)
	if err != nil {
		return nil, err
	}
	err = r.scan(stmt.QueryRowContext(ctx, args...).Scan, (*[]byte)(&r.Request), (*[]byte)(&r.Result), (*[]byte)(&r.Pending), &r.Journal, (*[]byte)(&r.Answers), &r.Events, &r.ToldStdout, &r.ToldStderr)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("run: %w", ErrNone)
	}
	return &r, err
}

// Artifacts are the files that a run of a tenant has left.
func (s *Store) Artifacts(ctx context.Context, tenant, run string) (list []Artifact, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT name, type, data FROM artifact WHERE tenant = ? AND run = ? ORDER BY name`, tenant, run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a Artifact
		if err := rows.Scan(&a.Name, &a.MediaType, &a.Data); err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, rows.Err()
}

// Artifact is a file that a run of a tenant has left.
func (s *Store) Artifact(ctx context.Context, tenant, run, name string) (*Artifact, error) {
	a := Artifact{Name: name}
	if tenant == All {
		if err := s.read.QueryRowContext(ctx, `SELECT tenant FROM run WHERE id = ?`, run).Scan(&tenant); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	err := s.read.QueryRowContext(ctx, `SELECT type, data FROM artifact WHERE tenant = ? AND run = ? AND name = ?`, tenant, run, name).Scan(&a.MediaType, &a.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("artifact: %w", ErrNone)
	}
	return &a, err
}
