package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/objects"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Ledger is a store of runs that several servers share. It is safe for concurrent use.
type Ledger struct {
	*store.Store // what is here; lists and searches read it
	*peers.Group // the servers that share it

	id      string // of this server, in its data directory
	conn    *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	objects *objects.Bucket
	log     *slog.Logger

	feed *feed // of the goroutine that looks
	stop chan struct{}
	done sync.WaitGroup

	mu      sync.Mutex
	last    int64 // Seq of a run or a session
	leases  map[string]*lease
	takes   map[string]int // sessions that this server takes just now
	seen    uint64         // up to which revision all of the ledger is here
	losses  int            // how often the ledger has lost its end
	moved   chan struct{}  // closed when these change
	marks   store.Marks
	doubts  doubts
	asides  map[string]put // by subject
	noticed notices
	adopt   Adopt
	subs    []*nats.Subscription
	deleted func(id string) // is told of sessions that another server has deleted
	current time.Time       // when all that was in the ledger was here
	heardAt time.Time       // when the ledger has answered last

	keysChanged, policiesChanged func() error // read them again
}

// RunID is the ID of a run that begins. One with a key has the same ID at each server, so that it begins once.
func (l *Ledger) RunID(tenant, key string) string {
	if key == "" {
		return ""
	}
	return keyedID(tenant, key)
}

// AddRuns writes runs that begin here. One whose client is told at its end alone is in the ledger then, unless it is a line of a batch.
func (l *Ledger) AddRuns(runs ...*store.Run) error {
	for _, r := range runs {
		l.begins(r)
		if r.ToldAtEnd && r.Batch == "" { // a line may be given to another server
			continue
		}
		err := l.put(context.Background(), r, 0)
		if errors.Is(err, store.ErrState) {
			err = fmt.Errorf("a run with this key: %w", store.ErrExists)
		}
		if err != nil {
			l.takeBack(runs)
			return err
		}
	}
	err := l.Store.AddRuns(runs...)
	if err != nil {
		l.takeBack(runs)
	}
	return err
}

// begins has a run be one that begins here.
func (l *Ledger) begins(r *store.Run) {
	r.Seq, r.Revision, r.Object, r.Owner, r.Begins = l.seq(r.Created), 0, "", l.owner(r), 1
}

// takeBack deletes runs from the ledger that are not here after all.
func (l *Ledger) takeBack(runs []*store.Run) {
	for _, r := range runs { // before clear asks for one
		l.setFresh(r)
	}
	for _, r := range runs {
		if r.Revision > 0 {
			if err := l.remove(context.Background(), store.Owned{Tenant: r.Tenant, ID: r.ID, Revision: r.Revision, Object: r.Object}); err != nil {
				l.setFresh(r)
				l.log.Warn("a run that was refused may be in the ledger: it goes on then if it has a key, and is deleted if it has none", "run", r.ID, "error", err)
			}
		}
	}
}

// owner is the server that a run goes on in when it was written here: this one, or none if it does not go on.
func (l *Ledger) owner(r *store.Run) string {
	if r.State == store.Running {
		return l.id
	}
	return ""
}

// seq is the place of a run in lists, which is the same at all servers: when it was made, in Unix time in µs.
func (l *Ledger) seq(created time.Time) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = max(l.last+1, created.UnixMicro())
	return l.last
}

// Finish writes what became of a run that went on here. The error matches store.ErrState if it goes on in another server now.
func (l *Ledger) Finish(r *store.Run) error {
	if r.Unwritten && r.Seq == 0 {
		r.Seq, r.Owner = l.seq(r.Created), l.id
	}
	now := r // as it was when it began to go on: that it has changed since shows in its revision
	for {
		var err error
		if now.Owner == l.id {
			one := *r
			one.Seq, one.Owner, one.Object, one.Answers, one.Part, one.Begins = now.Seq, "", now.Object, nil, now.Part+1, 1
			if r.Kept != nil && r.Kept.Revision == 0 {
				if err := l.keep(context.Background(), r.Kept, &one); err != nil && !errors.Is(err, store.ErrNone) { // it may have been deleted
					return err
				}
			}
			if err = l.put(context.Background(), &one, now.Revision); err == nil {
				r.Revision, r.Object = one.Revision, one.Object
				return l.finished(r)
			}
			if !errors.Is(err, store.ErrState) {
				return err
			}
		}
		if now, err = l.again(r); err != nil {
			return err
		}
	}
}

// finished writes here what became of a run, which the ledger has.
func (l *Ledger) finished(r *store.Run) error {
	err := l.kept(r.Kept, l.Store.Finish(r))
	if errors.Is(err, store.ErrState) {
		if now, e := l.Store.Run(context.Background(), r.Tenant, r.ID); e == nil && now.Revision >= r.Revision {
			return nil // it was doubted, and is here
		}
	}
	return l.here(r.Tenant, r.ID, err)
}

// again is a run that went on here as it is now.
func (l *Ledger) again(r *store.Run) (*store.Run, error) {
	if err := l.refreshLater(r.Tenant, r.ID); err != nil && !errors.Is(err, store.ErrNone) { // nobody was told of it
		return nil, err
	}
	now, err := l.Store.Run(context.Background(), r.Tenant, r.ID)
	if err == nil && (now.State != store.Running || now.Owner != l.id) {
		err = errConflict
	}
	return now, err
}

// change changes a run, whoever has changed it meanwhile. One that goes on then goes on here.
func (l *Ledger) change(tenant, id string, f func(*store.Run) error) error {
	for {
		r, err := l.Run(context.Background(), tenant, id)
		if err != nil {
			return err
		}
		if err := f(r); err != nil {
			return err
		}
		r.Owner = l.owner(r)
		err = l.put(context.Background(), r, r.Revision)
		if errors.Is(err, store.ErrState) {
			if err = l.refreshLater(tenant, id); err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		c := store.Change{Run: r}
		defer l.notice(c)
		return l.here(tenant, id, l.Apply(true, c))
	}
}

// refreshLater is refresh for who was told that another server has changed the run just now: one that changes it all the time is not followed in a
// hot loop.
func (l *Ledger) refreshLater(tenant, id string) error {
	if err := l.changing(context.Background()); err != nil {
		return err
	}
	return l.refresh(tenant, id)
}

// refresh brings a run from the ledger.
func (l *Ledger) refresh(tenant, id string) error {
	r, err := l.get(context.Background(), tenant, id)
	if errors.Is(err, store.ErrState) {
		return nil // it changes just now
	}
	if err != nil {
		return err
	}
	return l.Apply(false, store.Change{Run: r})
}

// Run is a run of a tenant. One that is not over is as the ledger has it now.
func (l *Ledger) Run(ctx context.Context, tenant, id string) (*store.Run, error) {
	r, err := l.Store.Run(ctx, tenant, id)
	switch {
	case errors.Is(err, store.ErrNone) && tenant != store.All:
	case err == nil && !r.State.Over() && r.Revision > 0:
		tenant = r.Tenant
	default:
		return r, err
	}
	now, getErr := l.get(ctx, tenant, id)
	switch {
	case getErr != nil && err != nil:
		return nil, getErr
	case getErr != nil || err == nil && now.Revision == r.Revision: // as it was here
		return r, nil
	}
	if err := l.Apply(false, store.Change{Run: now}); err != nil {
		return nil, err
	}
	return l.Store.Run(ctx, tenant, id)
}

// RunByKey is the run that a tenant began with a key.
func (l *Ledger) RunByKey(ctx context.Context, tenant, key string) (*store.Run, error) {
	r, err := l.Store.RunByKey(ctx, tenant, key)
	if errors.Is(err, store.ErrNone) {
		return l.Run(ctx, tenant, keyedID(tenant, key))
	}
	return r, err
}
