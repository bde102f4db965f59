package atonce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A place is where scripts of one tenant run, and a session there.
type place struct {
	box     *sandtrap.Sandbox
	session *sandtrap.Session
}

// errWrong is of what is neither right nor refused because something was closed or busy.
var errWrong = errors.New("wrong")

func right(is bool, format string, args ...any) error {
	if is {
		return nil
	}
	return fmt.Errorf("%w: "+format, append([]any{errWrong}, args...)...)
}

// uses are what a host may do with a place at any time, also while that is being closed.
var uses = map[string]func(ctx context.Context, p place) error{
	"run": func(ctx context.Context, p place) error {
		res, err := p.box.Run(ctx, sandtrap.Script{Text: `fmt.Print(twice("x"))`})
		return errors.Join(err, right(err != nil || res.Stdout == "xx", "run: %q", res.Stdout))
	},
	"functions": func(ctx context.Context, p place) error {
		res, err := p.box.Run(ctx, sandtrap.Script{Text: `n := 1; f := func(m int) int { n += m; return n }`})
		if err != nil {
			return err
		}
		f, ok := res.Vars["f"].(*sandtrap.Func)
		if !ok {
			return right(false, "variables %v", res.Vars)
		}
		called, err := f.Call(ctx, 2)
		return errors.Join(err, right(err != nil || fmt.Sprint(called.Returned) == "[3]", "function: %v", called.Returned))
	},
	"session": func(ctx context.Context, p place) error {
		s, err := p.box.Session()
		if err != nil {
			return err
		}
		defer s.Close()
		res, err := s.Run(ctx, sandtrap.Script{Text: "x := 2\nfmt.Print(x)"})
		return errors.Join(err, right(err != nil || res.Stdout == "2", "session: %q", res.Stdout))
	},
	"kept session": func(ctx context.Context, p place) error {
		s, err := p.box.Session() // which ends with its sandbox
		if err != nil {
			return err
		}
		_, err = s.TypeOf("len(twice(``))")
		return err
	},
	"cell": func(ctx context.Context, p place) error {
		res, err := p.session.Run(ctx, sandtrap.Script{Text: `s := strings.Repeat("a", 3); fmt.Print(s)`})
		return errors.Join(err, right(err != nil || res.Stdout == "aaa", "cell: %q", res.Stdout))
	},
	"bindings": func(_ context.Context, p place) error { _, err := p.session.Bindings(); return err },
	"complete": func(_ context.Context, p place) error {
		names, err := p.session.Complete("strings.Rep", 11)
		return errors.Join(err, right(err != nil || len(names) > 0, "no completions"))
	},
	"save":  func(_ context.Context, p place) error { _, err := p.session.Save(io.Discard); return err },
	"reset": func(_ context.Context, p place) error { return p.session.Reset() },
	"check": func(ctx context.Context, p place) error {
		_, err := p.box.Check(ctx, sandtrap.Script{Text: `x := twice("a")`})
		return err
	},
}

// TestUsedAtOnce: all that a host may do with sandboxes, sessions and pools it may do at once, and while it closes
// them: each use succeeds or is refused. What was closed has no process any more. Each round has a plan of its own.
func TestUsedAtOnce(t *testing.T) {
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} {
		rounds := map[sandtrap.Isolation]int{sandtrap.None: 300, sandtrap.Process: 40}[mode]
		if testing.Short() {
			rounds /= 10
		}
		t.Run(string(mode), func(t *testing.T) {
			if mode != sandtrap.None {
				usedAtOnce(t, mode, 0) // what starts workers is there from now on
			}
			before := processes()
			for round := range rounds {
				usedAtOnce(t, mode, round)
			}
			for end := time.Now().Add(30 * time.Second); processes() > before; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d processes became %d", before, processes())
				}
			}
		})
	}
}

// usedAtOnce is one round: each second one of a process is in a pool.
func usedAtOnce(t *testing.T, mode sandtrap.Isolation, round int) {
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Isolation: mode, Std: sandtrap.StdDefault(), Funcs: map[string]any{"twice": func(s string) string { return s + s }},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, end := newPlace(t, plan, mode != sandtrap.None && round%2 == 1)
	var all sync.WaitGroup
	begin := make(chan struct{})
	for name, use := range uses {
		all.Go(func() {
			<-begin
			for range 2 {
				err := use(t.Context(), p)
				if errors.Is(err, errWrong) || err != nil && !errors.Is(err, sandtrap.ErrClosed) && !errors.Is(err, sandtrap.ErrReentrant) && !errors.Is(err, sandtrap.ErrRunOver) {
					t.Errorf("round %d, %s: %v", round, name, err)
				}
			}
		})
	}
	for _, f := range end {
		all.Go(func() {
			<-begin
			time.Sleep(time.Duration(round%10) * time.Millisecond) // at another moment in each round
			f()
		})
	}
	close(begin)
	all.Wait()
}

// newPlace makes one, and what ends it.
func newPlace(t *testing.T, plan *sandtrap.Plan, pooled bool) (p place, end []func()) {
	var err error
	if pooled {
		pool, err := plan.Pool(t.Context(), sandtrap.PoolLimits{Size: 1, Max: 16})
		if err != nil {
			t.Fatal(err)
		}
		end = append(end, func() { pool.Close(context.Background()) })
		if p.box, err = pool.Sandbox(t.Context(), "tenant"); err != nil {
			t.Fatal(err)
		}
	} else if p.box, err = plan.New(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.session, err = p.box.Session(); err != nil {
		t.Fatal(err)
	}
	return p, append(end, func() { p.box.Close() }, func() { p.session.Close() })
}

// processes is how many this one has started that are there, without what starts workers.
func processes() (n int) {
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, pid := range strings.Fields(string(text)) {
			if args, _ := os.ReadFile("/proc/" + pid + "/cmdline"); !strings.Contains(string(args), "\x00spawner") {
				n++
			}
		}
	}
	return n
}
