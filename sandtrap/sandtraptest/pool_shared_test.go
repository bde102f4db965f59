package sandtraptest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestPoolShared: the sandboxes of one tenant have the same process, one after the other. It ends with the last of them, and
// for a run of another tenant.
func TestPoolShared(t *testing.T) {
	eachWorker(t, func(b bench) {
		plan, err := sandtrap.Compile(sandtrap.Policy{Engine: b.Engine, Isolation: b.Isolation})
		if err != nil {
			b.Fatal(err)
		}
		before := children(b)
		pool, err := plan.Pool(b.Context(), sandtrap.PoolLimits{Size: 1, Max: 1})
		rig.NoKernel(b, err)
		if err != nil {
			b.Fatal(err)
		}
		defer pool.Close(b.Context())
		worker := func() int {
			now := children(b)
			maps.DeleteFunc(now, func(pid int, _ bool) bool { return before[pid] })
			if len(now) != 1 {
				b.Fatalf("the workers are %v", now)
			}
			return slices.Collect(maps.Keys(now))[0]
		}
		run := func(box *sandtrap.Sandbox) int {
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
				b.Fatal(err)
			}
			return worker()
		}
		first, second := tenant(b.T, pool, "a"), tenant(b.T, pool, "a")
		pid := run(first)
		if run(second) != pid || run(first) != pid {
			b.Error("sandboxes of one tenant have different workers")
		}
		first.Close()
		if run(second) != pid {
			b.Error("the worker has ended with the first of two sandboxes")
		}
		second.Close()
		for end := time.Now().Add(10 * time.Second); children(b)[pid]; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				b.Fatal("the worker lives on without a sandbox of its tenant")
			}
		}
		pid = run(tenant(b.T, pool, "a"))
		if run(tenant(b.T, pool, "b")) == pid {
			b.Error("two tenants have the same worker")
		}
	})
}
