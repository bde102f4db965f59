package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// feedBegins notes that the feed begins after a revision: all up to it is here.
func (l *Ledger) feedBegins(seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = seq
	l.marks.Cut(seq)
	l.moves()
}

// reached notes that all of the ledger is here up to an entry.
func (l *Ledger) reached(m store.Mark) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = m.Revision
	l.marks.Add(m, time.Now())
	l.moves()
}

// moves tells those who wait. The caller has the mutex.
func (l *Ledger) moves() {
	close(l.moved)
	l.moved = make(chan struct{})
}

var errLostEnd = unreachable{errors.New("the ledger has lost its end")}

// errLate is the error of who has waited for the feed: the feed begins again, or there is too much for it.
var errLate = unreachable{errors.New("what others have written to the ledger is not here yet")}

// reach waits until all of the ledger up to a revision is here, and not longer than a server is current that hears nothing.
func (l *Ledger) reach(ctx context.Context, revision uint64) error {
	late := time.After(staleFor)
	for losses := -1; ; {
		l.mu.Lock()
		at, moved, now := l.seen, l.moved, l.losses
		l.mu.Unlock()
		switch {
		case at >= revision:
			return nil
		case losses < 0:
			losses = now
		case now != losses: // the revision may be one of those
			return errLostEnd
		}
		select {
		case <-moved:
		case <-late:
			return errLate
		case <-ctx.Done():
			return ctx.Err()
		case <-l.stop:
			return errEnds
		}
	}
}

// reachNow waits until all is here that is in the ledger now.
func (l *Ledger) reachNow(ctx context.Context) error {
	end, err := l.end(ctx)
	if err != nil {
		return err
	}
	return l.reach(ctx, end)
}

// saveMark saves up to where all is here, unless there are doubts, or entries that are awaited. The server ends if now is zero: nothing is written any more.
func (l *Ledger) saveMark(now time.Time) {
	l.mu.Lock()
	m, ok := l.marks.Due(now)
	if now.IsZero() {
		m, ok = l.marks.Last, l.marks.Last.Revision > l.marks.Saved
	}
	ok = ok && len(l.doubts) == 0 && !l.awaits()
	l.mu.Unlock()
	if !ok {
		return
	}
	if err := l.Mark(m); err != nil {
		l.log.Warn("the place of the feed could not be saved", "error", err)
		return
	}
	l.mu.Lock()
	l.marks.Saved = m.Revision
	l.mu.Unlock()
}
