package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A doubt is about an entry that this server was to write, and of which the ledger has not said whether it was written: a server of NATS that
// ends may have taken it, and brings it later. Who asked for it was told of an error. If it is in the ledger then, it is here, and a run goes on
// here: else it would go on nowhere, as this server is not silent. One is also about an entry that was written there, and could not be here. The
// feed does not bring it: it leaves out what this server has written.
const (
	maxDoubts  = 10_000
	doubtsEach = time.Second
	doubtedFor = 60 // times that the ledger is asked and answers
)

// doubts are by the names of their entries.
type doubts map[doubted]*doubt

type doubted struct{ tenant, id string }

type doubt struct {
	asked int     // how often the ledger has answered
	fresh []int64 // the Seq of each time that a run was refused here: it has not begun if its entry is one of these, and not that of another server
}

// mayDoubt is an error if there are too many doubts for another one.
func (l *Ledger) mayDoubt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.doubts) >= maxDoubts {
		return unreachable{fmt.Errorf("the ledger: it has not said of %d entries whether it has them", len(l.doubts))}
	}
	return nil
}

// here doubts an entry that was written to the ledger, if there is an error of writing it here.
func (l *Ledger) here(tenant, id string, err error) error {
	if err != nil && !errors.Is(err, store.ErrState) && !errors.Is(err, store.ErrNone) {
		l.doubt(tenant, id)
	}
	return err
}

// doubt notes that the ledger may have an entry that is not here.
func (l *Ledger) doubt(tenant, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := doubted{tenant, id}
	if l.doubts[d] == nil {
		l.doubts[d] = &doubt{}
	}
	l.doubts[d].asked = 0
}

// maxFresh bounds how often a run is noted that is refused again and again while it is doubted.
const maxFresh = 32

// setFresh notes of a run that is doubted that it was refused, and so has not begun.
func (l *Ledger) setFresh(r *store.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.doubts[doubted{r.Tenant, r.ID}]
	if one != nil && len(one.fresh) < maxFresh && !slices.Contains(one.fresh, r.Seq) {
		one.fresh = append(one.fresh, r.Seq)
	}
}

// setBegun notes that a run has begun.
func (l *Ledger) setBegun(d doubted) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.doubts[d]; one != nil {
		one.fresh = nil
	}
}

// isFresh reports that a run, as the ledger has it, has not begun.
func (l *Ledger) isFresh(r *store.Run) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.doubts[doubted{r.Tenant, r.ID}]
	return one != nil && slices.Contains(one.fresh, r.Seq)
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
	adopt := l.adopter()
	if adopt == nil {
		return
	}
	l.mu.Lock()
	list := slices.Collect(maps.Keys(l.doubts))
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
			l.log.Error("an entry that may be in the ledger is not here yet", "entry", d.id, "error", err)
		}
		l.mu.Lock()
		if one := l.doubts[d]; one != nil {
			if one.asked++; one.asked >= doubtedFor {
				delete(l.doubts, d)
			}
		}
		l.mu.Unlock()
	}
}

// clearOne has an entry be here as it is in the ledger, and a run go on here, if it says so. One that does is in no other state.
func (l *Ledger) clearOne(d doubted, adopt Adopt) error {
	m, err := l.lastMsg(context.Background(), subject(d.tenant, d.id))
	if errors.Is(err, store.ErrNone) {
		return nil
	} else if err != nil {
		return err
	}
	c, err := l.bringLast(m)
	if errors.Is(err, store.ErrState) { // it changes just now
		return nil
	} else if err != nil {
		return err
	}
	r := c.Run
	if r == nil || c.Gone || r.State != store.Running || r.Owner != l.id {
		return nil
	}
	fresh := l.isFresh(r)
	if fresh && r.Key == "" { // its client has been told that it does not begin, and has perhaps begun another one instead
		at, err := l.removed(context.Background(), store.Owned{Tenant: d.tenant, ID: d.id, Revision: m.Sequence, Object: r.Object})
		if err != nil || at == 0 {
			return err
		}
		return l.Apply(false, store.Change{Gone: true, Run: &store.Run{ID: d.id, Revision: at}})
	}
	err = adopt(context.Background(), d.tenant, d.id, !fresh)
	if errors.Is(err, store.ErrState) { // it goes on
		return nil
	}
	if err == nil {
		l.setBegun(d)
		l.log.Warn("a run goes on that was in the ledger after all", "run", d.id)
	}
	return err
}
