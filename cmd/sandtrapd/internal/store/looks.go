package store

import "time"

const maxLooks = 64

// A look is up to which revision a ledger was at a time.
type look struct {
	at       time.Time
	revision uint64
}

// Looks are those of which not all is here yet, the oldest first: a feed that is late is not one that is cut off.
type Looks []look

// Passed removes those up to a revision, and gives the time of the last of them.
func (l *Looks) Passed(revision uint64) (at time.Time) {
	for len(*l) > 0 && (*l)[0].revision <= revision {
		at, *l = (*l)[0].at, (*l)[1:]
	}
	return at
}

// Add adds one. If there are too many, the feed is late by more than anybody waits for.
func (l *Looks) Add(at time.Time, revision uint64) {
	if len(*l) < maxLooks {
		*l = append(*l, look{at, revision})
	}
}
