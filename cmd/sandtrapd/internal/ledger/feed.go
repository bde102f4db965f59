package ledger

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	maxChanges = 256         // of the feed that are written together
	markEach   = time.Second // how often it is written how far it is, where it has nothing else
)

// catchUp brings all of the ledger here, and there what is here alone, and has the feed go on.
func (l *Ledger) catchUp(ctx context.Context) error {
	info, err := l.stream.Info(ctx)
	if err != nil {
		return err
	}
	seq, top, err := l.Feed(ctx)
	if err != nil {
		return err
	}
	if end := info.State.LastSeq; top > end {
		seq = min(seq, end)
		if err := l.restore(ctx, end, seq); err != nil {
			return err
		}
	}
	if err := l.follow(ctx, seq); err != nil {
		return err
	}
	unshared, err := l.Unshared(ctx)
	if err != nil {
		return err
	}
	held, err := l.UnsharedHelds(ctx)
	if err != nil {
		return err
	}
	batches, err := l.UnsharedBatches(ctx)
	if err != nil {
		return err
	}
	keys, err := l.UnsharedKeys(ctx)
	if err != nil {
		return err
	}
	return errors.Join(l.shareKeys(ctx, keys), l.sharePolicies(ctx), l.share(ctx, unshared), l.shareHelds(ctx, held), l.shareBatches(ctx, batches), l.compare(ctx), l.removeGone(ctx))
}

// restore writes to a ledger that has lost its end what was there and is here. The feed was at seq, which is not beyond that end.
func (l *Ledger) restore(ctx context.Context, end, seq uint64) error {
	l.log.Warn("the ledger has lost its end, and gets what is here of it", "revision", end)
	lost, err := l.After(ctx, end)
	if err != nil {
		return err
	}
	held, err := l.Helds(ctx, end)
	if err != nil {
		return err
	}
	batches, err := l.BatchesAfter(ctx, end)
	if err != nil {
		return err
	}
	keys, err := l.KeysAfter(ctx, end)
	if err != nil {
		return err
	}
	policies, err := l.PoliciesAfter(ctx, end)
	if err != nil {
		return err
	}
	if err := l.Reset(seq); err != nil {
		return err
	}
	return errors.Join(l.shareKeys(ctx, keys), l.restorePolicies(ctx, policies), l.share(ctx, lost), l.shareHelds(ctx, held), l.shareBatches(ctx, batches))
}

// share writes runs to the ledger that are here alone. What another server has of a run stays there, and the feed brings it.
func (l *Ledger) share(ctx context.Context, list []store.Owned) error {
	for _, o := range list {
		r, err := l.Store.Run(ctx, o.Tenant, o.ID)
		if errors.Is(err, store.ErrNone) {
			continue
		} else if err != nil {
			return err
		}
		if r.Artifacts, err = l.Artifacts(ctx, o.Tenant, o.ID); err != nil {
			return err
		}
		r.Object = ""
		before, err := l.get(ctx, o.Tenant, o.ID)
		switch {
		case errors.Is(err, store.ErrNone):
			before = &store.Run{}
		case err != nil:
			return err
		case before.Part > r.Part || before.State.Over():
			r = before // it has gone on there
		}
		if r != before {
			if err := l.put(ctx, r, before.Revision); errors.Is(err, store.ErrState) {
				continue
			} else if err != nil {
				return err
			}
		}
		if err := l.Replace(r); err != nil {
			return err
		}
	}
	return nil
}

// follow brings the changes of the ledger here from a revision on. It returns when those of now are here.
func (l *Ledger) follow(ctx context.Context, seq uint64) error {
	cfg := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: seq + 1}
	c, err := l.js.OrderedConsumer(ctx, stream, cfg)
	if err != nil {
		return err
	}
	info, err := l.stream.Info(ctx)
	if err != nil {
		return err
	}
	end := info.State.LastSeq
	l.reached(seq)
	changes, all := make(chan jetstream.Msg, maxChanges), make(chan struct{})
	if l.feed, err = c.Consume(func(m jetstream.Msg) {
		select {
		case changes <- m:
		case <-l.stop:
		}
	}); err != nil {
		return err
	}
	l.done.Go(func() { l.write(changes, end, all) })
	if seq >= end {
		return nil
	}
	select {
	case <-all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes changes as they come, those that have come meanwhile together.
func (l *Ledger) write(changes <-chan jetstream.Msg, end uint64, all chan struct{}) {
	for {
		var batch []jetstream.Msg
		select {
		case m := <-changes:
			batch = append(batch, m)
		case <-l.stop:
			return
		}
	more:
		for len(batch) < maxChanges {
			select {
			case m := <-changes:
				batch = append(batch, m)
			default:
				break more
			}
		}
		at := l.writeBatch(batch, end)
		l.reached(at)
		if all != nil && at >= end {
			close(all)
			all = nil
		}
	}
}

// writeBatch writes changes. Those that this server has made since it has begun are here.
func (l *Ledger) writeBatch(batch []jetstream.Msg, end uint64) (at uint64) {
	var list []store.Change
	for _, m := range batch {
		meta, err := m.Metadata()
		if err != nil {
			continue // it is none of a stream
		}
		at = meta.Sequence.Stream
		if at > end && m.Headers().Get(ofServer) == l.id {
			continue
		}
		if c, ok := l.changeOf(m.Headers(), m.Data(), at, m.Subject()); ok {
			list = append(list, c)
		}
	}
	if len(list) == 0 && at > end && time.Since(l.marked) < markEach {
		return at // it is read again if the server starts before
	}
	l.marked = time.Now()
	for l.Apply(false, at, list...) != nil { // as of a disk that is full
		select {
		case <-l.stop:
			return at
		case <-time.After(time.Second):
		}
	}
	l.notice(list...)
	return at
}

// changeOf is the change of an entry of a run. One of a session is written at once. One that cannot be read is left out, which the log says.
func (l *Ledger) changeOf(h nats.Header, data []byte, revision uint64, of string) (c store.Change, ok bool) {
	for {
		c, ok, err := l.tryChange(h, data, revision, of[strings.LastIndex(of, ".")+1:])
		switch {
		case err == nil:
			return c, ok
		case errors.Is(err, store.ErrState): // a newer one comes
			return c, false
		case errors.Is(err, store.ErrCorrupt):
			l.aside(of, revision)
			return c, false
		case !errors.Is(err, store.ErrDisk):
			l.log.Error("an entry of the ledger cannot be read", "error", err)
			return c, false
		}
		select {
		case <-l.stop:
			return c, false
		case <-time.After(time.Second):
		}
	}
}

func (l *Ledger) tryChange(h nats.Header, data []byte, revision uint64, id string) (c store.Change, ok bool, err error) {
	e, err := l.read(context.Background(), h, data, revision)
	switch {
	case errors.Is(err, store.ErrNone) && strings.HasPrefix(id, runPrefix):
		return store.Change{Gone: true, Run: &store.Run{ID: id, Revision: revision}}, true, nil
	case errors.Is(err, store.ErrNone):
		return c, false, l.goneHeld(id, revision)
	case err != nil:
		return c, false, err
	case e.Batch != nil: // after the runs before it, with which it has ended
		e.Batch.Revision = revision
		return store.Change{Batch: e.Batch}, true, nil
	case e.Run == nil:
		return c, false, l.bring(context.Background(), e, revision)
	}
	c.Run, err = e.run(revision)
	return c, err == nil, err
}

// compare removes what is not in the ledger any more, and was deleted there while this server was away.
func (l *Ledger) compare(ctx context.Context) error {
	shared, err := l.Shared(ctx)
	if err != nil {
		return err
	}
	held, err := l.Helds(ctx, 0)
	if err != nil {
		return err
	}
	batches, err := l.BatchesAfter(ctx, 0)
	if err != nil || len(shared)+len(held)+len(batches) == 0 {
		return err
	}
	info, err := l.stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return err
	}
	for _, o := range shared {
		if info.State.Subjects[subject(o.Tenant, o.ID)] > 0 || o.Revision > info.State.LastSeq {
			continue
		}
		if err := l.Apply(false, 0, store.Change{Gone: true, Run: &store.Run{ID: o.ID, Revision: o.Revision + 1}}); err != nil {
			return err
		}
	}
	for _, b := range batches {
		held = append(held, store.Held{Tenant: b.Tenant, ID: b.ID, Revision: b.Revision})
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
