package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Keep writes what a session has become that this server has. The error matches store.ErrState if another one has it now.
func (l *Ledger) Keep(k *store.Kept) error {
	if err := l.keep(context.Background(), k, nil); err != nil {
		return err
	}
	return l.here(k.Tenant, k.Session, l.kept(k, l.Store.Keep(k)))
}

// kept has a session be as the ledger has it when it is used again, if what it has become is not here.
func (l *Ledger) kept(k *store.Kept, err error) error {
	if err != nil && k != nil {
		l.unlease(k.Session)
	}
	return err
}

// keep writes to the ledger what a session has become, with the outcome of the run that has made it so: the two are written together.
func (l *Ledger) keep(ctx context.Context, k *store.Kept, done *store.Run) error {
	if k.Needed == nil {
		return nil // all is there
	}
	le := l.leaseOf(k.Session)
	if le == nil {
		return l.lost(ctx, k)
	}
	now := le.session
	c, err := l.gather(ctx, k.Tenant, k.Session, k.Needed, k.New, k.Bytes, le.session.Contents.Objects)
	if err != nil {
		return err
	}
	now.Row.Head, now.Row.Bytes, now.Row.Used, now.Contents, now.Done = k.Head, k.Bytes, k.Used, c, done
	leaves := l.leaves(ctx, k.Session, le.session.Contents.Objects, c.Objects)
	revision, object, err := l.putEntry(ctx, k.Tenant, k.Session, entry{Session: &now}, le.object, le.revision)
	if errors.Is(err, store.ErrState) {
		l.unlease(k.Session)
		if there, at, e := l.sessionOf(ctx, k.Tenant, k.Session); e == nil && done != nil && there.Session.Owner == l.id && there.Session.Done != nil && there.Session.Done.ID == done.ID {
			k.Revision = at // it was written before, and the answer was lost
			return nil
		}
		return l.lost(ctx, k)
	}
	if err != nil {
		return err
	}
	l.forget(leaves...)
	k.Revision = revision
	now.Done = nil
	l.leased(&lease{session: now, revision: revision, object: object})
	return nil
}

// lost says why a session cannot be kept here.
func (l *Ledger) lost(ctx context.Context, k *store.Kept) error {
	if _, _, err := l.sessionOf(ctx, k.Tenant, k.Session); err != nil {
		return err
	}
	return store.ErrLease
}

// settleRun writes the outcome of a run that the entry of its session has, and its own entry has not. It is false if there is none.
func (l *Ledger) settleRun(ctx context.Context, o store.Owned) (done bool, err error) {
	if o.Session == "" {
		return false, nil
	}
	e, _, err := l.sessionOf(ctx, o.Tenant, o.Session)
	if errors.Is(err, store.ErrNone) {
		return false, nil
	}
	if err != nil || e.Session.Done == nil || e.Session.Done.ID != o.ID {
		return false, err
	}
	r := e.Session.Done
	err = l.change(o.Tenant, o.ID, func(now *store.Run) error {
		if now.State != store.Running || now.Part >= r.Part {
			return store.ErrState
		}
		seq, object, revision := now.Seq, now.Object, now.Revision
		*now = *r
		now.Seq, now.Object, now.Revision = seq, object, revision
		return nil
	})
	if errors.Is(err, store.ErrState) || errors.Is(err, store.ErrNone) {
		return false, nil
	}
	return err == nil, err
}

// Fork writes sessions that have what another one has at this moment, all or none. Their Head and Bytes are set to that.
func (l *Ledger) Fork(tenant, id string, forks ...*store.Session) error {
	ctx := context.Background()
	row, k, err := l.now(ctx, tenant, id)
	if err != nil {
		return err
	}
	for i, f := range forks {
		one := *k
		f.Head, f.Bytes, one.Session = row.Head, row.Bytes, f.ID
		if err := l.addSession(ctx, f, &one); err != nil {
			for _, done := range forks[:i] {
				if err := l.DeleteSession(tenant, done.ID, "", nil); err != nil {
					l.log.Warn("a fork stays of several that are not all made", "session", done.ID, "error", err)
				}
			}
			return err
		}
	}
	return nil
}

// CopyBytes is how much counts for one more session or snapshot with contents of so many bytes. In the ledger each has its own, so that who
// writes its entry can delete what it has no more, whatever others have.
func (l *Ledger) CopyBytes(contents int64) int64 { return store.RowBytes + contents }

// now is what a session has at this moment.
func (l *Ledger) now(ctx context.Context, tenant, id string) (*store.Session, *store.Kept, error) {
	for {
		row, err := l.Session(ctx, tenant, id)
		if err != nil {
			return nil, nil, err
		}
		k := &store.Kept{Tenant: tenant, Session: id, Head: row.Head, New: map[store.Hash][]byte{}, Bytes: row.Bytes, Used: row.Used}
		k.Needed, err = l.Contents(ctx, tenant, id)
		for h := range k.Needed {
			if err == nil {
				k.New[h], err = l.Blob(ctx, tenant, h)
			}
		}
		if err == nil && k.Needed[row.Head] {
			return row, k, nil
		}
		if again, e := l.Store.Session(ctx, tenant, id); e != nil || again.Head == row.Head {
			return nil, nil, errors.Join(err, e)
		}
		if err := l.changing(context.Background()); err != nil {
			return nil, nil, err
		}
	}
}

// SaveSession makes a snapshot of what a session has at this moment. If there is one of it already, it is that.
func (l *Ledger) SaveSession(tenant, id string, at time.Time) (string, error) {
	ctx := context.Background()
	row, k, err := l.now(ctx, tenant, id)
	if err != nil {
		return "", err
	}
	snap := &store.Snapshot{ID: store.SnapshotID(row.Head), Tenant: tenant, Session: id, Policy: row.Policy, Origin: row.Origin, Created: at, Head: row.Head, Bytes: row.Bytes}
	under := again(snap.ID)
	c, err := l.gather(ctx, tenant, under, k.Needed, k.New, k.Bytes, nil)
	if err != nil {
		return "", err
	}
	c.Under = under
	e := &entry{Snapshot: &snapshot{Row: *snap, Contents: c}}
	revision, _, err := l.putEntry(ctx, tenant, snap.ID, *e, "", 0)
	if errors.Is(err, store.ErrState) { // there is one
		l.forget(l.leaves(ctx, under, c.Objects, nil)...)
		e, revision, err = l.getEntry(ctx, tenant, snap.ID)
	}
	if err != nil {
		return "", err
	}
	return snap.ID, l.here(tenant, snap.ID, l.bring(ctx, e, revision))
}

// Snapshot is the snapshot of a tenant, also if another server has made it just now.
func (l *Ledger) Snapshot(ctx context.Context, tenant, id string) (*store.Snapshot, error) {
	row, err := l.Store.Snapshot(ctx, tenant, id)
	if !errors.Is(err, store.ErrNone) {
		return row, err
	}
	err = l.whole(ctx, func() error {
		e, revision, err := l.getEntry(ctx, tenant, id)
		if err == nil && (e.Snapshot == nil || e.Snapshot.Row.Tenant != tenant) {
			err = store.ErrNone
		}
		if err != nil {
			return err
		}
		return l.bring(ctx, e, revision)
	})
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, errNoSnapshot
	case err != nil:
		return nil, err
	}
	return l.Store.Snapshot(ctx, tenant, id)
}

var errNoSnapshot = fmt.Errorf("snapshot: %w", store.ErrNone)

// DeleteSnapshot is as of package store.
func (l *Ledger) DeleteSnapshot(tenant, id string) error {
	ctx := context.Background()
	e, revision, err := l.getEntry(ctx, tenant, id)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return err
	}
	if err == nil && e.Snapshot != nil {
		went, err := l.removeAs(ctx, tenant, id, e, revision)
		if err == nil && went == 0 { // it was deleted, and maybe made again, by another server
			return l.here(tenant, id, l.Forget(id, revision+1))
		}
		if err != nil {
			return err
		}
		defer l.noteWent(tenant, id, went)
	}
	return l.here(tenant, id, l.Store.DeleteSnapshot(tenant, id))
}

// DeleteSession deletes a session, and ends its runs that wait.
func (l *Ledger) DeleteSession(tenant, id, kind string, result json.RawMessage) error {
	ctx := context.Background()
	if _, err := l.Session(ctx, tenant, id); err != nil && !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	for {
		e, revision, err := l.sessionOf(ctx, tenant, id)
		if errors.Is(err, errMissing) {
			e, revision, err = l.remains(ctx, tenant, id)
		}
		if err != nil {
			return err
		}
		went, err := l.removeAs(ctx, tenant, id, e, revision)
		if err != nil {
			return err
		}
		if went == 0 { // it has changed meanwhile
			if err := l.changing(context.Background()); err != nil {
				return err
			}
			continue
		}
		defer l.noteWent(tenant, id, went)
		break
	}
	waiting, err := l.WaitingRuns(ctx, tenant, id)
	for _, o := range waiting {
		if e := l.Cancel(tenant, o.ID, kind, result); e != nil && !errors.Is(e, store.ErrState) {
			err = errors.Join(err, e)
		}
	}
	if e := l.Store.DeleteSession(tenant, id, kind, result); !errors.Is(e, store.ErrNone) { // one that never came is gone as well
		err = errors.Join(err, e)
	}
	return err
}
