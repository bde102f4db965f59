package corpora

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// atOnce is how many runs there are at a time.
const atOnce = 64

// TestHostileAtOnce runs the hostile programs at once, in an order of chance, and then again.
// Afterwards the process is as it was; what it keeps for good it has after the first time.
// TestCorpora runs them one after the other. The race detector has them once.
func TestHostileAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for many timeouts")
	}
	cases := load(t, "testdata/escape", "testdata/reject")
	goroutines := runtime.NumGoroutine()
	var heap int64
	rounds := 2
	if machine.Raced {
		rounds = 1 // what is kept for good is for the plain command
	}
	for i := range rounds {
		rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		hostileRuns(t, cases)
		n := rig.Settled(goroutines)
		for end := time.Now().Add(time.Minute); n > goroutines && time.Now().Before(end); { // what was given up while it was compiled
			n = rig.Settled(goroutines)
		}
		if n > goroutines {
			t.Errorf("%d goroutines are left after %d at once", n-goroutines, atOnce)
		}
		now := rig.SettledHeap()
		t.Logf("%d bytes more in use", now-heap)
		if i > 0 && now-heap > 2<<20 {
			t.Errorf("%d bytes more in use after %d at once", now-heap, atOnce)
		}
		heap = now
	}
}

func hostileRuns(t *testing.T, cases []sandtraptest.Case) {
	var wg sync.WaitGroup
	free := make(chan bool, atOnce)
	for _, c := range cases {
		free <- true
		wg.Go(func() {
			defer func() { <-free }()
			hostileRun(t, c)
		})
	}
	wg.Wait()
}

// hostileRun runs c beside others: it may take long, and the time is up before other
// limits are met.
func hostileRun(t *testing.T, c sandtraptest.Case) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{
		Ticks: c.Limits.Ticks, Timeout: c.Limits.Timeout, Memory: c.Limits.Memory,
		Output: c.Limits.Output, Tasks: c.Limits.Tasks, Depth: c.Limits.Depth,
	}})
	if err != nil {
		t.Error(err)
		return
	}
	defer box.Close()
	start := time.Now()
	res, _ := box.Run(t.Context(), sandtrap.Script{Text: c.Script})
	if res.Error == nil || res.Error.Kind != sandtrap.KindTimeout {
		for _, f := range c.Compare(res) {
			t.Errorf("%s: %s", c.Name, f)
		}
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("%s took %v", c.Name, took)
	}
}
