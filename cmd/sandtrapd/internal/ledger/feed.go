package ledger

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// maxChanges bounds the changes of the feed that are written together.
const maxChanges = 256

// A feed brings the changes of the ledger here.
type feed struct {
	of      jetstream.Consumer
	name    string // of what NATS has of it
	consume jetstream.ConsumeContext
	changes chan jetstream.Msg
	end     uint64        // where the ledger ended when it began: what this server has written since is here
	all     chan struct{} // closed when that is here
	pending uint64        // entries that come after the last one that has come; of the goroutine that writes
	told    chan answer   // what Info says, nil if it is not asked; of the goroutine that looks
	stop    chan struct{}
	done    sync.WaitGroup
}

// An answer is what NATS says of what it has of a feed.
type answer struct {
	name string
	err  error
}

// follow has the feed go on after a revision. It returns when all is here that is in the ledger now.
func (l *Ledger) follow(ctx context.Context, seq uint64) error {
	cfg := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: seq + 1}
	c, err := l.js.OrderedConsumer(ctx, Stream, cfg)
	if err != nil {
		return err
	}
	end, err := l.end(ctx)
	if err != nil {
		return err
	}
	f := &feed{of: c, changes: make(chan jetstream.Msg, maxChanges), end: end, all: make(chan struct{}), stop: make(chan struct{})}
	l.feedBegins(seq)
	if f.consume, err = c.Consume(func(m jetstream.Msg) {
		select {
		case f.changes <- m:
		case <-f.stop:
		}
	}); err != nil {
		return err
	}
	l.feed, f.name = f, c.CachedInfo().Name
	f.done.Go(func() { l.write(f) })
	if seq >= end || c.CachedInfo().NumPending == 0 { // the last entries may be gone
		return nil
	}
	for {
		select {
		case <-f.all:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
			began := time.Now()
			if name, err := f.current(ctx); err == nil {
				l.heard(began)
				if name != f.name {
					return errFeedGone
				}
			}
		}
	}
}

// errFeedGone is the error of a feed that NATS does not have any more, before it has brought all: it begins again.
var errFeedGone = unreachable{errors.New("the ledger: NATS has ended meanwhile")}

// current is the name of what NATS has of the feed, or none if it has nothing. It has a bound of its own, as Info has none: nobody answers for
// what a server of NATS had in memory that is gone, and the consumer does not begin again while Info waits. Nor does Info heed its context while
// the consumer begins again, which lasts as long as NATS makes none: so Info is left alone then, and its answer is awaited the next time.
func (f *feed) current(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if f.told == nil {
		told := make(chan answer, 1)
		f.told = told
		go func() {
			info, err := f.of.Info(ctx)
			switch {
			case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrOrderedConsumerNotCreated):
				told <- answer{}
			case err != nil:
				told <- answer{err: unreachable{err}}
			default:
				told <- answer{name: info.Name}
			}
		}()
	}
	select {
	case one := <-f.told:
		f.told = nil
		return one.name, one.err
	case <-ctx.Done():
		return "", unreachable{ctx.Err()}
	}
}

// halt ends the feed.
func (l *Ledger) halt() {
	if f := l.feed; f != nil {
		l.feed = nil
		close(f.stop)
		f.consume.Stop()
		<-f.consume.Closed()
		f.done.Wait()
	}
}

// write writes changes as they come, those that have come meanwhile together.
func (l *Ledger) write(f *feed) {
	all := f.all
	for {
		var batch []jetstream.Msg
		select {
		case m := <-f.changes:
			batch = append(batch, m)
		case <-f.stop:
			return
		}
	more:
		for len(batch) < maxChanges {
			select {
			case m := <-f.changes:
				batch = append(batch, m)
			default:
				break more
			}
		}
		last, ok := l.writeBatch(f, batch)
		if !ok {
			return
		}
		if last.Revision > 0 {
			l.reached(last)
		}
		if all != nil && (last.Revision >= f.end || f.pending == 0) {
			close(all)
			all = nil
		}
	}
}

// writeBatch writes changes. Those that this server has made since the feed has begun are here, or are doubted.
func (l *Ledger) writeBatch(f *feed, batch []jetstream.Msg) (last store.Mark, ok bool) {
	var list []store.Change
	for _, m := range batch {
		meta, err := m.Metadata()
		if err != nil {
			continue // it is none of a stream
		}
		if meta.Consumer != f.name {
			continue // NATS has ended meanwhile: a new feed begins
		}
		last, f.pending = store.Mark{Revision: meta.Sequence.Stream, Time: meta.Timestamp}, meta.NumPending
		if last.Revision > f.end && m.Headers().Get(ofServer) == l.id {
			continue
		}
		c, one, ok := l.changeOf(f, m.Headers(), m.Data(), last.Revision, m.Subject())
		if !ok {
			return last, false
		}
		if one {
			list = append(list, c)
		}
	}
	for len(list) > 0 && l.Apply(false, list...) != nil { // as of a disk that is full
		if !f.wait() {
			return last, false
		}
	}
	l.notice(list...)
	return last, true
}

// wait waits before the same is tried again. It is false if the feed ends.
func (f *feed) wait() bool {
	select {
	case <-f.stop:
		return false
	case <-time.After(time.Second):
		return true
	}
}

// changeOf is the change of an entry of a run, if it is one. One of a session is written at once. One that cannot be read is left out, which
// the log says. It is not ok if the feed ends.
func (l *Ledger) changeOf(f *feed, h nats.Header, data []byte, revision uint64, of string) (c store.Change, one, ok bool) {
	for {
		c, one, err := l.tryChange(h, data, revision, idOf(of))
		switch {
		case err == nil:
			return c, one, true
		case errors.Is(err, store.ErrState): // a newer one comes
			return c, false, true
		case errors.Is(err, store.ErrCorrupt):
			l.aside(of, revision)
			return c, false, true
		case !errors.Is(err, store.ErrDisk):
			l.log.Error("an entry of the ledger cannot be read", "error", err)
			return c, false, true
		}
		if !f.wait() {
			return c, false, false
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
