package ends

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const (
	memoryLimit = 64 << 20

	// inOneGo is how much work more than the time that is left a run may begin in one go, and how
	// much it may do after a stop.
	inOneGo = 10 * time.Millisecond

	// perNanosecond is how many instructions a processor does in a nanosecond, with the best of code.
	perNanosecond = 10

	// enough instructions for a run whose time does not go on.
	enough = 600_000_000
)

// timesLeft are for runs whose time does not go on: that much is left all the while, whatever they
// do. What takes longer is refused, and what is not refused must not take longer.
var timesLeft = []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond}

// wantStopped wants each program to be stopped, to do no more in one go than there is time for, to
// do little after the stop, and the host to stay small. No clock is asked: in the bubble of a test
// time stands still while a run is at work, and work is counted in instructions.
func wantStopped(t *testing.T, amplifiers map[string]string) {
	times := timesLeft
	if testing.Short() {
		times = times[1:2]
	}
	for i, name := range slices.Sorted(maps.Keys(amplifiers)) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		src := amplifiers[name]
		t.Run(name, func(t *testing.T) {
			for _, left := range times {
				synctest.Test(t, func(t *testing.T) { amplify(t, src, left) })
			}
		})
	}
}

func amplify(t *testing.T, src string, left time.Duration) {
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm",
		Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: left, Output: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	box, script := amplifierOf(t, plan, src)
	w := newWorkContext()
	defer w.close()
	_, err = box.Run(w, script)
	w.ended()
	for _, stop := range []error{sandtrap.KindMemory, sandtrap.KindTimeout, sandtrap.KindCancelled} {
		if errors.Is(err, stop) {
			err = nil
		}
	}
	if err != nil {
		t.Errorf("error %v, want a stop", err)
	}
	if most := perNanosecond * (left + inOneGo).Nanoseconds(); w.inOneGo > most {
		t.Errorf("with %v left %d million instructions in one go, want at most %d million", left, w.inOneGo/1e6, most/1e6)
	}
	if most := perNanosecond * inOneGo.Nanoseconds(); w.afterStop > most {
		t.Errorf("%d million instructions after the stop, want at most %d million", w.afterStop/1e6, most/1e6)
	}
	if w.grown > 12*memoryLimit { // what else the tests hold lets garbage grow as much again
		t.Errorf("the heap of the host grew by %d MiB", w.grown>>20)
	}
	t.Logf("%v left: %d million instructions in one go, %d million after a stop, heap grew by %d MiB", left, w.inOneGo/1e6, w.afterStop/1e6, w.grown>>20)
}

// heapObjects are the bytes of the heap that are in use or garbage; to ask for them stops nobody.
func heapObjects() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// amplifierOf compiles a snippet, so that a run has all of its time for running; where two
// packages have one name it means the first of ambiguous.
func amplifierOf(t testing.TB, plan *sandtrap.Plan, src string) (*sandtrap.Sandbox, sandtrap.Script) {
	for _, path := range ambiguous {
		name := path[strings.LastIndex(path, "/")+1:]
		if strings.Contains(src, name+".") && !strings.HasPrefix(src, "import") {
			src = fmt.Sprintf("import %q\n%s", path, src)
		}
	}
	box, err := plan.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	script := sandtrap.Script{Text: src}
	for range 50 { // within the time of a run
		if _, err = box.Check(context.Background(), script); err == nil {
			return box, script
		}
	}
	t.Fatal(err)
	return nil, script
}

var ambiguous = []string{"crypto/rand", "text/template", "text/scanner"}
