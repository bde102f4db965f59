package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// deleteLost removes from a ledger that may have lost its end what was deleted after a revision, and is there again.
func (l *Ledger) deleteLost(ctx context.Context, last uint64) error {
	list, err := l.Deleted(ctx, last)
	if err != nil || len(list) == 0 {
		return err
	}
	info, err := l.stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return unreachable{err}
	}
	for _, d := range list {
		if info.State.Subjects[subject(d.Tenant, d.ID)] == 0 {
			continue
		}
		e, revision, err := l.getEntry(ctx, d.Tenant, d.ID)
		switch {
		case errors.Is(err, store.ErrCorrupt) && revision <= last: // its object was deleted with it
			e = &entry{}
		case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrNone):
			continue
		case err != nil:
			return err
		case !e.created().Equal(d.Created): // it was made again
			continue
		}
		went, err := l.removeAs(ctx, d.Tenant, d.ID, e, revision)
		if err != nil {
			return err
		}
		l.noteWent(d.Tenant, d.ID, went)
	}
	return nil
}

// deleteAgain reports that a session or a snapshot was deleted here, and removes it from the ledger, which has it again.
func (l *Ledger) deleteAgain(ctx context.Context, tenant, id string, e *entry, revision uint64) (is bool, err error) {
	if is, err = l.WasDeleted(ctx, store.Deleted{Tenant: tenant, ID: id, Created: e.created()}); err != nil || !is {
		return is, err
	}
	went, err := l.removeAs(ctx, tenant, id, e, revision)
	l.noteWent(tenant, id, went)
	return true, err
}

// removeAs removes an entry from the ledger, with its objects and its name, and gives the revision at which it went: 0 if it was changed.
func (l *Ledger) removeAs(ctx context.Context, tenant, id string, e *entry, revision uint64) (went uint64, err error) {
	c := e.contents()
	leaves := l.leaves(ctx, c.under(id), c.Objects, nil)
	if went, err = l.removed(ctx, store.Owned{Tenant: tenant, ID: id, Revision: revision, Object: e.Object}); err != nil || went == 0 {
		return 0, err
	}
	l.forget(leaves...)
	if s := e.Session; s != nil {
		if l.unlease(id); s.Row.Name != "" {
			l.freeName(ctx, tenant, s.Row.Name, id)
		}
	}
	return went, nil
}

// noteWent notes at which revision something went that is not here any more.
func (l *Ledger) noteWent(tenant, id string, went uint64) {
	if err := l.Settle(store.Owned{Tenant: tenant, ID: id, Went: went}); err != nil {
		l.log.Warn("it is not known here when something was deleted", "of", id, "error", err)
	}
}

// created is when a run, a batch, a session or a snapshot was made.
func (e *entry) created() (at time.Time) {
	switch {
	case e.Run != nil:
		at = e.Run.Created
	case e.Batch != nil:
		at = e.Batch.Created
	case e.Session != nil:
		at = e.Session.Row.Created
	case e.Snapshot != nil:
		at = e.Snapshot.Row.Created
	}
	return at
}
