package sandtraptest

import (
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPoolStats: a pool says what its workers do: while they wait, while runs go on and others wait for a worker, and
// after that.
func TestPoolStats(t *testing.T) {
	entered, hold := make(chan bool), make(chan bool)
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Isolation: sandtrap.Process, Funcs: map[string]any{"wait": func() { entered <- true; <-hold }},
	})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := plan.Pool(t.Context(), sandtrap.PoolLimits{Size: 1, Max: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	say := func(when string, want isolate.PoolStats) {
		t.Helper()
		var got isolate.PoolStats
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if got = pool.Stats(); got == want {
				return
			}
		}
		t.Errorf("%s: %+v, want %+v", when, got, want)
	}
	say("at first", isolate.PoolStats{Ready: 1})
	var boxes []*sandtrap.Sandbox
	for _, tenant := range []string{"a", "b"} {
		box, err := pool.Sandbox(t.Context(), tenant)
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		boxes = append(boxes, box)
	}
	say("with tenants", isolate.PoolStats{Ready: 1, Tenants: 2})
	var all sync.WaitGroup
	run := func(box *sandtrap.Sandbox) {
		all.Go(func() {
			if _, err := box.Run(t.Context(), sandtrap.Script{Text: "wait()"}); err != nil {
				t.Error(err)
			}
		})
	}
	run(boxes[0])
	<-entered
	say("during a run", isolate.PoolStats{Busy: 1, Tenants: 2, Hired: 1})
	run(boxes[1])
	say("while another waits", isolate.PoolStats{Busy: 1, Queued: 1, Tenants: 2, Hired: 1})
	hold <- true
	<-entered
	say("when it has its turn", isolate.PoolStats{Busy: 1, Tenants: 2, Hired: 2})
	hold <- true
	all.Wait()
	say("after it", isolate.PoolStats{Waiting: 1, Tenants: 2, Hired: 2})
	boxes[1].Close()
	say("without its tenant", isolate.PoolStats{Ready: 1, Tenants: 1, Hired: 2})
}
