package ledger

import (
	"fmt"
	"testing"
	"time"
)

// TestFloodOfServers: IDs that somebody makes up do not keep servers out, and no server is taken for a silent one because of them.
func TestFloodOfServers(t *testing.T) {
	own, real := fmt.Sprintf("%026d", 1), fmt.Sprintf("%026d", 2)
	s := &servers{heard: map[string]time.Time{}, told: map[string]beat{}}
	now := time.Now()
	beats := func(from, to time.Duration, ids ...string) {
		for at := from; at <= to; at += beatEach {
			for _, id := range ids {
				s.hears(id, own, beat{}, now.Add(at))
			}
		}
	}
	beats(0, 10*time.Second, own)
	for i := range 2 * maxServers {
		s.hears(fmt.Sprintf("x%025d", i), own, beat{}, now.Add(10*time.Second))
	}
	if n := len(s.heard); n > maxServers {
		t.Errorf("it knows %d servers", n)
	}
	beats(10*time.Second, 13*time.Second, own, real) // there is no room for it yet
	if s.silent(real, own, now.Add(13*time.Second)) {
		t.Error("a server that nobody had room for is taken for a silent one")
	}
	beats(13*time.Second, 16*time.Second, own, real)
	if s.silent(real, own, now.Add(16*time.Second)) {
		t.Error("it is still")
	}
	beats(16*time.Second, 30*time.Second, own)
	if !s.silent(real, own, now.Add(30*time.Second)) {
		t.Error("a server that ends is not silent")
	}
	if !s.silent(fmt.Sprintf("%026d", 3), own, now.Add(30*time.Second)) {
		t.Error("nor is one that was never heard")
	}
	if s.hears("", own, beat{}, now); len(s.heard) > 10 {
		t.Errorf("%d are known after the flood", len(s.heard))
	}
	s.hears("no ID", own, beat{}, now)
	if _, is := s.heard["no ID"]; is {
		t.Error("what is no ID is known")
	}
}
