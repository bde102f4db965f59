package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Objects are left that no entry names: of servers that were killed between the two, and of those that have lost a compare-and-set.
const (
	sweepEach = time.Hour
	sweptFor  = time.Hour // no server needs so long from an object to the entry that names it
)

// sweep removes such objects when the server has begun, and again and again. One server does, that with the first ID.
func (l *Ledger) sweep() {
	for wait := peers.SilentFor * 2; ; wait = sweepEach {
		if l.pause(context.Background(), wait) != nil {
			return
		}
		if !l.First(time.Now()) {
			continue
		}
		ctx, cancel := l.until()
		n, err := l.objects.Sweep(ctx, sweptFor, l.namedBy)
		cancel()
		if n > 0 {
			l.log.Info("objects that nothing in the ledger names were deleted", "objects", n)
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			l.log.Warn("objects that nothing in the ledger names are not all deleted", "error", err)
		}
	}
}

// until is a context that ends with the ledger.
func (l *Ledger) until() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-l.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// namedBy are the objects that entries with an ID name. It is nil if they are not known, as of an entry of a newer build.
func (l *Ledger) namedBy(ctx context.Context, id string) (map[string]bool, error) {
	if !isID(id) {
		return nil, nil
	}
	info, err := l.stream.Info(ctx, jetstream.WithSubjectFilter(prefix+"*."+id))
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for of := range info.State.Subjects {
		m, err := l.lastMsg(ctx, of)
		if errors.Is(err, store.ErrNone) {
			continue
		} else if err != nil {
			return nil, err
		}
		e, err := l.read(ctx, m.Header, m.Data, m.Sequence)
		switch {
		case errors.Is(err, store.ErrNone):
			continue
		case errors.Is(err, store.ErrDisk):
			return nil, err
		case err != nil:
			return nil, nil
		}
		all[e.Object] = true
		c := e.contents()
		for _, h := range c.Objects {
			all[objectOf(c.under(id), h)] = true
		}
	}
	return all, nil
}

// contents are those of a session or a snapshot; none of other entries.
func (e *entry) contents() (c contents) {
	switch {
	case e.Session != nil:
		c = e.Session.Contents
	case e.Snapshot != nil:
		c = e.Snapshot.Contents
	}
	return c
}
