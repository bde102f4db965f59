package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func mustPool(t *testing.T, p sandtrap.Policy, limits sandtrap.PoolLimits) *sandtrap.Pool {
	t.Helper()
	plan, err := sandtrap.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := plan.Pool(t.Context(), limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close(context.Background()) })
	return pool
}

func tenant(t *testing.T, pool *sandtrap.Pool, name string) *sandtrap.Sandbox {
	t.Helper()
	box, err := pool.Sandbox(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// TestPool: many tenants at a time run in few workers, each with files of his own, and a worker
// that dies takes its run with it and nothing else.
func TestPool(t *testing.T) {
	pool := mustPool(t, sandtrap.Policy{
		Std: []string{"fmt", "os"}, Isolation: sandtrap.Process,
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return afero.NewMemMapFs(), nil }, Cwd: "/home"},
	}, sandtrap.PoolLimits{Size: 1, Max: 3})
	var wg sync.WaitGroup
	for i := range 6 {
		box := tenant(t, pool, fmt.Sprint("tenant ", i/2))
		wg.Go(func() {
			for n := range 3 {
				res, err := box.Run(t.Context(), sandtrap.Script{Text: fmt.Sprintf(`
					old, _ := os.ReadFile("mine")
					os.WriteFile("mine", append(old, "%d "...), 0o644)
					fmt.Print(string(old))`, i)})
				if want := strings.Repeat(fmt.Sprint(i, " "), n); err != nil || res.Stdout != want {
					t.Errorf("run %d of %d: %q, %v", n, i, res.Stdout, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestPoolFull: a run waits for a worker as long as its context lets it, and is told when the
// pool is closed, which waits for the run that goes on.
func TestPoolFull(t *testing.T) {
	entered, hold := make(chan bool), make(chan bool)
	pool := mustPool(t, sandtrap.Policy{Isolation: sandtrap.Process, Funcs: map[string]any{"wait": func() { entered <- true; <-hold }}},
		sandtrap.PoolLimits{Size: 1, Max: 1})
	done := make(chan error)
	first := tenant(t, pool, "first")
	go func() {
		_, err := first.Run(t.Context(), sandtrap.Script{Text: "wait()"})
		done <- err
	}()
	<-entered
	box := tenant(t, pool, "second")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := box.Run(ctx, sandtrap.Script{Text: "1"}); !errors.Is(err, sandtrap.KindTimeout) {
		t.Errorf("a run that cannot wait: %v", err)
	}
	closed := make(chan error)
	go func() { closed <- pool.Close(t.Context()) }()
	for {
		_, err := box.Run(ctx, sandtrap.Script{Text: "1"})
		if errors.Is(err, sandtrap.ErrClosed) {
			break
		}
		time.Sleep(time.Millisecond)
		ctx, cancel = context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
	}
	close(hold)
	if err := <-done; err != nil {
		t.Errorf("the run in progress: %v", err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if box, err := pool.Sandbox(t.Context(), "third"); box != nil || !errors.Is(err, sandtrap.ErrClosed) {
		t.Errorf("a sandbox of a pool that is closed: %v, %v", box, err)
	}
}

// TestPoolKeeps: sessions and results with functions have their workers for themselves, and give
// them back.
func TestPoolKeeps(t *testing.T) {
	pool := mustPool(t, sandtrap.Policy{Isolation: sandtrap.Process}, sandtrap.PoolLimits{Size: 1, Max: 2})
	box := tenant(t, pool, "a")
	for range 3 {
		s, err := box.Session()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(t.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
			t.Error(err)
		}
		s.Close()
		res, err := box.Run(t.Context(), sandtrap.Script{Text: "double := func(n int) int { return 2 * n }"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := res.Vars["double"].(*sandtrap.Func).Call(t.Context(), 4)
		if err != nil || fmt.Sprint(got.Returned) != "[8]" {
			t.Errorf("%v, %v", got, err)
		}
		box.Close()
		box = tenant(t, pool, "a")
	}
}

// TestPoolLimits: what is out of range is an error that names the field.
func TestPoolLimits(t *testing.T) {
	plan, err := sandtrap.Compile(sandtrap.Policy{Isolation: sandtrap.Process})
	if err != nil {
		t.Fatal(err)
	}
	for field, limits := range map[string]sandtrap.PoolLimits{
		"Size": {Size: 33}, "Size:": {Size: -2}, "Max": {Max: 65}, "Max: it has to be at least Size": {Size: 4, Max: 3},
		"Idle": {Idle: time.Second}, "Session": {Session: time.Second},
	} {
		if _, err := plan.Pool(t.Context(), limits); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "PoolLimits."+field) {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	here, err := sandtrap.Compile(sandtrap.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := here.Pool(t.Context(), sandtrap.PoolLimits{}); !errors.Is(err, sandtrap.ErrPolicy) {
		t.Errorf("without isolation: %v", err)
	}
}
