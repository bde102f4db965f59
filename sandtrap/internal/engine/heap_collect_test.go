package engine

import (
	"context"
	"runtime/metrics"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
)

// TestCollectLetsAStopThrough: a run that has to end does not wait for the collector.
func TestCollectLetsAStopThrough(t *testing.T) {
	list := make([]*int, 1<<18) // that it has something to do
	for i := range list {
		list[i] = new(int)
	}
	cycles := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/cycles/forced:gc-cycles"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	collected := func(stopped bool) int {
		n := 0
		for range 20 {
			m := gates.NewMeter(context.Background(), gates.Limits{})
			if stopped {
				m.Cancel()
			}
			before := cycles()
			if Collect(m); cycles() > before {
				n++
			}
		}
		return n
	}
	if n := collected(false); n != 20 {
		t.Errorf("of 20 runs %d waited for the collector", n)
	}
	if n := collected(true); n == 20 {
		t.Error("20 of 20 runs that had to end waited for the collector")
	}
	if list[0] == nil {
		t.Error("unreachable: it keeps the list")
	}
}
