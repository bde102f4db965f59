package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// An entry whose object is missing holds up no other one. It is put aside, and tried again later: its object may come, as a server of NATS
// may have one later than the others.
const (
	maxAside     = 10_000
	asideEach    = time.Second
	asideAtOnce  = 64               // that are tried again
	asideMost    = 10 * time.Minute // between two tries
	asideAwaited = 10               // tries, which take a quarter of an hour
)

// How often who reads an entry reads it again if its object is missing: it may have changed meanwhile.
const (
	missingTries = 4
	missingEach  = 50 * time.Millisecond
)

// A put is an entry that was put aside.
type put struct {
	revision uint64
	tries    int
	next     time.Time
}

// aside puts an entry aside that has this subject.
func (l *Ledger) aside(of string, revision uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, is := l.asides[of]; !is && len(l.asides) >= maxAside {
		l.log.Error("an entry of the ledger cannot be read, and is not tried again", "revision", revision)
		return
	}
	l.asides[of] = put{revision: revision, next: time.Now().Add(asideEach)}
}

// awaits reports that an entry was put aside not long ago: if the server starts again, the feed brings it again. The caller has the mutex.
func (l *Ledger) awaits() bool {
	for _, p := range l.asides {
		if p.tries < asideAwaited {
			return true
		}
	}
	return false
}

// retry tries entries again that were put aside, and removes what is gone here, until the ledger is closed.
func (l *Ledger) retry() {
	ctx, cancel := l.until()
	defer cancel()
	for l.pause(ctx, asideEach) == nil {
		if err := l.removeGone(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("what was deleted here is in the ledger yet", "error", err)
		}
		for of, p := range l.due(time.Now()) {
			if l.retryOne(of, p) {
				l.mu.Lock()
				if l.asides[of].revision == p.revision {
					delete(l.asides, of)
				}
				l.mu.Unlock()
			}
		}
	}
}

// due are entries that are to be tried now, and later again.
func (l *Ledger) due(now time.Time) map[string]put {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := map[string]put{}
	for of, p := range l.asides {
		if len(list) < asideAtOnce && now.After(p.next) {
			list[of] = p
			p.next = now.Add(min(asideEach<<min(p.tries, 20), asideMost))
			p.tries++
			l.asides[of] = p
		}
	}
	return list
}

// retryOne brings an entry here that was put aside. It reports whether it need not be tried again.
func (l *Ledger) retryOne(of string, p put) bool {
	m, err := l.lastMsg(context.Background(), of)
	switch {
	case errors.Is(err, store.ErrNone):
		return true
	case err != nil:
		return false
	case m.Sequence != p.revision: // the feed has it
		return true
	}
	_, err = l.bringLast(m)
	switch {
	case err == nil && p.tries > 0:
		l.log.Info("an entry of the ledger can be read again", "revision", p.revision)
	case err != nil && p.tries == 0:
		l.log.Error("an entry of the ledger cannot be read; it is tried again later", "error", err, "revision", p.revision, "of", idOf(of))
	}
	return err == nil
}

// getEntry is an entry as it is now. The error matches store.ErrNone if there is none, and store.ErrCorrupt if a part of it is missing.
func (l *Ledger) getEntry(ctx context.Context, tenant, id string) (e *entry, revision uint64, err error) {
	err = l.whole(ctx, func() error {
		e, revision, err = l.entryNow(ctx, tenant, id)
		return err
	})
	return e, revision, err
}

// whole does what reads an entry and its objects again, if one of these is missing.
func (l *Ledger) whole(ctx context.Context, read func() error) error {
	for tries := 0; ; tries++ {
		err := read()
		if !errors.Is(err, errMissing) || tries == missingTries {
			return err
		}
		if err := l.pause(ctx, missingEach); err != nil {
			return err
		}
	}
}

// bringNow brings an entry of a session that is newer than what is here.
func (l *Ledger) bringNow(ctx context.Context, e *entry, revision uint64) error {
	row := &e.Session.Row
	if now, err := l.Store.Session(ctx, row.Tenant, row.ID); err == nil && now.Revision >= revision {
		return nil
	}
	return l.bring(ctx, e, revision)
}

// remains is what is left of a session that is here, and whose entry cannot be read: enough to delete it.
func (l *Ledger) remains(ctx context.Context, tenant, id string) (*entry, uint64, error) {
	row, err := l.Store.Session(ctx, tenant, id)
	if err != nil {
		return nil, 0, err
	}
	m, err := l.lastMsg(ctx, subject(tenant, id))
	if err != nil {
		return nil, 0, err
	}
	return &entry{Session: &session{Row: *row}}, m.Sequence, nil
}
