package ledger

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// noticeFor is how long a change of a run is waited for at a time: the feed may be late.
const noticeFor = 2 * time.Second

// notices are channels for those who wait for changes of runs, by the ID of the run.
type notices map[string]map[chan struct{}]bool

// Changed waits until a run is newer here than a revision, or for a while: who waits asks the ledger then.
func (l *Ledger) Changed(ctx context.Context, tenant, id string, revision uint64) {
	told := make(chan struct{}, 1)
	l.mu.Lock()
	if l.noticed[id] == nil {
		l.noticed[id] = map[chan struct{}]bool{}
	}
	l.noticed[id][told] = true
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.noticed[id], told); len(l.noticed[id]) == 0 {
			delete(l.noticed, id)
		}
	}()
	late := time.NewTimer(noticeFor)
	defer late.Stop()
	for {
		if r, err := l.Store.Run(ctx, tenant, id); err != nil || r.Revision > revision {
			return
		}
		select {
		case <-told:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		case <-l.stop:
			return
		}
	}
}

// notice tells those who wait for changes of runs which are here now.
func (l *Ledger) notice(list ...store.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 0; i < len(list) && len(l.noticed) > 0; i++ {
		if list[i].Run == nil {
			continue
		}
		for told := range l.noticed[list[i].Run.ID] {
			select {
			case told <- struct{}{}:
			default:
			}
		}
	}
}
