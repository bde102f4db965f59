package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// funcs are the functions that a script leaves, by the names of its variables.
func funcs(b bench, p sandtrap.Policy, src string) map[string]*sandtrap.Func {
	b.Helper()
	res, err := b.RunOnce(p, src)
	if err != nil {
		b.Fatal(err)
	}
	found := map[string]*sandtrap.Func{}
	for name, v := range res.Vars {
		if f, ok := v.(*sandtrap.Func); ok {
			found[name] = f
		}
	}
	if len(found) == 0 {
		b.Fatalf("no function among %v", res.Vars)
	}
	return found
}

// eachKeeping runs a test in every mode that has functions after the run; in the others
// they must not look as if they had.
func eachKeeping(t *testing.T, test func(b bench)) {
	eachMode(t, func(b bench) {
		if b.KeepsFuncs {
			test(b)
			return
		}
		res, err := b.RunOnce(sandtrap.Policy{Limits: limits}, "f := func() int { return 1 }")
		if _, is := res.Vars["f"].(*sandtrap.Func); err != nil || is {
			b.Errorf("f is a %T, %v", res.Vars["f"], err)
		}
	})
}

const leaves = `
type Point struct { X, Y int; note string }
type Wide struct { *Point; N int ` + "`json:\"n\"`" + ` }
type Shape interface { Area() float64 }
type Names map[string]Point

func (p Point) Sum() int { return p.X + p.Y }

count := 0
next := func() int { count++; return count }
add := func(a, b int) int { return a + b }
join := func(sep string, parts ...string) string { return strings.Join(parts, sep) }
sum := func(p Point) int { return p.Sum() }
grow := func(p *Point) *Point { p.X++; return p }
pick := func(m Names, key string) (Point, bool) { p, ok := m[key]; return p, ok }
far := func(list []Point) int { n := 0; for _, p := range list { n += p.X }; return n }
pair := func(a [2]int8, f float32) (float32, error) { return float32(a[0]) * f, nil }
wide := func(w Wide) Wide { return w }
kind := func(v any) string { return fmt.Sprintf("%T", v) }
fail := func(s string) (int, error) { return 0, fmt.Errorf("no %s", s) }
method := Point{1, 2, ""}.Sum
upper := strings.ToUpper
make2 := func(n int) func() int { return func() int { return n } }
apply := func(f func() int) int { return f() }
var none func()
`

// TestFuncCall: arguments and results of functions that a script leaves.
func TestFuncCall(t *testing.T) {
	type point struct{ X, Y int }
	for _, tc := range []struct {
		name string
		args []any
		want []any  // nil: it fails
		err  string // then, in the error
	}{
		{"add", []any{1, 2}, []any{3}, ""},
		{"add", []any{int8(1), uint64(2)}, []any{3}, ""},
		{"add", []any{1.0, 2}, []any{3}, ""},
		{"add", []any{1}, nil, "takes 2 arguments, not 1"},
		{"sum", nil, nil, "takes 1 argument, not 0"},
		{"add", []any{1, 2, 3}, nil, "takes 2 arguments, not 3"},
		{"add", []any{1, "2"}, nil, "argument 2: string does not fit int"},
		{"add", []any{1, 2.5}, nil, "argument 2: float64 does not fit int"},
		{"add", []any{uint64(1) << 63, 1}, nil, "argument 1: uint64 does not fit int"},
		{"add", []any{nil, 1}, nil, "argument 1: nil does not fit int"},
		{"join", []any{"-"}, []any{""}, ""},
		{"join", []any{"-", "a", "b"}, []any{"a-b"}, ""},
		{"join", []any{"-", "a", 1}, nil, "argument[1]: int does not fit string"},
		{"sum", []any{point{3, 4}}, []any{7}, ""},
		{"sum", []any{&point{3, 4}}, []any{7}, ""},
		{"sum", []any{map[string]any{"X": 3.0, "Y": 4}}, []any{7}, ""},
		{"sum", []any{map[string]any{"X": 3, "Z": 4}}, nil, "argument 1: not all of its keys are fields of main.Point"},
		{"sum", []any{map[string]any{"note": "x"}}, nil, "not all of its keys"},
		{"sum", []any{map[string]any{"X": "3"}}, nil, "argument 1.X: string does not fit int"},
		{"grow", []any{point{1, 2}}, []any{map[string]any{"X": 2, "Y": 2}}, ""},
		{"wide", []any{map[string]any{"X": 3, "Y": 4, "n": 5}}, []any{map[string]any{"X": 3, "Y": 4, "n": 5}}, ""},
		{"wide", []any{map[string]any{"X": 3, "N": 5}}, []any{map[string]any{"X": 3, "Y": 0, "n": 5}}, ""},
		{"wide", []any{struct {
			point
			N int8 `json:"n"`
		}{point{3, 4}, 5}}, []any{map[string]any{"X": 3, "Y": 4, "n": 5}}, ""},
		{"wide", []any{map[string]any{"n": 5}}, []any{map[string]any{"n": 5}}, ""},
		{"pick", []any{map[string]point{"a": {1, 2}}, "a"}, []any{map[string]any{"X": 1, "Y": 2}, true}, ""},
		{"pick", []any{nil, "a"}, []any{map[string]any{"X": 0, "Y": 0}, false}, ""},
		{"far", []any{[]any{point{1, 0}, map[string]int{"X": 2}}}, []any{3}, ""},
		{"far", []any{[]any{point{}, 1}}, nil, "argument 1[1]: int does not fit main.Point"},
		{"pair", []any{[2]int8{3, 0}, 0.5}, []any{float32(1.5), nil}, ""},
		{"pair", []any{[]int{300, 0}, 0.5}, nil, "argument 1[0]: int does not fit int8"},
		{"pair", []any{[]int{1}, 0.5}, nil, "does not fit [2]int8"},
		{"kind", []any{float32(1)}, []any{"float32"}, ""},
		{"kind", []any{map[string][]int8{}}, []any{"map[string][]int8"}, ""},
		{"kind", []any{nil}, []any{"<nil>"}, ""},
		{"fail", []any{"luck"}, []any{0, errors.New("no luck")}, ""},
		{"method", nil, []any{3}, ""},
		{"upper", []any{"a"}, []any{"A"}, ""},
	} {
		t.Run(fmt.Sprint(tc.name, tc.args), func(t *testing.T) {
			eachKeeping(t, func(b bench) {
				fn := funcs(b, pure(), leaves)[tc.name]
				res, err := fn.Call(b.Context(), tc.args...)
				switch {
				case tc.want == nil && (err == nil || !strings.Contains(err.Error(), tc.err)):
					b.Errorf("error %v, want %q", err, tc.err)
				case tc.want != nil && (err != nil || fmt.Sprint(res.Returned...) != fmt.Sprint(tc.want...)):
					b.Errorf("got %v, %v, want %v", res.Returned, err, tc.want)
				case tc.want != nil && reflect.TypeOf(res.Returned[0]) != reflect.TypeOf(tc.want[0]):
					b.Errorf("got a %T, want a %T", res.Returned[0], tc.want[0])
				}
			})
		})
	}
}

// TestFuncState: calls see what calls before them left, functions that they return can be
// called, and given back.
func TestFuncState(t *testing.T) {
	eachKeeping(t, func(b bench) {
		fs := funcs(b, pure(), leaves)
		for want := 1; want < 4; want++ {
			res, err := fs["next"].Call(b.Context())
			if err != nil || res.Returned[0] != want {
				b.Fatalf("got %v, %v, want %d", res.Returned, err, want)
			}
		}
		res, err := fs["make2"].Call(b.Context(), 7)
		if err != nil {
			b.Fatal(err)
		}
		if got, err := fs["apply"].Call(b.Context(), res.Returned[0]); err != nil || got.Returned[0] != 7 {
			b.Errorf("got %v, %v", got.Returned, err)
		}
		if _, err := fs["apply"].Call(b.Context(), fs["add"]); err == nil || !strings.Contains(err.Error(), "does not fit func() int") {
			b.Errorf("error %v", err)
		}
		other := funcs(b, pure(), leaves)["next"]
		if _, err := fs["apply"].Call(b.Context(), other); err == nil || !strings.Contains(err.Error(), "another run") {
			b.Errorf("error %v", err)
		}
	})
}

// TestFuncMemory: what a run or call has handed out is not the memory that later calls write
// to.
func TestFuncMemory(t *testing.T) {
	eachKeeping(t, func(b bench) {
		res, err := b.RunOnce(pure(), `
l := []string{"a"}; n := [][]int{{1}}; m := map[string][]int{"k": {1}}; a := [1][]int{{1}}; x := []any{[]int{1}}
set := func() []string { l[0], n[0][0], m["k"][0], a[0][0], x[0].([]int)[0] = "b", 2, 2, 2, 2; return l }
`)
		if err != nil {
			b.Fatal(err)
		}
		before := fmt.Sprint(res.Vars["l"], res.Vars["n"], res.Vars["m"], res.Vars["a"], res.Vars["x"])
		set := res.Vars["set"].(*sandtrap.Func)
		first, err := set.Call(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		first.Returned[0].([]string)[0] = "c"
		second, err := set.Call(b.Context())
		if err != nil || second.Returned[0].([]string)[0] != "b" {
			b.Errorf("the host wrote to the script's memory: %v, %v", second.Returned, err)
		}
		if after := fmt.Sprint(res.Vars["l"], res.Vars["n"], res.Vars["m"], res.Vars["a"], res.Vars["x"]); after != before {
			b.Errorf("the variables were %s, and became %s", before, after)
		}
	})
}

// TestFuncLimits: each call has the limits of the policy to itself, an end that one makes
// says what it was, and the next call is none the worse for it.
func TestFuncLimits(t *testing.T) {
	const src = `
n := 0
spin := func() { for { n++ } }
deep := func() { var f func(int) int; f = func(i int) int { return f(i+1) + 1 }; f(0) }
hoard := func() { var l [][]byte; for { l = append(l, make([]byte, 1<<16)) } }
crowd := func() { for { go func() { select {} }() } }
wait := func() { <-make(chan int) }
boom := func() { var m map[string]int; m["a"] = 1 }
leave := func() { os.Exit(3) }
work := func(k int) int { for range k { n++ }; return k }
shout := func() { fmt.Print("out"); println("err"); panic("p") }
`
	for _, tc := range []struct {
		name string
		want error
	}{
		{"spin", sandtrap.KindTicks}, {"deep", sandtrap.KindDepth}, {"hoard", sandtrap.KindMemory}, {"crowd", sandtrap.KindTasks},
		{"wait", sandtrap.KindDeadlock}, {"boom", sandtrap.KindPanic}, {"leave", sandtrap.KindExit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachKeeping(t, func(b bench) {
				p := pure()
				p.Limits.Ticks, p.Limits.Tasks = 100_000, 50
				fs := funcs(b, p, src)
				for range 2 {
					res, err := fs[tc.name].Call(b.Context())
					if !errors.Is(err, tc.want) || res.Error == nil || res.Ticks == 0 && tc.name != "boom" && tc.name != "wait" && tc.name != "leave" {
						b.Errorf("error %v, want %v; ticks %d", err, tc.want, res.Ticks)
					}
					if tc.name == "boom" && (res.Error.Pos.Line != 8 || len(res.Error.Stack) == 0) {
						b.Errorf("position %v, stack %v", res.Error.Pos, res.Error.Stack)
					}
					if res, err := fs["work"].Call(b.Context(), 90_000); err != nil || res.Returned[0] != 90_000 || res.Ticks < 90_000 {
						b.Errorf("after it: %v, %v, %d ticks", res.Returned, err, res.Ticks)
					}
				}
			})
		})
	}
	t.Run("streams", func(t *testing.T) {
		eachKeeping(t, func(b bench) {
			res, _ := funcs(b, pure(), src)["shout"].Call(b.Context())
			if res.Stdout != "out" || res.Stderr != "err\n" || res.Error == nil {
				b.Errorf("got %q, %q, %v", res.Stdout, res.Stderr, res.Error)
			}
		})
	})
}

// TestFuncCancelled: a context ends a call, before it and during it.
func TestFuncCancelled(t *testing.T) {
	eachKeeping(t, func(b bench) {
		p := pure()
		p.Limits.Ticks = 0
		started := make(chan struct{}, 1)
		p.Funcs = map[string]any{"started": func() { started <- struct{}{} }}
		spin := funcs(b, p, "spin := func() { started(); for { } }")["spin"]
		ctx, cancel := context.WithCancel(b.Context())
		go func() { <-started; cancel() }()
		if _, err := spin.Call(ctx); !errors.Is(err, sandtrap.KindCancelled) {
			b.Errorf("during it: %v", err)
		}
		if _, err := spin.Call(ctx); !errors.Is(err, sandtrap.KindCancelled) {
			b.Errorf("before it: %v", err)
		}
	})
}

// TestFuncGoroutines: goroutines of the script end with the run or call that started them;
// nobody hands them anything afterwards. Those that a call starts work during it.
func TestFuncGoroutines(t *testing.T) {
	eachKeeping(t, func(b bench) {
		fs := funcs(b, pure(), `
in, out := make(chan int), make(chan int)
late := 0
serve := func() { for v := range in { late++; out <- v * v } }
go serve()
time.Sleep(time.Millisecond) // it waits now
timer := time.AfterFunc(time.Hour, func() { late = -1 })
ask := func(n int) int { in <- n; return <-out }
square := func(n int) int { go serve(); return ask(n) }
lates := func() (int, bool) { return late, timer.Stop() }
`)
		for n := range 3 {
			if res, err := fs["square"].Call(b.Context(), n); err != nil || res.Returned[0] != n*n {
				b.Fatalf("got %v, %v", res.Returned, err)
			}
		}
		if res, err := fs["ask"].Call(b.Context(), 1); !errors.Is(err, sandtrap.KindDeadlock) {
			b.Errorf("with nobody there: %v, %v", res.Returned, err)
		}
		if res, err := fs["lates"].Call(b.Context()); err != nil || res.Returned[0] != 3 || res.Returned[1] != false {
			b.Errorf("got %v, %v", res.Returned, err)
		}
	})
}

// TestFuncNested: a call by a function of the host that the script called is part of that
// call: it pays from the same budget. A panic in it is an error for the host.
func TestFuncNested(t *testing.T) {
	eachKeeping(t, func(b bench) {
		var fs map[string]*sandtrap.Func
		again := func(ctx context.Context, n int) (int, error) {
			res, err := fs["run"].Call(ctx, n)
			if err != nil {
				return 0, err
			}
			return res.Returned[0].(int), nil
		}
		p := pure()
		p.Limits.Ticks = 10_000
		p.Funcs = map[string]any{"again": again, "apart": sandtrap.Member{Value: again, Blocking: true}}
		fs = funcs(b, p, `
func down(n int) int {
	for range 100 {}
	if n <= 0 { return n / n }
	f := again
	if n%2 == 0 { f = apart }
	if v, err := f(n - 1); err == nil { return v + 1 } else { fmt.Println(err) }
	return 1
}
run := down
`)
		res, err := fs["run"].Call(b.Context(), 5)
		if err != nil || res.Returned[0] != 5 || res.Ticks < 600 || !strings.Contains(res.Stdout, "integer divide by zero") {
			b.Errorf("got %v, %v, %d ticks, %q", res.Returned, err, res.Ticks, res.Stdout)
		}
		if _, err := fs["run"].Call(b.Context(), 200); !errors.Is(err, sandtrap.KindTicks) {
			b.Errorf("beyond the budget: %v", err)
		}
		if res, err := fs["run"].Call(b.Context(), 3); err != nil || res.Returned[0] != 3 {
			b.Errorf("after it: %v, %v", res.Returned, err)
		}
	})
}

// TestFuncAtOnce: calls from many goroutines come one after the other.
func TestFuncAtOnce(t *testing.T) {
	eachKeeping(t, func(b bench) {
		next := funcs(b, pure(), leaves)["next"]
		seen := make([]bool, 65)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				res, err := next.Call(b.Context())
				mu.Lock()
				defer mu.Unlock()
				if err != nil || seen[res.Returned[0].(int)] {
					b.Errorf("got %v, %v", res.Returned, err)
					return
				}
				seen[res.Returned[0].(int)] = true
			})
		}
		wg.Wait()
	})
}

// TestFuncFiles: late calls have the files of the run, and its working directory.
func TestFuncFiles(t *testing.T) {
	eachKeeping(t, func(b bench) {
		p := pure()
		p.Files = &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
		fs := funcs(b, p, `
if err := os.Mkdir("d", 0o777); err != nil { panic(err) }
os.Chdir("d")
os.WriteFile("a", []byte("early"), 0o666)
open, _ := os.Open("a")
read := func() string { text, err := os.ReadFile("a"); return fmt.Sprint(string(text), err) }
write := func(s string) error { return os.WriteFile("a", []byte(s), 0o666) }
stale := func() error { _, err := open.Read(make([]byte, 1)); return err }
`)
		if res, err := fs["write"].Call(b.Context(), "late"); err != nil || res.Returned[0] != nil {
			b.Fatal(res.Returned, err)
		}
		if res, err := fs["read"].Call(b.Context()); err != nil || res.Returned[0] != "late<nil>" {
			b.Error(res.Returned, err)
		}
		res, err := fs["stale"].Call(b.Context())
		if e, _ := res.Returned[0].(error); err != nil || e == nil || e == io.EOF {
			b.Errorf("a file that the run left open: %v, %v", res.Returned, err)
		}
	})
}

// TestHandlerLater: a script that registers a handler by its name is called after the run, with the run's files and without
// more than the run had. The function value that the host has kept is over.
func TestHandlerLater(t *testing.T) {
	eachKeeping(t, func(b bench) {
		var kept func() (string, error)
		var name string
		p := pure()
		p.Files = &sandtrap.Files{}
		p.Funcs = map[string]any{"register": func(as string, f func() (string, error)) { name, kept = as, f }}
		box := b.Box(p)
		res, err := box.Run(b.Context(), sandtrap.Script{Text: `
os.WriteFile("a", []byte("early"), 0o666)
onEvent := func() (string, error) {
	text, err := os.ReadFile("a")
	if err == nil { _, err = os.ReadFile("/etc/passwd") }
	return string(text), err
}
register("onEvent", onEvent)`})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := kept(); err != sandtrap.ErrRunOver {
			b.Errorf("the value that was kept: %v", err)
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1; _ = x"}); err != nil {
			b.Fatal(err)
		}
		late, err := res.Func(name).Call(b.Context())
		if err != nil || len(late.Returned) != 2 || late.Returned[0] != "early" {
			b.Fatal(late.Returned, err)
		}
		if e, _ := late.Returned[1].(error); e == nil || !strings.Contains(e.Error(), "/etc/passwd") {
			b.Errorf("a file of the host: %v", late.Returned[1])
		}
	})
}

// TestFuncAfterClose: a closed sandbox runs nothing.
func TestFuncAfterClose(t *testing.T) {
	eachKeeping(t, func(b bench) {
		box := b.Box(pure())
		res, err := box.Run(b.Context(), sandtrap.Script{Text: leaves})
		if err != nil {
			b.Fatal(err)
		}
		box.Close()
		if _, err := res.Vars["next"].(*sandtrap.Func).Call(b.Context()); err != sandtrap.ErrClosed {
			b.Errorf("error %v", err)
		}
	})
}

// TestFuncStuck: a call that a function of the host holds up is given up in time, and so is
// one that waits for it. In workers, which take half a minute for it, a test of package worker looks at that.
func TestFuncStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachKeeping(t, func(b bench) {
		if b.Isolation != sandtrap.None {
			return
		}
		release := make(chan struct{})
		defer close(release)
		p := pure()
		p.Limits.Timeout = 50 * time.Millisecond
		var hold *sandtrap.Func
		nested := make(chan error, 1)
		p.Funcs = map[string]any{"hold": func() {
			_, err := hold.Call(context.Background()) // waits for its own end
			nested <- err
			<-release
		}}
		hold = funcs(b, p, "f := func() { hold() }")["f"]
		if _, err := hold.Call(b.Context()); !errors.Is(err, sandtrap.KindTimeout) {
			b.Errorf("error %v", err)
		}
		if err := <-nested; err != sandtrap.ErrRunOver {
			b.Errorf("the one that waited: %v", err)
		}
		if _, err := hold.Call(b.Context()); err != sandtrap.ErrRunOver {
			b.Errorf("after it: %v", err)
		}
	})
}

// TestFuncDecode: a result of a function that the run left is decoded as a variable is.
func TestFuncDecode(t *testing.T) {
	eachKeeping(t, func(b bench) {
		res, err := funcs(b, pure(), leaves)["pick"].Call(b.Context(), map[string]any{"a": map[string]int{"X": 1, "Y": 2}}, "a")
		if err != nil {
			b.Fatal(err)
		}
		var at struct{ X, Y int }
		var ok bool
		if err := errors.Join(res.DecodeReturned(0, &at), res.DecodeReturned(1, &ok)); err != nil || at.X != 1 || at.Y != 2 || !ok {
			b.Errorf("got %v, %v, %v", at, ok, err)
		}
		var wrong struct{ X string }
		for i, want := range map[int]string{0: "result 1.X: int does not fit string", 2: "there is no result 3", -1: "there is no result 0"} {
			if err := res.DecodeReturned(i, &wrong); !errors.Is(err, sandtrap.KindContract) || !strings.Contains(err.Error(), want) {
				b.Errorf("%d: %v, want %s", i, err, want)
			}
		}
	})
}

// TestFuncReleased: what a run left goes when nobody holds its functions.
func TestFuncReleased(t *testing.T) {
	eachKeeping(t, func(b bench) {
		p := pure()
		box := b.Box(p)
		for range 40 {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "big := make([]byte, 16<<20)\nf := func() int { return len(big) }\nbig[0] = 1\ng := f"})
			if err != nil {
				b.Fatal(err)
			}
			if out, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context()); err != nil || out.Returned[0] != 16<<20 {
				b.Fatal(out.Returned, err)
			}
		}
		runtime.GC()
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		if ms.HeapAlloc > 300<<20 {
			b.Errorf("%d MiB in use", ms.HeapAlloc>>20)
		}
	})
}
