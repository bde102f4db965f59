package store

import (
	"testing"
	"time"
)

// TestMarksKept: marks up to where a feed begins again are there for the next one.
func TestMarksKept(t *testing.T) {
	var k Marks
	now := time.Now()
	for i := range 10 {
		k.Add(Mark{Revision: uint64(10 * (i + 1)), Time: now}, now.Add(time.Duration(i)*MarkEach))
	}
	k.Saved = 80
	k.Cut(55)
	if all := k.All(); len(all) != 5 || all[0].Revision != 50 || k.Saved != 55 {
		t.Errorf("%v, %d", all, k.Saved)
	}
	k.Add(Mark{Revision: 56, Time: now}, now)
	if all := k.All(); all[0].Revision != 56 {
		t.Errorf("%v", all)
	}
}
