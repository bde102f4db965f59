package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// onVM runs a program on the vm with all of the pure standard library.
func onVM(t *testing.T, l Limits, src string) (*Result, *Error) {
	t.Helper()
	res, err := box(t, Policy{Std: StdDefault(), Engine: "vm", Limits: l}).Run(t.Context(), Script{Text: src})
	e, _ := errors.AsType[*Error](err)
	if err != nil && e == nil {
		t.Fatal(err)
	}
	return res, e
}

// TestVMTasks: goroutines are tasks of the run, which wait for each other and not
// for the host.
func TestVMTasks(t *testing.T) {
	for _, tc := range []struct {
		name, body, want string
	}{
		{"mutex is handed on", `var mu sync.Mutex; mu.Lock(); go func() { fmt.Print("a "); mu.Unlock() }(); mu.Lock(); fmt.Print("b")`, "a b"},
		{"readers wait for the writer", `var mu sync.RWMutex; mu.Lock(); go func() { fmt.Print("w "); mu.Unlock() }(); mu.RLock(); fmt.Print("r")`, "w r"},
		{"wait group", `var wg sync.WaitGroup; for i := range 3 { wg.Add(1); go func() { defer wg.Done(); fmt.Print(i) }() }; wg.Wait()`, "012"},
		{"once waits for the first", `var o sync.Once; var wg sync.WaitGroup; for range 2 { wg.Add(1); go func() { defer wg.Done(); o.Do(func() { time.Sleep(time.Millisecond); fmt.Print("once ") }); fmt.Print("after ") }() }; wg.Wait()`, "once after after "},
		{"sleeping lets others run", `go fmt.Print("a "); time.Sleep(time.Millisecond); fmt.Print("b")`, "a b"},
		{"what is left ends with main", `go func() { for {} }(); go func() { select {} }(); fmt.Print("end")`, "end"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"sync\"; \"time\")\nvar _ sync.Mutex\nvar _ = time.Now\nfunc main() { " + tc.body + " }\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, e, tc.want)
			}
		})
	}
}

// TestVMStops: a stop reaches the script wherever it is.
func TestVMStops(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits Limits
		body   string
		want   Kind
	}{
		{"in a callback of the host", Limits{Timeout: 50 * time.Millisecond}, `sort.Slice([]int{2, 1}, func(i, j int) bool { for {} })`, KindTimeout},
		{"in String, called by fmt", Limits{Timeout: 50 * time.Millisecond}, `fmt.Println(spins{})`, KindTimeout},
		{"asleep", Limits{Timeout: 50 * time.Millisecond}, `time.Sleep(time.Hour)`, KindTimeout},
		{"in a deferred call", Limits{Ticks: 1000}, `defer func() { recover(); for {} }(); for {}`, KindTicks},
		{"all asleep", Limits{}, `var mu sync.Mutex; mu.Lock(); mu.Lock()`, KindDeadlock},
		{"all asleep on channels", Limits{}, `go func() { select {} }(); <-make(chan int)`, KindDeadlock},
		{"tasks", Limits{Tasks: 10}, `for { go func() { select {} }() }`, KindTasks},
		{"memory of tasks", Limits{Memory: 4 << 20}, `for { go func() { select {} }() }`, KindMemory},
		{"memory of values", Limits{Memory: 4 << 20}, `var l []any; for { l = append(l, new(int)) }`, KindMemory},
		{"memory of text", Limits{Memory: 4 << 20}, `s := "x"; for { s += s }`, KindMemory},
		{"depth through the host", Limits{}, `fmt.Println(loops{})`, KindDepth},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"sort\"; \"sync\"; \"time\")\nvar _ sync.Mutex\nvar _ = time.Now\nvar _ = sort.Ints\n" +
				"type spins struct{}\nfunc (spins) String() string { for {} }\n" +
				"type loops struct{}\nfunc (l loops) String() string { return fmt.Sprint(l) }\nfunc main() { " + tc.body + " }\n"
			start := time.Now()
			_, e := onVM(t, tc.limits, src)
			if e == nil || e.Kind != tc.want {
				t.Fatalf("got %v, want %s", e, tc.want)
			}
			if d := time.Since(start); d > time.Minute { // it hangs
				t.Errorf("it took %v", d)
			}
		})
	}
}

// TestVMGarbage: what a program has let go of does not count.
func TestVMGarbage(t *testing.T) {
	_, e := onVM(t, Limits{Memory: 8 << 20}, "package main\nfunc main() { n := 0\nfor i := range 2000 { b := make([]byte, 1<<16); b[i] = 1; n += len(b) }\nprintln(n) }")
	if e != nil {
		t.Errorf("got %v, want a good end after 128 MiB one after the other", e)
	}
}

// TestVMShared: one plan serves runs at the same time.
func TestVMShared(t *testing.T) {
	b := box(t, Policy{Std: StdDefault(), Engine: "vm"})
	src := "package main\nimport (\"fmt\"; \"slices\"; \"strings\")\ntype P struct{ N int }\nfunc (p P) String() string { return strings.Repeat(\"*\", p.N) }\n" +
		"func main() { ps := []P{{3}, {1}}; slices.SortFunc(ps, func(a, b P) int { return a.N - b.N }); fmt.Print(ps) }"
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			res, err := b.Run(context.Background(), Script{Text: src})
			if err != nil || res.Stdout != "[* ***]" {
				t.Errorf("got %q, %v", res.Stdout, err)
			}
		})
	}
	wg.Wait()
}

// TestVMTicks: one for each function that is entered and each way back in a loop,
// so that the first round is free.
func TestVMTicks(t *testing.T) {
	for _, tc := range []struct {
		body string
		want int64
	}{
		{``, 1},
		{`for range 10 { f() }`, 20},
		{`for i := 0; i < 1000; i++ { }`, 1000},
		{`for i := range []int{1, 2, 3} { _ = i }`, 3},
	} {
		res, e := onVM(t, Limits{}, "package main\nfunc f() {}\nfunc main() { "+tc.body+" }")
		if e != nil || res.Ticks != tc.want {
			t.Errorf("%q: %d ticks, %v, want %d", tc.body, res.Ticks, e, tc.want)
		}
	}
}

// TestVMFrames: the stack of a panic holds the functions of the script.
func TestVMFrames(t *testing.T) {
	_, e := onVM(t, Limits{}, "package main\nimport \"slices\"\nfunc main() {\n\tslices.SortFunc([]int{2, 1}, func(a, b int) int {\n\t\tpanic(\"in cmp\")\n\t})\n}\n")
	if e == nil || e.Kind != KindPanic || e.Message != "in cmp" {
		t.Fatalf("got %v", e)
	}
	var got []string
	for _, f := range e.Stack {
		got = append(got, fmt.Sprintf("%s:%d", f.Func, f.Pos.Line))
	}
	if want := "main.main.func1:5 main.main:4"; strings.Join(got, " ") != want {
		t.Errorf("stack %v, want %s", got, want)
	}
}
