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
	maxLooks = 64
)

// A look is up to which revision the ledger was at a time.
type look struct {
	at       time.Time
	revision uint64
}

// looks are those that are not here yet, the oldest first: a feed that is late is not one that is cut off.
type looks []look

// passed removes those up to a revision, and gives the time of the last of them.
func (l *looks) passed(revision uint64) (at time.Time) {
	for len(*l) > 0 && (*l)[0].revision <= revision {
		at, *l = (*l)[0].at, (*l)[1:]
	}
	return at
}

// add adds one. If there are too many, the feed is late by more than anybody waits for.
func (l *looks) add(one look) {
	if len(*l) < maxLooks {
		*l = append(*l, one)
	}
}

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
		return fmt.Errorf("%w: the ledger has not answered for %s", store.ErrCluster, silent.Round(time.Second))
	}
	return nil
}

// look asks the ledger again and again up to where it is, and notes when all of that is here.
func (l *Ledger) look() {
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	var open looks
	for {
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), lookEach)
		info, err := l.stream.Info(ctx)
		cancel()
		l.mu.Lock()
		if err == nil {
			open.add(look{began, info.State.LastSeq})
			l.heardAt = began
		}
		if at := open.passed(l.seen); !at.IsZero() {
			l.current = at
		}
		l.mu.Unlock()
		select {
		case <-tick.C:
		case <-l.stop:
			return
		}
	}
}
