package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// keyedID is the ID of a run with a key. Who does not know the key cannot guess it, and it belongs to its tenant as each ID does.
func keyedID(tenant, key string) string {
	sum := sha256.Sum256([]byte(tenant + "\x00" + key))
	return runPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// Answer is as of package store.
func (l *Ledger) Answer(tenant, id string, part int, answers json.RawMessage) error {
	return l.change(tenant, id, func(r *store.Run) error {
		if r.State != store.Pending || r.Part != part {
			return store.ErrState
		}
		r.State, r.Answers = store.Running, answers
		return nil
	})
}

// Begin is as of package store.
func (l *Ledger) Begin(tenant, id string, journal []byte) error {
	return l.changeRunning(tenant, id, func(r *store.Run) { r.Journal = journal })
}

// SetBegins is as of package store.
func (l *Ledger) SetBegins(tenant, id string, n int) error {
	return l.changeRunning(tenant, id, func(r *store.Run) { r.Begins = n })
}

func (l *Ledger) changeRunning(tenant, id string, f func(*store.Run)) error {
	return l.change(tenant, id, func(r *store.Run) error {
		if r.State != store.Running || r.Owner != l.id {
			return errConflict
		}
		f(r)
		return nil
	})
}

// Cancel is as of package store.
func (l *Ledger) Cancel(tenant, id, kind string, result json.RawMessage) error {
	return l.endWaiting(tenant, id, store.Cancelled, kind, result)
}

// endWaiting ends a run that waits.
func (l *Ledger) endWaiting(tenant, id string, state store.State, kind string, result json.RawMessage) error {
	return l.change(tenant, id, func(r *store.Run) error {
		if r.State != store.Pending {
			return store.ErrState
		}
		r.State, r.Ended, r.Kind, r.Result, r.Pending, r.Journal = state, time.Now(), kind, result, nil, nil
		return nil
	})
}

// claim has a run that goes on in a server that is silent go on here. The error matches store.ErrState if it does not go on there.
func (l *Ledger) claim(o store.Owned, server string) error {
	return l.change(o.Tenant, o.ID, func(r *store.Run) error {
		if r.State != store.Running || r.Owner != server {
			return store.ErrState
		}
		return nil
	})
}

// DeleteRun is as of package store.
func (l *Ledger) DeleteRun(tenant, id string) error {
	if _, err := l.Run(context.Background(), tenant, id); err != nil {
		return err
	}
	if err := l.Store.DeleteRun(tenant, id); err != nil {
		return err
	}
	return l.removeGone(context.Background())
}

// Retain is as of package store. Runs that have waited too long end here as they do everywhere.
func (l *Ledger) Retain(ctx context.Context, now time.Time, r store.Retention) (removed, failed int64, err error) {
	if r.Pending > 0 {
		for _, o := range l.overdue(ctx, now.Add(-r.Pending)) {
			if err := l.endWaiting(o.Tenant, o.ID, store.Failed, r.Kind, r.Result); err == nil {
				failed++
			}
		}
		r.Pending = 0
	}
	removed, _, err = l.Store.Retain(ctx, now, r)
	return removed, failed, errors.Join(err, l.removeGone(ctx))
}

func (l *Ledger) overdue(ctx context.Context, before time.Time) []store.Owned {
	list, err := l.Store.Overdue(ctx, before)
	if err != nil {
		l.log.Error("the runs that have waited too long are not known", "error", err)
	}
	return list
}

// removeGone removes from the ledger what was deleted here.
func (l *Ledger) removeGone(ctx context.Context) error {
	for ctx.Err() == nil {
		list, err := l.Gone(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for i, o := range list {
			if list[i].Went, err = l.removed(ctx, o); err != nil {
				return err
			}
		}
		if err := l.Settle(list...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// remove removes an entry from the ledger, unless another server has changed it.
func (l *Ledger) remove(ctx context.Context, o store.Owned) error {
	_, err := l.removed(ctx, o)
	return err
}

// removed is remove, and gives the revision at which the entry went: 0 if it was changed.
func (l *Ledger) removed(ctx context.Context, o store.Owned) (revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m := &nats.Msg{Subject: subject(o.Tenant, o.ID), Header: nats.Header{ofServer: {l.id}, kvOp: {"PURGE"}, jetstream.MsgRollup: {jetstream.MsgRollupSubject}}}
	old := l.version(ctx, o.Object)
	ack, err := l.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(o.Revision), jetstream.WithMsgTTL(markerFor))
	if conflict(err) { // the feed brings it
		return 0, nil
	}
	if err != nil {
		l.doubt(o.Tenant, o.ID)
		return 0, unreachable{err}
	}
	l.forget(old)
	return ack.Sequence, nil
}
