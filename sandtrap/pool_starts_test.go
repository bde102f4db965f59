package sandtrap_test

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPoolStarts: a second run of a tenant waits for the worker that the tenant has, and takes none from another
// tenant who pauses: that would cost a start each time.
func TestPoolStarts(t *testing.T) {
	const soon = 40 * time.Millisecond // one who waits for longer may get another's place
	in, out := make(chan bool), make(chan bool)
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Isolation: sandtrap.Process, Worker: "/proc/self/exe",
		Funcs: map[string]any{"wait": func() { in <- true; <-out }},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		pool, started, err := plan.CountingPool(t.Context(), sandtrap.PoolLimits{Size: 1, Max: 2})
		if err != nil {
			t.Fatal(err)
		}
		run := func(tenant, text string) <-chan error {
			ended := make(chan error, 1)
			box, err := pool.Sandbox(t.Context(), tenant)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { box.Close() })
			go func() { _, err := box.Run(t.Context(), sandtrap.Script{Text: text}); ended <- err }()
			return ended
		}
		ends := func(ended <-chan error) {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		ends(run("other", "x := 1"))
		first := run("tenant", "wait()")
		<-in
		began := time.Now()
		second := run("tenant", "x := 1")
		time.Sleep(soon / 8)
		out <- true
		ends(first)
		ends(second)
		took := time.Since(began)
		ends(run("other", "x := 1"))
		if n := started.Load(); n != 2 && took < soon {
			t.Errorf("%d workers were started, want 2", n)
		}
		pool.Close(context.Background())
	}
}
