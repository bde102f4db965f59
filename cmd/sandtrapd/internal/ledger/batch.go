package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// batchKey makes the key of a batch a name that no session can have.
const batchKey = "\x00batch\x00"

var errNoBatch = fmt.Errorf("batch: %w", store.ErrNone)

// AddBatch is as of package store. Of servers that are sent a batch with one key at a time one adds it. If the error matches store.ErrDoubt
// it may go on.
func (l *Ledger) AddBatch(b *store.Batch, most int64) error {
	ctx := context.Background()
	if b.Key != "" {
		if err := l.claimBatch(ctx, b); err != nil {
			return err
		}
	}
	b.Seq = l.seq(b.Created)
	revision, _, err := l.putEntry(ctx, b.Tenant, b.ID, entry{Batch: b}, "", 0)
	if err == nil {
		b.Revision = revision
		if err = l.Store.AddBatch(b, most); err != nil {
			err = errors.Join(err, l.remove(ctx, store.Owned{Tenant: b.Tenant, ID: b.ID, Revision: revision}))
		}
	}
	if err != nil && b.Key != "" && !errors.Is(err, store.ErrDoubt) {
		l.freeName(ctx, b.Tenant, batchKey+b.Key, b.ID)
	}
	return err
}

// batchOf is the entry of a batch as it is now.
func (l *Ledger) batchOf(ctx context.Context, tenant, id string) (*store.Batch, uint64, error) {
	e, revision, err := l.getEntry(ctx, tenant, id)
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, 0, errNoBatch
	case err != nil:
		return nil, 0, err
	case e.Batch == nil || e.Batch.Tenant != tenant:
		return nil, 0, errNoBatch
	}
	e.Batch.Revision = revision
	return e.Batch, revision, nil
}

// tenantOf is the tenant of a batch that is in the ledger.
func (l *Ledger) tenantOf(ctx context.Context, id string) (string, error) {
	if !isID(id) {
		return "", errNoBatch
	}
	m, err := l.lastMsg(ctx, prefix+"*."+id)
	if errors.Is(err, store.ErrNone) {
		return "", errNoBatch
	} else if err != nil {
		return "", err
	}
	e, err := l.read(ctx, m.Header, m.Data, m.Sequence)
	switch {
	case err != nil:
		return "", err
	case e.Batch == nil:
		return "", errNoBatch
	}
	return e.Batch.Tenant, nil
}

// Batch is the batch of a tenant, or of any with store.All. One that has not ended is as the ledger has it now.
func (l *Ledger) Batch(ctx context.Context, tenant, id string) (*store.Batch, error) {
	b, err := l.Store.Batch(ctx, tenant, id)
	if errors.Is(err, store.ErrNone) && tenant == store.All {
		if tenant, err = l.tenantOf(ctx, id); err != nil {
			return nil, err
		}
		err = errNoBatch // here
	}
	switch {
	case errors.Is(err, store.ErrNone):
	case err == nil && b.Ended.IsZero() && b.Revision > 0:
		tenant = b.Tenant
	default:
		return b, err
	}
	now, _, getErr := l.batchOf(ctx, tenant, id)
	switch {
	case getErr != nil && err != nil:
		return nil, getErr
	case getErr != nil || err == nil && now.Revision <= b.Revision: // as it was here
		return b, nil
	}
	if err := l.bringBatch(ctx, now); err != nil {
		return nil, err
	}
	return l.Store.Batch(ctx, tenant, id)
}

// bringBatch has a batch be here as it is in the ledger. One that has ended comes after its runs, so that nobody sees its end without them.
func (l *Ledger) bringBatch(ctx context.Context, b *store.Batch) error {
	if !b.Ended.IsZero() {
		if err := l.reachNow(ctx); err != nil {
			return err
		}
	}
	return l.PutBatch(b)
}

// shareBatches writes batches to the ledger that are here alone.
func (l *Ledger) shareBatches(ctx context.Context, list []*store.Batch, in store.Span) error {
	for _, b := range list {
		there, revision, gone, err := l.before(ctx, b.Tenant, b.ID, b.Revision, in)
		switch {
		case err != nil:
			return err
		case gone || there != nil && there.Batch == nil: // or it is of a newer version
			continue
		case there == nil && b.Key != "":
			if err := l.claimBatch(ctx, b); err != nil && !errors.Is(err, store.ErrExists) { // that of another one stays
				return err
			}
		case there != nil:
			if b.Cancelled.IsZero() {
				b.Cancelled = there.Batch.Cancelled
			}
			if b.Ended.IsZero() {
				b.Ended = there.Batch.Ended
			}
		}
		if b.Revision, _, err = l.putEntry(ctx, b.Tenant, b.ID, entry{Batch: b}, "", revision); errors.Is(err, store.ErrState) {
			continue // the feed brings it
		}
		if err == nil {
			err = l.ReplaceBatch(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// claimBatch has a batch have its key.
func (l *Ledger) claimBatch(ctx context.Context, b *store.Batch) error {
	return l.claimName(ctx, b.Tenant, batchKey+b.Key, b.ID, func(id string) error { _, _, err := l.batchOf(ctx, b.Tenant, id); return err })
}

// BatchByKey is the batch that a tenant has sent with a key, to any server.
func (l *Ledger) BatchByKey(ctx context.Context, tenant, key string) (*store.Batch, error) {
	e, _, err := l.getEntry(ctx, tenant, nameID(tenant, batchKey+key))
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, errNoBatch
	case err != nil:
		return nil, err
	case e.Named == nil:
		return nil, errNoBatch
	}
	return l.Batch(ctx, tenant, e.Named.Of)
}

// CancelBatch is as of package store.
func (l *Ledger) CancelBatch(tenant, id string, now time.Time) error {
	return l.changeBatch(tenant, id, func(b *store.Batch) bool {
		change := b.Cancelled.IsZero() && b.Ended.IsZero()
		if change {
			b.Cancelled = now
		}
		return change
	})
}

// EndBatch is as of package store. What is here of the runs of the batch tells it.
func (l *Ledger) EndBatch(tenant, id string, now time.Time) (ended bool, err error) {
	ctx := context.Background()
	for range 2 { // another server may have begun runs of one that was cancelled
		if ends, err := l.BatchEnds(ctx, tenant, id); err != nil || !ends {
			return false, err
		}
		if b, err := l.Store.Batch(ctx, tenant, id); err != nil || b.Cancelled.IsZero() {
			break
		}
		if err := l.reachNow(ctx); err != nil {
			return false, err
		}
	}
	err = l.changeBatch(tenant, id, func(b *store.Batch) bool {
		ended = true
		change := b.Ended.IsZero()
		if change {
			b.Ended = now
		}
		return change
	})
	return ended, err
}

// changeBatch changes a batch by compare-and-set, if f says so, and has it here as it is there.
func (l *Ledger) changeBatch(tenant, id string, f func(*store.Batch) bool) error {
	ctx := context.Background()
	for {
		b, revision, err := l.batchOf(ctx, tenant, id)
		if err != nil {
			return err
		}
		if f(b) {
			b.Revision, _, err = l.putEntry(ctx, tenant, id, entry{Batch: b}, "", revision)
		}
		if err == nil {
			return l.here(tenant, id, l.bringBatch(ctx, b))
		}
		if !errors.Is(err, store.ErrState) {
			return err
		}
		if err := l.changing(context.Background()); err != nil {
			return err
		}
	}
}

// DeleteBatch is as of package store.
func (l *Ledger) DeleteBatch(tenant, id string) error {
	ctx := context.Background()
	b, _, err := l.batchOf(ctx, tenant, id)
	switch {
	case err != nil && !errors.Is(err, store.ErrNone):
		return err
	case err == nil:
		if err := l.PutBatch(b); err != nil {
			return err
		}
	}
	if err := l.Store.DeleteBatch(tenant, id); err != nil {
		return err
	}
	if b != nil && b.Key != "" {
		l.freeName(ctx, tenant, batchKey+b.Key, id)
	}
	return l.removeGone(ctx) // the batch, and its runs
}
