package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A doubt is about a run that was to go on here, of which the ledger has not said whether it was written so: a server of NATS that ends
// may have taken it, and brings it later. Who asked for it was told of an error. If it is in the ledger then, it goes on here: else it would
// go on nowhere, as this server is not silent.
const (
	maxDoubts  = 10_000
	doubtsEach = time.Second
	doubtedFor = 60 // times that the ledger is asked and answers
)

// doubts are by the names of their runs; the value is how often the ledger has answered.
type doubts map[doubted]int

type doubted struct{ tenant, id string }

// mayDoubt is an error if there are too many doubts for another one.
func (l *Ledger) mayDoubt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.doubts) >= maxDoubts {
		return unreachable{fmt.Errorf("the ledger: it has not said of %d runs whether they go on", len(l.doubts))}
	}
	return nil
}

// doubt notes that the ledger may have a run as one that goes on here.
func (l *Ledger) doubt(tenant, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.doubts == nil {
		l.doubts = doubts{}
	}
	l.doubts[doubted{tenant, id}] = 0
}

// clear looks after doubts until the ledger is closed.
func (l *Ledger) clear() {
	tick := time.NewTicker(doubtsEach)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.clearDoubts()
		case <-l.stop:
			return
		}
	}
}

func (l *Ledger) clearDoubts() {
	l.servers.mu.Lock()
	adopt := l.servers.adopt
	l.servers.mu.Unlock()
	if adopt == nil {
		return
	}
	l.mu.Lock()
	list := make([]doubted, 0, len(l.doubts))
	for d := range l.doubts {
		list = append(list, d)
	}
	l.mu.Unlock()
	for _, d := range list {
		select {
		case <-l.stop:
			return
		default:
		}
		if err := l.clearOne(d, adopt); errors.Is(err, store.ErrDisk) {
			return // it cannot be reached
		} else if err != nil {
			l.log.Error("a run that may be in the ledger does not go on yet", "run", d.id, "error", err)
		}
		l.mu.Lock()
		if l.doubts[d]++; l.doubts[d] >= doubtedFor {
			delete(l.doubts, d)
		}
		l.mu.Unlock()
	}
}

// clearOne has a run go on here, if the ledger says that it does. One that does is in no other state.
func (l *Ledger) clearOne(d doubted, adopt func(ctx context.Context, tenant, id string) error) error {
	r, err := l.get(context.Background(), d.tenant, d.id)
	switch {
	case errors.Is(err, store.ErrNone), errors.Is(err, store.ErrState): // nothing, or it changes just now
		return nil
	case err != nil:
		return err
	case r.State != store.Running || r.Owner != l.id:
		return nil
	}
	if err := l.Apply(false, 0, store.Change{Run: r}); err != nil {
		return err
	}
	err = adopt(context.Background(), d.tenant, d.id)
	if errors.Is(err, store.ErrState) { // it goes on
		return nil
	}
	if err == nil {
		l.log.Warn("a run goes on that was in the ledger after all", "run", d.id)
	}
	return err
}
