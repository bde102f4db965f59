package store

import (
	"testing"
	"time"
)

// TestLate: a server whose feed is late is as current as what it has of the ledger.
func TestLate(t *testing.T) {
	var l Looks
	start := time.Unix(0, 0)
	seen := uint64(0)
	var current time.Time
	for s := range 30 { // each second 100 entries come, and 90 are here
		now := start.Add(time.Duration(s) * time.Second)
		l.Add(now, uint64(100*s))
		seen = uint64(90 * s)
		if at := l.Passed(seen); !at.IsZero() {
			current = at
		}
		if late := now.Sub(current); late > time.Duration(s/10+1)*time.Second {
			t.Errorf("after %d s it has what was there %v ago", s, late)
		}
	}
	before := current
	for s := 30; s < 200; s++ { // nothing comes any more
		l.Add(start.Add(time.Duration(s)*time.Second), uint64(100*s))
		if at := l.Passed(seen); !at.IsZero() {
			current = at
		}
	}
	if current != before || len(l) > maxLooks {
		t.Errorf("it has what was there at %v, and %d looks", current, len(l))
	}
}
