package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// isolations are those that this binary can be a worker in.
func isolations() []sandtrap.Isolation {
	if machine.Raced {
		return []sandtrap.Isolation{sandtrap.Process}
	}
	return []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel}
}

// liesPlan has a worker say everything that a worker may say.
func liesPlan(t testing.TB, isolation sandtrap.Isolation) *sandtrap.Plan {
	t.Helper()
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Isolation: isolation, Level: levelOf(isolation), Limits: sandtrap.Limits{Timeout: 3 * time.Second, Memory: 64 << 20, Output: 1 << 20},
		Std:   sandtrap.StdDefault(),
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return afero.NewMemMapFs(), nil }},
		Funcs: map[string]any{
			"twice": func(ctx context.Context, s string) (string, error) { return s + s, nil },
			"apply": func(f func(int) int, n int) int { return f(n) },
			"later": sandtrap.Member{Value: func(n int) int { return n }, Blocking: true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func levelOf(isolation sandtrap.Isolation) isolate.Level {
	if isolation == sandtrap.Kernel {
		return isolate.Standard
	}
	return ""
}

// A scene is a use of a sandbox whose worker may lie.
type scene func(ctx context.Context, box *sandtrap.Sandbox, lie string) error

const busy = `
fmt.Println("hello")
s, err := twice("x")
n := apply(func(i int) int { return i + 1 }, 2)
m := later(3)
os.WriteFile("/f", []byte(s), 0o644)
d, _ := os.ReadFile("/f")
in, _ := io.ReadAll(os.Stdin)
f := func(n int) int { fmt.Println(n); return n + 1 }
p := &struct{ A []int; B map[string]any }{[]int{1}, map[string]any{"k": 1.5}}
fmt.Fprintln(os.Stderr, strings.Repeat("long", 100_000), d, in, m, n, err)
p.A
`

func lyingScript(lie, text string) sandtrap.Script {
	return sandtrap.Script{
		Text: lie + text, Stdin: strings.NewReader("input"), Stdout: io.Discard, Events: make(chan sandtrap.Event, 4),
		Echo: sandtrap.EchoAll, Prints: true,
	}
}

// scenes are what a host asks of a worker, one kind of job each.
var scenes = map[string]scene{
	"run": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		_, err := box.Run(ctx, lyingScript(lie, busy))
		return err
	},
	"answer": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		var into struct{ A []int }
		s := lyingScript(lie, "result := struct{ A []int }{[]int{1, 2}}")
		s.Result = &into
		_, err := box.Run(ctx, s)
		return err
	},
	"refused": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		_, err := box.Run(ctx, lyingScript(lie, "var a int = \"\"\nvar b string = 1\nnone()"))
		return err
	},
	"stuck": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		_, err := box.Run(ctx, lyingScript(lie, "c := make(chan int)\ngo func() { <-c }()\n<-c"))
		return err
	},
	"check": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		_, err := box.Check(ctx, lyingScript(lie, busy))
		return err
	},
	"function": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		res, err := box.Run(ctx, lyingScript(lie, "f := func(n int) int { fmt.Println(n); return n + 1 }"))
		if f, ok := res.Vars["f"].(*sandtrap.Func); ok {
			for range 2 {
				_, e := f.Call(ctx, 1)
				err = errors.Join(err, e)
			}
		}
		return err
	},
	"session": func(ctx context.Context, box *sandtrap.Sandbox, lie string) error {
		s, err := box.Session()
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = s.Run(ctx, lyingScript(lie, busy))
		_, e1 := s.Bindings()
		_, e2 := s.TypeOf("s")
		_, e3 := s.Complete("fmt.Pr", 6)
		var saved bytes.Buffer
		_, e4 := s.Save(&saved)
		return errors.Join(err, e1, e2, e3, e4, s.Reset())
	},
}

var sceneNames = []string{"run", "answer", "refused", "stuck", "check", "function", "session"}

// A census is what the kernel shows of workers.
type census struct{ processes, groups, descriptors int }

func counted() census {
	var c census
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		c.processes += len(strings.Fields(string(text)))
	}
	for _, below := range []string{"*/", "*/*/", "*/*/*/"} {
		list, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/%ssandtrap-%d-*", below, os.Getpid()))
		c.groups += len(list)
	}
	list, _ := os.ReadDir("/proc/self/fd")
	c.descriptors = len(list)
	return c
}

// more says what there is more of than in than.
func (c census) more(than census) bool {
	return c.processes > than.processes || c.groups > than.groups || c.descriptors > than.descriptors
}

// settled is a census that is not more than most, if that comes about soon.
func settled(most census) census {
	c := counted()
	for range 500 {
		if !c.more(most) {
			break
		}
		time.Sleep(10 * time.Millisecond)
		c = counted()
	}
	return c
}

// patient is for how long a run waits for a worker at most in these tests; one that waits so long
// waits for ever.
const patient = 60 * time.Second

// A stage is a pool of one worker, in which scenes are played.
type stage struct {
	pool *sandtrap.Pool
	most census // after an honest scene
}

func newStage(t testing.TB, isolation sandtrap.Isolation) *stage {
	t.Helper()
	pool, err := liesPlan(t, isolation).Pool(t.Context(), sandtrap.PoolLimits{Size: 1, Max: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{pool: pool}
	for range 3 {
		for _, name := range sceneNames {
			s.play(t, name, lie{frame: -1})
		}
		s.most = counted()
	}
	s.most.processes, s.most.groups, s.most.descriptors = s.most.processes+1, s.most.groups+2, s.most.descriptors+8 // of a worker that is just being replaced
	return s
}

func (s *stage) play(t testing.TB, name string, l lie) error {
	t.Helper()
	box, err := s.pool.Sandbox(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	text := ""
	if l.frame >= 0 {
		text = l.text()
	}
	return scenes[name](ctx, box, text)
}

// after plays a lie, and looks whether another tenant can run a script and nothing is left of the liar.
func (s *stage) after(t testing.TB, name string, l lie) {
	t.Helper()
	_ = s.play(t, name, l)
	box, err := s.pool.Sandbox(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	if res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Print("fine")`}); err != nil || res.Stdout != "fine" {
		t.Fatalf("%s, %+v: another tenant: %q, %v", name, l, res.Stdout, err)
	}
	if c := settled(s.most); c.more(s.most) {
		t.Fatalf("%s, %+v: there were %+v at most, and now there are %+v", name, l, s.most, c)
	}
}

// TestLies: whatever a worker says instead of what it should, its seat is free for another tenant
// afterwards, and nothing of it is left.
func TestLies(t *testing.T) {
	times := 50
	if testing.Short() {
		times = 15
	}
	for _, isolation := range isolations() {
		t.Run(string(isolation), func(t *testing.T) {
			before := counted()
			s := newStage(t, isolation)
			for range 2 {
				s.after(t, "refused", nullInError)
			}
			rand := rand.New(rand.NewPCG(1, 2))
			for range times {
				l := lie{frame: []int{outcomes, rand.IntN(12)}[rand.IntN(2)], node: rand.IntN(200), with: rand.IntN(len(forgeries))}
				if rand.IntN(2) == 0 {
					l.with = rand.IntN(2) // null
				}
				s.after(t, sceneNames[rand.IntN(len(sceneNames))], l)
			}
			s.pool.Close(t.Context())
			before.descriptors++ // the poller's, once there is one
			if c := settled(before); c.more(before) {
				t.Errorf("there were %+v, and there are %+v", before, c)
			}
		})
	}
}

// FuzzLies is TestLies for any lie.
func FuzzLies(f *testing.F) {
	for i := range sceneNames {
		f.Add(uint8(i), uint8(outcomes), uint16(8), uint8(0))
	}
	var s *stage
	f.Fuzz(func(t *testing.T, scene, frame uint8, node uint16, with uint8) {
		if s == nil {
			s = newStage(t, sandtrap.Process)
		}
		s.after(t, sceneNames[int(scene)%len(sceneNames)], lie{frame: int(frame), node: int(node), with: int(with)})
	})
}

// nullInError has one of the reasons of a refusal be null.
var nullInError = lie{frame: outcomes, path: "4/6/9/0"}

// TestNullInError: each run whose worker says that one of the reasons is null ends with an error, and
// all seats of the sandbox are free afterwards.
func TestNullInError(t *testing.T) {
	for _, isolation := range isolations() {
		t.Run(string(isolation), func(t *testing.T) {
			before := counted()
			box, err := liesPlan(t, isolation).New(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for range 10 { // a sandbox has eight seats
				ctx, cancel := context.WithTimeout(t.Context(), patient)
				err := scenes["refused"](ctx, box, nullInError.text())
				cancel()
				if !errors.Is(err, sandtrap.KindWorker) {
					t.Fatalf("got %v", err)
				}
			}
			if res, err := box.Run(t.Context(), sandtrap.Script{Text: `fmt.Print("fine")`}); err != nil || res.Stdout != "fine" {
				t.Errorf("a run after them: %q, %v", res.Stdout, err)
			}
			box.Close()
			before.processes, before.groups, before.descriptors = before.processes+1, before.groups+8, before.descriptors+12 // of what starts workers
			if c := settled(before); c.more(before) {
				t.Errorf("there were %+v, and there are %+v", before, c)
			}
		})
	}
}
