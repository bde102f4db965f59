package atonce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// deepest is how many runs a run may be in, by the documentation of sandtrap.ErrReentrant.
const deepest = 4

// A nesting has a function of the host that runs a script, which calls the function again.
type nesting struct {
	held    chan bool     // has room for as many of the first runs as have to come before any goes on
	all     chan struct{} // closed when they have come
	forgets bool          // the context of the call
	boxes   []*sandtrap.Sandbox
}

// atOnce is how many of n runs have a worker at a time: a sandbox and a pool have eight.
func atOnce(n int) int { return min(n, 8) }

func newNesting(n int, forgets bool) *nesting {
	return &nesting{held: make(chan bool, atOnce(n)), all: make(chan struct{}), forgets: forgets}
}

// policy is one with the function.
func (n *nesting) policy(mode sandtrap.Isolation, timeout time.Duration) sandtrap.Policy {
	nest := func(ctx context.Context, left int) (string, error) { return n.nest(ctx, left) }
	return sandtrap.Policy{
		Isolation: mode, Limits: sandtrap.Limits{Timeout: timeout},
		Funcs: map[string]any{"first": func(ctx context.Context, left int) (string, error) {
			n.await()
			return n.nest(ctx, left)
		}, "nest": nest},
	}
}

// await returns when as many first runs are here as can be.
func (n *nesting) await() {
	select {
	case n.held <- true:
		if len(n.held) == cap(n.held) {
			close(n.all)
		}
	default: // they were there
	}
	<-n.all
}

// nest runs a script, the next one in the next of the sandboxes.
func (n *nesting) nest(ctx context.Context, left int) (string, error) {
	if left == 0 {
		return "the last", nil
	}
	if n.forgets {
		ctx = context.Background()
	}
	return n.run(ctx, "nest", left-1)
}

func (n *nesting) run(ctx context.Context, call string, left int) (string, error) {
	box := n.boxes[left%len(n.boxes)]
	res, err := box.Run(ctx, sandtrap.Script{Text: fmt.Sprintf("got, err := %s(%d)\nif err != nil { panic(err) }", call, left)})
	got, _ := res.Vars["got"].(string)
	return got, err
}

// whereNested are the sandboxes that the runs of one nesting are in.
var whereNested = map[string]func(t *testing.T, p sandtrap.Policy) []*sandtrap.Sandbox{
	"same sandbox": func(t *testing.T, p sandtrap.Policy) []*sandtrap.Sandbox {
		return []*sandtrap.Sandbox{mustBox(t, p)}
	},
	"two sandboxes": func(t *testing.T, p sandtrap.Policy) []*sandtrap.Sandbox {
		return []*sandtrap.Sandbox{mustBox(t, p), mustBox(t, p)}
	},
	"tenants of a pool": func(t *testing.T, p sandtrap.Policy) []*sandtrap.Sandbox {
		pool := mustPool(t, p, sandtrap.PoolLimits{Size: 1, Max: 8})
		return []*sandtrap.Sandbox{mustTenant(t, pool, "a"), mustTenant(t, pool, "b")}
	},
}

// throughNone are two sandboxes, the second without isolation: its runs have no worker, and pass on what
// those of the first are in.
func throughNone(t *testing.T, p sandtrap.Policy) []*sandtrap.Sandbox {
	boxes := []*sandtrap.Sandbox{mustBox(t, p)}
	p.Isolation = sandtrap.None
	return append(boxes, mustBox(t, p))
}

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

func mustTenant(t *testing.T, pool *sandtrap.Pool, name string) *sandtrap.Sandbox {
	t.Helper()
	box, err := pool.Sandbox(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// TestNestedRuns: a function of the host that a script calls runs a script, while the first runs have all
// workers: each ends well, or is told at once that it is too deep.
func TestNestedRuns(t *testing.T) {
	eachIsolation(t, func(t *testing.T, mode sandtrap.Isolation) {
		for where, boxes := range whereNested {
			for _, n := range []int{1, 8, 16} {
				for _, depth := range []int{1, 2, deepest, deepest + 1} {
					if testing.Short() && (n == 16 || depth == 2) {
						continue
					}
					t.Run(fmt.Sprintf("%s, %d at once, %d deep", where, n, depth), func(t *testing.T) {
						nest := newNesting(n, false)
						nest.boxes = boxes(t, nest.policy(mode, time.Minute))
						var all sync.WaitGroup
						for range n {
							all.Go(func() { nest.check(t, depth) })
						}
						all.Wait()
					})
				}
			}
		}
	})
}

// check has a run that is in others as often as depth says.
func (n *nesting) check(t *testing.T, depth int) {
	got, err := n.run(t.Context(), "first", depth)
	switch {
	case depth <= deepest && (err != nil || got != "the last"):
		t.Errorf("%q, %v", got, err)
	case depth > deepest && (err == nil || !strings.Contains(err.Error(), "nested too deep")):
		t.Errorf("%q, %v", got, err)
	}
}

// TestNestedForgets: functions that do not pass on the context of their call run scripts as long as
// workers are free. They are told at once if none are, also where no time would end their waiting.
func TestNestedForgets(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachIsolation(t, func(t *testing.T, mode sandtrap.Isolation) {
		for where, boxes := range whereNested {
			t.Run(where, func(t *testing.T) {
				nest := newNesting(1, true)
				nest.boxes = boxes(t, nest.policy(mode, sandtrap.Forever))
				if got, err := nest.run(t.Context(), "first", 2); err != nil || got != "the last" {
					t.Errorf("with free workers: %q, %v", got, err)
				}
				const n = 16
				full := newNesting(n, true)
				full.boxes = boxes(t, full.policy(mode, sandtrap.Forever))
				var all sync.WaitGroup
				for range n {
					all.Go(func() {
						if got, err := full.run(t.Context(), "first", 1000); err == nil || !strings.Contains(err.Error(), "without the context of that call") {
							t.Errorf("%q, %v", got, err)
						}
					})
				}
				all.Wait()
			})
		}
	})
}

// TestNestedThroughNone: a sandbox without isolation between others hides nothing.
func TestNestedThroughNone(t *testing.T) {
	nest := newNesting(8, false)
	nest.boxes = throughNone(t, nest.policy(sandtrap.Process, sandtrap.Forever))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { nest.check(t, deepest) })
	}
	all.Wait()
}

// TestNestedHere: runs in this process are nested no deeper. Functions that do not pass on the context of their
// call are told so where many runs go on, and only those that are nested so deep.
func TestNestedHere(t *testing.T) {
	const unseen = 8 * (deepest + 1) // runs that go on before anybody looks at stacks
	type policyOf func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script
	call := func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script {
		p.Funcs = map[string]any{"again": again}
		return sandtrap.Script{Text: "again()"}
	}
	for _, tc := range []struct {
		name   string
		policy policyOf
		most   int
	}{
		{"passes the context on", call, deepest + 1},
		{"forgets it", func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script {
			return call(p, func(context.Context) error { return again(context.Background()) })
		}, unseen + deepest + 1},
		{"forgets it, and takes long", func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script {
			p.Funcs = map[string]any{"again": sandtrap.Member{Value: func(context.Context) error { return again(context.Background()) }, Blocking: true}}
			return sandtrap.Script{Text: "again()"}
		}, unseen + deepest + 1},
		{"reads", func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script {
			return sandtrap.Script{Text: "bufio.NewReader(os.Stdin).ReadByte()", Stdin: nestedInput(func() error { return again(context.Background()) })}
		}, unseen + deepest + 1},
		{"is called by a function that a run has left", func(p *sandtrap.Policy, again func(ctx context.Context) error) sandtrap.Script {
			script := call(p, again)
			script.Text = "f := func() error { return again() }"
			return script
		}, deepest + 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var box *sandtrap.Sandbox
			var script sandtrap.Script
			runs, refused := 0, 0
			again := func(ctx context.Context) error {
				if runs++; runs > 10*unseen {
					return errors.New("there is no end to it")
				}
				res, err := box.Run(ctx, script)
				if f, ok := res.Vars["f"].(*sandtrap.Func); ok {
					_, err = f.Call(ctx)
				}
				if errors.Is(err, sandtrap.ErrReentrant) {
					refused++
				}
				return err
			}
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: time.Minute}}
			script = tc.policy(&p, again)
			box = mustBox(t, p)
			if err := again(t.Context()); err != nil || runs != tc.most+1 || refused != 1 {
				t.Errorf("%d runs, %d refused, %v, want the %dth refused", runs, refused, err, tc.most+1)
			}
		})
	}
	t.Run("many at once", func(t *testing.T) {
		var box *sandtrap.Sandbox
		var all, here sync.WaitGroup
		here.Add(3 * unseen)
		p := sandtrap.Policy{Limits: sandtrap.Limits{Timeout: time.Minute}, Funcs: map[string]any{"nest": func() error {
			here.Done()
			here.Wait()
			_, err := box.Run(context.Background(), sandtrap.Script{Text: "1"})
			return err
		}}}
		box = mustBox(t, p)
		for range 3 * unseen {
			all.Go(func() {
				if _, err := box.Run(t.Context(), sandtrap.Script{Text: "if err := nest(); err != nil { panic(err) }"}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

// A nestedInput is an input that does something before it ends.
type nestedInput func() error

func (f nestedInput) Read([]byte) (int, error) {
	if err := f(); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

// TestReentrantText: the error that others match speaks of no session: sandboxes return such ones too.
func TestReentrantText(t *testing.T) {
	if text := sandtrap.ErrReentrant.Error(); strings.Contains(text, "session") || strings.Contains(text, "cell") {
		t.Error(text)
	}
}

// TestNestedErrors: what a host is told of a nested run, or a session, that gets no worker is found by
// errors.Is.
func TestNestedErrors(t *testing.T) {
	var box *sandtrap.Sandbox
	told := make(chan error, 100)
	again := func(ctx context.Context) {
		_, err := box.Run(ctx, sandtrap.Script{Text: "again()"})
		told <- err
	}
	session := func() {
		_, err := box.Session()
		told <- err
	}
	p := sandtrap.Policy{Isolation: sandtrap.Process, Funcs: map[string]any{"again": again, "session": session}}
	box = mustBox(t, p)
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: "again()"}); err != nil {
		t.Fatal(err)
	}
	for i := range deepest + 1 {
		if err := <-told; errors.Is(err, sandtrap.ErrReentrant) != (i == 0) || i > 0 && err != nil {
			t.Errorf("run %d from below: %v", i, err)
		}
	}
	p.Limits.Timeout = sandtrap.Forever
	box = mustTenant(t, mustPool(t, p, sandtrap.PoolLimits{Size: 1, Max: 1}), "a")
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: "for range 10 { session() }"}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := <-told; errors.Is(err, sandtrap.ErrReentrant) != (i >= deepest) {
			t.Errorf("session %d: %v", i, err)
		}
	}
}

// TestWaitIsTimed: a run for which there is no worker ends by its own time, and its error says what it has
// waited for. What it has waited before it had one is no more of its time.
func TestWaitIsTimed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachIsolation(t, func(t *testing.T, mode sandtrap.Isolation) {
		const timeout = 2 * time.Second
		for _, where := range []string{"same sandbox", "tenants of a pool"} {
			t.Run(where, func(t *testing.T) {
				t.Parallel()
				entered, hold := make(chan bool), make(chan bool)
				box := whereNested[where](t, sandtrap.Policy{
					Isolation: mode, Limits: sandtrap.Limits{Timeout: timeout, HostTime: time.Minute},
					Funcs: map[string]any{"wait": func() { entered <- true; <-hold }},
				})[0]
				var all sync.WaitGroup
				for range atOnce(8) {
					all.Go(func() {
						if _, err := box.Run(t.Context(), sandtrap.Script{Text: "wait()"}); err != nil {
							t.Error(err)
						}
					})
					<-entered
				}
				const waited = "it waited for a worker"
				_, err := box.Run(t.Context(), sandtrap.Script{Text: "1"})
				if !errors.Is(err, sandtrap.KindTimeout) || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), waited) {
					t.Errorf("a run without a worker: %v", err)
				}
				over := time.AfterFunc(timeout/4, func() { close(hold) })
				defer over.Stop()
				_, err = box.Run(t.Context(), sandtrap.Script{Text: "for {}"})
				if !errors.Is(err, sandtrap.KindTimeout) || !strings.Contains(err.Error(), " waited ") {
					t.Errorf("a run that had a worker late: %v", err)
				}
				all.Wait()
			})
		}
	})
}
