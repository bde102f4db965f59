package peers

import (
	"fmt"
	"testing"
	"time"
)

// TestFloodOfServers: IDs that somebody makes up do not keep servers out, and no server is taken for a silent one because of them.
func TestFloodOfServers(t *testing.T) {
	own, real := fmt.Sprintf("%026d", 1), fmt.Sprintf("%026d", 2)
	g := &Group{own: own, heard: map[string]time.Time{}, told: map[string]beat{}}
	now := time.Now()
	beats := func(from, to time.Duration, ids ...string) {
		for at := from; at <= to; at += BeatEach {
			for _, id := range ids {
				g.hears(id, beat{}, now.Add(at))
			}
		}
	}
	beats(0, 10*time.Second, own)
	for i := range 2 * maxServers {
		g.hears(fmt.Sprintf("x%025d", i), beat{}, now.Add(10*time.Second))
	}
	if n := len(g.heard); n > maxServers {
		t.Errorf("it knows %d servers", n)
	}
	beats(10*time.Second, 13*time.Second, own, real) // there is no room for it yet
	if g.Silent(real, now.Add(13*time.Second)) {
		t.Error("a server that nobody had room for is taken for a silent one")
	}
	beats(13*time.Second, 16*time.Second, own, real)
	if g.Silent(real, now.Add(16*time.Second)) {
		t.Error("it is still")
	}
	beats(16*time.Second, 30*time.Second, own)
	if !g.Silent(real, now.Add(30*time.Second)) {
		t.Error("a server that ends is not silent")
	}
	if !g.Silent(fmt.Sprintf("%026d", 3), now.Add(30*time.Second)) {
		t.Error("nor is one that was never heard")
	}
	if g.hears("", beat{}, now); len(g.heard) > 10 {
		t.Errorf("%d are known after the flood", len(g.heard))
	}
	g.hears("no ID", beat{}, now)
	if _, is := g.heard["no ID"]; is {
		t.Error("what is no ID is known")
	}
}

// TestBack: a server that is back after it was cut off counts the others when it has heard for long enough.
func TestBack(t *testing.T) {
	now := time.Now()
	back := Group{own: "own", heard: map[string]time.Time{"own": now, "other": now.Add(-time.Minute)}, since: now, live: 2}
	if back.count(now); back.live != 2 {
		t.Errorf("it counts %d at once", back.live)
	}
	if back.count(now.Add(SilentFor / 4)); back.live != 1 {
		t.Errorf("it counts %d", back.live)
	}
}
