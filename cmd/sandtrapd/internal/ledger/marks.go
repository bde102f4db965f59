package ledger

import (
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	markEach  = time.Second
	markAfter = 2 * within // what this server has written until then is here, or is doubted
)

// marks are entries that the feed has brought, the oldest first: of a ledger that has lost its end, and gives the revisions again, they tell what
// it still has. They are saved so late that a server, which has ended meanwhile, gets from the feed what it wrote to the ledger alone.
type marks struct {
	list  []mark
	last  store.Mark
	saved uint64
}

type mark struct {
	store.Mark
	at time.Time // when all was here
}

func (k *marks) add(m store.Mark, now time.Time) {
	k.last = m
	if n := len(k.list); n > 0 && now.Sub(k.list[n-1].at) < markEach {
		return
	}
	if k.list = append(k.list, mark{m, now}); len(k.list) > maxLooks {
		k.list = k.list[1:]
	}
}

// cut forgets those after a revision.
func (k *marks) cut(revision uint64) {
	k.list = slices.DeleteFunc(k.list, func(one mark) bool { return one.Revision > revision })
	if k.saved = min(k.saved, revision); k.last.Revision > revision {
		k.last = store.Mark{}
	}
}

// all are the newest first.
func (k *marks) all() (list []store.Mark) {
	if k.last.Revision > 0 {
		list = append(list, k.last)
	}
	for i := len(k.list) - 1; i >= 0; i-- {
		list = append(list, k.list[i].Mark)
	}
	return list
}

// due is the newest that can be saved.
func (k *marks) due(now time.Time) (m store.Mark, ok bool) {
	for _, one := range k.list {
		if now.Sub(one.at) >= markAfter && one.Revision > k.saved {
			m, ok = one.Mark, true
		}
	}
	return m, ok
}

// saveMark saves up to where all is here, unless there are doubts, or entries that are awaited. The server ends if now is zero: nothing is written any more.
func (l *Ledger) saveMark(now time.Time) {
	l.mu.Lock()
	m, ok := l.marks.due(now)
	if now.IsZero() {
		m, ok = l.marks.last, l.marks.last.Revision > l.marks.saved
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
	l.marks.saved = m.Revision
	l.mu.Unlock()
}
