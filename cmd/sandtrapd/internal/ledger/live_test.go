package ledger

import (
	"testing"
	"time"
)

// TestLive: a server counts those that are there, and itself; one that is cut off, and hears none, has them be as many as before.
func TestLive(t *testing.T) {
	n := serve(t, t.TempDir())
	list := []*end{open(t, n, t.TempDir()), open(t, n, t.TempDir()), open(t, n, t.TempDir())}
	counts := func(e *end, want int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); e.Live() != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d are there, want %d", e.Live(), want)
			}
		}
	}
	for _, e := range list {
		if e.Live() < 1 {
			t.Error("a server is not there")
		}
		counts(e, 3)
	}
	list[1].conn.Close()
	list[2].close()
	counts(list[0], 1)
	if n := list[1].Live(); n != 3 {
		t.Errorf("one that is cut off counts %d", n)
	}
}
