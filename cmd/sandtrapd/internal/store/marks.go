package store

import (
	"slices"
	"time"
)

const (
	MarkEach  = time.Second
	markAfter = 10 * time.Second // what a server has written until then is here, or is doubted
	mostMarks = 64               // that are not saved yet
)

// Marks are entries that the feed has brought, the oldest first: of a ledger that has lost its end, and gives the revisions again, they tell what
// it still has. They are saved so late that a server, which has ended meanwhile, gets from the feed what it wrote to the ledger alone.
type Marks struct {
	list  []mark
	Last  Mark
	Saved uint64
}

type mark struct {
	Mark
	at time.Time // when all was here
}

// Add adds one, when all up to it is here.
func (k *Marks) Add(m Mark, now time.Time) {
	k.Last = m
	if n := len(k.list); n > 0 && now.Sub(k.list[n-1].at) < MarkEach {
		return
	}
	if k.list = append(k.list, mark{m, now}); len(k.list) > mostMarks {
		k.list = k.list[1:]
	}
}

// Cut forgets those after a revision.
func (k *Marks) Cut(revision uint64) {
	k.list = slices.DeleteFunc(k.list, func(one mark) bool { return one.Revision > revision })
	if k.Saved = min(k.Saved, revision); k.Last.Revision > revision {
		k.Last = Mark{}
	}
}

// All are the newest first.
func (k *Marks) All() (list []Mark) {
	if k.Last.Revision > 0 {
		list = append(list, k.Last)
	}
	for i := len(k.list) - 1; i >= 0; i-- {
		list = append(list, k.list[i].Mark)
	}
	return list
}

// Due is the newest that can be saved.
func (k *Marks) Due(now time.Time) (m Mark, ok bool) {
	for _, one := range k.list {
		if now.Sub(one.at) >= markAfter && one.Revision > k.Saved {
			m, ok = one.Mark, true
		}
	}
	return m, ok
}
