package limits_test

import (
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
)

// TestEnds: who is to wait is told of about the time from one end to the next, or longer when none comes, within bounds.
func TestEnds(t *testing.T) {
	now := time.Now()
	var e limits.Ends
	is := func(least, most time.Duration) {
		t.Helper()
		if got := e.After(now); got < least || got > most {
			t.Errorf("%s, want %s to %s", got, least, most)
		}
	}
	every := func(gap time.Duration) {
		for range 50 {
			now = now.Add(gap)
			e.Add(now)
		}
	}
	is(time.Second, time.Second)
	every(10 * time.Millisecond)
	is(time.Second, time.Second)
	every(10 * time.Second)
	is(9*time.Second, 10*time.Second)
	now = now.Add(30 * time.Second)
	is(30*time.Second, 30*time.Second)
	now = now.Add(time.Hour)
	is(time.Minute, time.Minute)
	every(2 * time.Second)
	is(2*time.Second, 3*time.Second)
}
