package engine

import (
	"runtime"
	"testing"
)

// TestCompare: what the host has come to hold beside a run that never ends is not the next
// run's; what that makes itself is, and stays so whatever is compared by others.
func TestCompare(t *testing.T) {
	const block = 32 << 20
	stuck := EnterHeap()
	defer stuck.Leave()
	hosts := make([]byte, block)
	h := EnterHeap()
	defer h.Leave()
	loose := func(n int64) int64 {
		h.Take(n)
		runtime.GC()
		return h.Loose()
	}
	h.Take(1 << 20)
	runtime.GC()
	h.Compare()
	if n := loose(block); n > block/4 {
		t.Errorf("%d bytes of the host's are charged to the run", n)
	}
	own := make([]byte, block)
	if n := loose(block); n < block/2 {
		t.Errorf("of %d bytes of its own %d are charged to the run", block, n)
	}
	other := EnterHeap()
	other.Compare()
	other.Leave()
	if n := loose(block); n < block/2 {
		t.Errorf("of %d bytes of its own %d are charged to the run after another has come", block, n)
	}
	runtime.KeepAlive(hosts)
	runtime.KeepAlive(own)
}
