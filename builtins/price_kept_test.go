package builtins

import (
	"runtime"
	"testing"
)

// TestKeptPaid: the copies of large arguments that receivers, results and errors keep are charged for, or
// show of the results. Texts are plain ones, and those of which quotes are longest.
func TestKeptPaid(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	table := tableOf(t, Std()...)
	called := 0
	for i, r := range pricedMembers() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		for _, k := range []kind{argKinds[0], argKinds[2]} {
			if m, ok := measureCall(table, r, k, keptArgs, 1, false); !ok {
				continue
			} else if called++; m.allocated <= mayKeep(m) { // and keeps no more
				continue
			}
			for tries := 1; ; tries++ { // others allocate, too
				m, ok := measureCall(table, r, k, keptArgs, 8, true)
				if !ok || m.held <= mayKeep(m) {
					break
				}
				if tries == 4 {
					t.Errorf("%v, %s: keeps %d bytes, with %d charged and %d made", r, k.name, m.held, m.charged, m.made)
					break
				}
			}
		}
	}
	if t.Logf("%d calls were measured", called); called < 4000 && !testing.Short() {
		t.Errorf("only %d calls were measured", called)
	}
}

const keptArgs = 1 << 14

// mayKeep is how much a call with large arguments may keep.
func mayKeep(m measured) int64 { return keptRate*(m.charged+m.made) + 1<<10 }
