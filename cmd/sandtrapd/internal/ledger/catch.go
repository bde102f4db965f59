package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// catchUp brings all of the ledger here, and there what it has lost, and has the feed go on. Marks, the newest first, tell what is here, and
// the feed was at a revision.
func (l *Ledger) catchUp(ctx context.Context, marks []store.Mark, seq uint64) error {
	end, err := l.end(ctx)
	if err != nil {
		return err
	}
	last, err := l.lastOf(ctx, marks, seq, end)
	if err != nil {
		return err
	}
	if err := l.restore(ctx, last); err != nil {
		return err
	}
	return l.follow(ctx, last)
}

// join brings there what was never in the ledger, and removes here what was deleted while this server was away.
func (l *Ledger) join(ctx context.Context) error {
	return errors.Join(l.sharePolicies(ctx), l.shareAll(ctx, store.Unshared), l.compare(ctx), l.removeGone(ctx))
}

// end is the revision of the last entry.
func (l *Ledger) end(ctx context.Context) (uint64, error) {
	began := time.Now()
	info, err := l.stream.Info(ctx)
	if err != nil {
		return 0, unreachable{fmt.Errorf("the ledger: %w", err)}
	}
	l.heard(began)
	return info.State.LastSeq, nil
}

// lastOf is the newest of some marks of which the ledger still has the entry, and with it all before it. If there is none it is where the feed
// was, or 0 if the ledger has lost entries.
func (l *Ledger) lastOf(ctx context.Context, marks []store.Mark, seq, end uint64) (last uint64, err error) {
	lost, found := seq > end, false
	for _, m := range marks {
		there, err := l.stream.GetMsg(ctx, m.Revision)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
			lost = lost || m.Revision > end // else a newer entry may have its name
		case err != nil:
			return 0, unreachable{fmt.Errorf("the ledger: %w", err)}
		default:
			found = there.Time.Equal(m.Time)
			lost = lost || !found
		}
		if found {
			last = m.Revision
			break
		}
	}
	if lost {
		l.mu.Lock()
		l.losses++
		l.mu.Unlock()
		l.log.Warn("the ledger has lost its end, and gets what is here of it", "revision", last)
	} else if !found {
		last = seq
	}
	return last, nil
}

// restore writes to the ledger what is here and comes after the last entry that it has for certain, and deletes there what was deleted after it.
func (l *Ledger) restore(ctx context.Context, last uint64) error {
	policies, err := l.PoliciesIn(ctx, store.After(last))
	if err != nil {
		return err
	}
	if err := l.restorePolicies(ctx, policies); err != nil {
		return err
	}
	if err := l.shareAll(ctx, store.After(last)); err != nil {
		return err
	}
	if err := l.deleteLost(ctx, last); err != nil {
		return err
	}
	return l.Reset(last)
}

// shareAll writes to the ledger what is here with some revisions, but for policies.
func (l *Ledger) shareAll(ctx context.Context, in store.Span) error {
	runs, err := l.RunsIn(ctx, in)
	if err != nil {
		return err
	}
	held, err := l.HeldsIn(ctx, in)
	if err != nil {
		return err
	}
	batches, err := l.BatchesIn(ctx, in)
	if err != nil {
		return err
	}
	keys, err := l.KeysIn(ctx, in)
	if err != nil {
		return err
	}
	known, err := l.knownRuns(ctx, runs, in)
	if err != nil {
		return err
	}
	return errors.Join(l.shareKeys(ctx, keys), l.share(ctx, runs, known, in), l.shareHelds(ctx, held, in), l.shareBatches(ctx, batches, in))
}

// before is what the ledger has of an entry that is shared, and that is here with a revision: nil if it has nothing, or lacks an object of what
// is here, or has what was deleted here. It is gone if it was deleted after a span of revisions began, or is another one that lacks an object: the feed says so here.
func (l *Ledger) before(ctx context.Context, tenant, id string, here uint64, in store.Span) (e *entry, revision uint64, gone bool, err error) {
	e, revision, err = l.getEntry(ctx, tenant, id)
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, 0, in.First > 0 && revision >= in.First, nil
	case errors.Is(err, store.ErrCorrupt):
		return nil, revision, revision != here, nil
	case err != nil:
		return nil, 0, false, err
	}
	if is, err := l.WasDeleted(ctx, store.Deleted{Tenant: tenant, ID: id, Created: e.created()}); is || err != nil { // and made again
		return nil, revision, false, err
	}
	return e, revision, false, nil
}

// share writes runs to the ledger that are not in it. What another server has of a run stays there, and the feed brings it.
func (l *Ledger) share(ctx context.Context, list []store.Owned, known map[string]*outline, in store.Span) error {
	for _, o := range list {
		if there := known[subject(o.Tenant, o.ID)]; there != nil {
			if here, err := l.Store.Run(ctx, o.Tenant, o.ID); err == nil && there.of(here) {
				continue
			}
		}
		err := l.shareRun(ctx, o, in)
		for errors.Is(err, store.ErrState) { // it has changed meanwhile
			if err := l.changing(ctx); err != nil {
				return err
			}
			err = l.shareRun(ctx, o, in)
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
	}
	return nil
}

func (l *Ledger) shareRun(ctx context.Context, o store.Owned, in store.Span) error {
	r, err := l.Store.Run(ctx, o.Tenant, o.ID)
	if err != nil {
		return err
	}
	here := r.Revision
	if r.Artifacts, err = l.Artifacts(ctx, o.Tenant, o.ID); err != nil {
		return err
	}
	there, revision, gone, err := l.before(ctx, o.Tenant, o.ID, here, in)
	if err != nil || gone {
		return err
	}
	before := &store.Run{Revision: revision}
	if there != nil {
		if before, err = there.run(revision); err != nil {
			return nil // it is of a newer version
		}
		switch {
		case outlineOf(before).of(r):
			return nil
		case before.Part > r.Part || before.State.Over(): // it has gone on there
			return l.Replace(before, here)
		}
	}
	r.Object = before.Object
	if err := l.put(ctx, r, before.Revision); err != nil {
		return err
	}
	return l.Replace(r, here)
}

// compare removes what is not in the ledger any more, and was deleted there while this server was away.
func (l *Ledger) compare(ctx context.Context) error {
	shared, err := l.RunsIn(ctx, store.After(0))
	if err != nil {
		return err
	}
	held, err := l.HeldsIn(ctx, store.After(0))
	if err != nil {
		return err
	}
	batches, err := l.BatchesIn(ctx, store.After(0))
	if err != nil || len(shared)+len(held)+len(batches) == 0 {
		return err
	}
	for _, b := range batches {
		held = append(held, store.Held{Tenant: b.Tenant, ID: b.ID, Revision: b.Revision})
	}
	info, err := l.stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return err
	}
	for _, o := range shared {
		if info.State.Subjects[subject(o.Tenant, o.ID)] > 0 || o.Revision > info.State.LastSeq {
			continue
		}
		if err := l.Apply(false, store.Change{Gone: true, Run: &store.Run{ID: o.ID, Revision: o.Revision + 1}}); err != nil {
			return err
		}
	}
	for _, h := range held {
		if info.State.Subjects[subject(h.Tenant, h.ID)] > 0 || h.Revision > info.State.LastSeq {
			continue
		}
		if err := l.Forget(h.ID, h.Revision+1); err != nil {
			return err
		}
	}
	return nil
}
