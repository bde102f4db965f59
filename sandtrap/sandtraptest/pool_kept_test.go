package sandtraptest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPoolForgets: functions that scripts leave keep workers of a pool while somebody holds them. When
// nobody does the next tenant has not to wait until the host needs memory.
func TestPoolForgets(t *testing.T) {
	pool := mustPool(t, sandtrap.Policy{Isolation: sandtrap.Process}, sandtrap.PoolLimits{Size: 1, Max: 2})
	greedy, other := tenant(t, pool, "greedy"), tenant(t, pool, "other")
	for range 2 {
		if _, err := greedy.Run(t.Context(), sandtrap.Script{Text: "f := func() int { return 1 }"}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := other.Run(ctx, sandtrap.Script{Text: "x := 1"}); err != nil {
		t.Error(err)
	}
}

// TestClosedBeforeSession: a session that has waited for its worker while its sandbox was closed is none, and its
// worker is free for another tenant.
func TestClosedBeforeSession(t *testing.T) {
	in, out := make(chan bool), make(chan bool)
	pool := mustPool(t, sandtrap.Policy{
		Isolation: sandtrap.Process, Funcs: map[string]any{"wait": func() { in <- true; <-out }},
	}, sandtrap.PoolLimits{Size: 1, Max: 1})
	greedy, other := tenant(t, pool, "greedy"), tenant(t, pool, "other")
	ran := make(chan error, 1)
	go func() {
		_, err := greedy.Run(t.Context(), sandtrap.Script{Text: "wait()"})
		ran <- err
	}()
	<-in
	refused := make(chan error, 1)
	go func() {
		s, err := other.Session()
		if err == nil {
			defer s.Close() // else nothing ends it
		}
		refused <- err
	}()
	time.Sleep(100 * time.Millisecond) // it waits by now
	other.Close()
	close(out)
	if err := <-ran; err != nil {
		t.Error(err)
	}
	if err := <-refused; !errors.Is(err, sandtrap.ErrClosed) {
		t.Errorf("the session: %v", err)
	}
	if _, err := greedy.Run(t.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
		t.Error(err)
	}
}
