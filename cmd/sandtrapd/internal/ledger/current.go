package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	lookEach = time.Second
	staleFor = 10 * time.Second
)

// Current reports that all of the ledger is here that was there some seconds ago. Else keys may have been revoked of which this server does
// not know.
func (l *Ledger) Current() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.current) < staleFor
}

// Reached is an error, which matches store.ErrCluster, if the ledger has not answered for some seconds: what begins now could not be written.
func (l *Ledger) Reached() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if silent := time.Since(l.heardAt); silent > staleFor {
		return unreachable{fmt.Errorf("%w: the ledger has not answered for %s", store.ErrCluster, silent.Round(time.Second))}
	}
	return nil
}

// heard notes that the ledger has answered what it was asked at a time.
func (l *Ledger) heard(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at.After(l.heardAt) {
		l.heardAt = at
	}
}

// look asks the ledger again and again up to where it is, and notes when all of that is here. If it may have lost its end, all is brought here
// again, and there what is here of it.
func (l *Ledger) look() {
	ctx, cancel := l.until()
	defer cancel()
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	var open store.Looks
	for {
		if err := l.lookOnce(ctx, &open); err != nil && ctx.Err() == nil {
			l.log.Warn("what the ledger has lost is not there yet", "error", err)
		}
		l.saveMark(time.Now())
		select {
		case <-tick.C:
		case <-l.stop:
			return
		}
	}
}

func (l *Ledger) lookOnce(ctx context.Context, open *store.Looks) error {
	if l.feed != nil { // else it could not be brought here
		began := time.Now()
		end, same, err := l.sameFeed(ctx)
		if err != nil {
			return nil // Current tells
		}
		if same {
			open.Add(began, end)
			l.mu.Lock()
			defer l.mu.Unlock()
			if at := open.Passed(l.seen); !at.IsZero() {
				l.current = at
			}
			return nil
		}
	}
	*open = nil
	l.halt()
	l.mu.Lock()
	marks := l.marks.All()
	l.mu.Unlock()
	saved, _, err := l.Marks(ctx)
	if err == nil {
		err = l.catchUp(ctx, append(marks, saved...), 0)
	}
	if err != nil {
		l.halt()
	}
	return err
}

// sameFeed gives up to which revision the ledger is, and reports whether the feed is as it began. What NATS keeps of it is in memory: a server
// that has ended, and may have lost the end of the ledger, has it no more.
func (l *Ledger) sameFeed(ctx context.Context) (end uint64, same bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	l.mu.Lock()
	seen := l.seen
	l.mu.Unlock()
	if end, err = l.end(ctx); err != nil {
		return 0, false, err
	}
	name, err := l.feed.current(ctx)
	return end, name == l.feed.name && end >= seen, err
}
