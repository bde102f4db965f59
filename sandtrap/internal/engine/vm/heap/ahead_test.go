package heap

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// TestAhead: what calls have charged that have not ended is not there yet, so no collection tells that
// it is gone, also while they call the script; and it is what a function of the script calls that is
// gone when that has ended.
func TestAhead(t *testing.T) {
	const limit, block = 64 << 20, 16 << 20
	l := NewLive(engine.EnterHeap())
	defer l.Heap.Leave()
	m := gates.NewMeter(t.Context(), gates.Limits{Memory: limit})
	l.Begins(m)
	want := func(when string, n int64) {
		t.Helper()
		l.Loose += limit // of garbage
		if held := l.Held(0); held < n || held > n+block/2 {
			t.Errorf("%s %d bytes are held, want %d", when, held, n)
		}
	}
	l.Charged(block)
	want("outside of a call", block)
	want("later", 0)
	l.Ahead.Base = l.Hosts
	l.Charged(block / 2)
	l.Charged(block / 2)
	want("in a call", block)
	want("later in it", block)
	l.Stepped()
	want("in its next step", 0)
	l.Charged(block)
	want("later in that", block)
	paid := l.CalledBack()
	want("called back", block)
	l.Ahead.Base = l.Hosts
	l.Charged(block)
	want("in a call of that", 2*block)
	l.Ahead.Base = NoCall
	want("after it", block)
	l.GoesOn(paid)
	want("in the first call again", block)
	l.Ahead.Base = NoCall
	want("after that", 0)
}
