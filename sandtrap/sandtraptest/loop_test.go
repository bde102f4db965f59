package sandtraptest

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLoopsOverCallbacksEnd: a function of the host that calls one of the script for as long as it likes ends
// with the run, and is not told of calls that were too late.
func TestLoopsOverCallbacksEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachMode(t, func(b bench) {
		for name, blocking := range map[string]bool{"each": false, "eachBeside": true} {
			if blocking && b.Engine == "yaegi" {
				continue // it gives such a call up, which goes on
			}
			ended, calls := make(chan struct{}), atomic.Int64{}
			var each any = func(f func()) {
				defer close(ended)
				for {
					calls.Add(1)
					f()
				}
			}
			if blocking {
				each = sandtrap.Member{Value: each, Blocking: true}
			}
			p := sandtrap.Policy{
				Limits: sandtrap.Limits{Timeout: 300 * time.Millisecond}, Funcs: map[string]any{name: each},
				Uncalled: func(f string, err error) { b.Errorf("%s: told of %s, %v", name, f, err) },
			}
			if _, err := b.RunOnce(p, name+"(func() {})"); !errors.Is(err, sandtrap.KindTimeout) {
				b.Errorf("%s: got %v", name, err)
			}
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				b.Errorf("%s goes on after its run, with %d calls", name, calls.Load())
			}
		}
	})
}
