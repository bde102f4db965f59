package vm

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
	l := newLive(engine.EnterHeap())
	defer l.heap.Leave()
	m := gates.NewMeter(t.Context(), gates.Limits{Memory: limit})
	l.begins(m)
	want := func(when string, n int64) {
		t.Helper()
		l.loose += limit // of garbage
		if held := l.held(0); held < n || held > n+block/2 {
			t.Errorf("%s %d bytes are held, want %d", when, held, n)
		}
	}
	l.charged(block)
	want("outside of a call", block)
	want("later", 0)
	l.ahead.base = l.hosts
	l.charged(block / 2)
	l.charged(block / 2)
	want("in a call", block)
	want("later in it", block)
	l.stepped()
	want("in its next step", 0)
	l.charged(block)
	want("later in that", block)
	paid := l.calledBack()
	want("called back", block)
	l.ahead.base = l.hosts
	l.charged(block)
	want("in a call of that", 2*block)
	l.ahead.base = noCall
	want("after it", block)
	l.goesOn(paid)
	want("in the first call again", block)
	l.ahead.base = noCall
	want("after that", 0)
}
