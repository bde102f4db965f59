package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// runsVar is the variable of the environment that says how many runs of each sort
// TestRunsLeaveNothing makes. The default takes seconds.
const runsVar = "SANDTRAP_RUNS"

// growthCase is one sort of run: what it runs, and how that ends.
type growthCase struct {
	name   string
	src    func(i int) string
	want   sandtrap.Kind
	limits sandtrap.Limits
	runs   int  // by default
	cancel bool // as soon as it has begun
	atOnce int
}

func always(src string) func(int) string { return func(int) string { return src } }

const leftOver = `var mu sync.Mutex
mu.Lock()
c := make(chan int)
for i := range 20 {
	go func() { c <- i }()
	go mu.Lock()
	go time.Sleep(time.Hour)
}
ctx, _ := context.WithTimeout(context.Background(), time.Hour)
context.AfterFunc(ctx, func() {})
time.AfterFunc(time.Hour, func() {})
t := time.NewTicker(time.Hour)
go func() { <-t.C }()
go strings.Map(func(r rune) rune { <-c; return <-make(chan rune) }, "abc")
runtime.Gosched()
`

// fresh is a program with types and functions of its own.
func fresh(i int) string {
	return fmt.Sprintf(`package main

import ("encoding/json"; "fmt"; "sort"; "strings")

type T%[1]d struct{ A int; B []string; next *T%[1]d }

func (t T%[1]d) String() string { return fmt.Sprint(t.A, t.B) }

func max%[1]d[N int | float64](a, b N) N { if a > b { return a }; return b }

func main() {
	l := []T%[1]d{{A: %[1]d}, {A: 2, B: []string{"x"}}}
	sort.Slice(l, func(i, j int) bool { return l[i].A < l[j].A })
	text, _ := json.Marshal(l)
	fmt.Println(l, strings.ToUpper(string(text)), max%[1]d(1, 2), max%[1]d(1.5, 2))
}
`, i)
}

var growthCases = []growthCase{
	{name: "one program", src: always(fresh(1)), runs: 10_000},
	{name: "one program, at once", src: always(fresh(1)), runs: 2000, atOnce: 16},
	{name: "new programs", src: fresh, runs: 300},
	{name: "new programs, at once", src: fresh, runs: 300, atOnce: 16},
	{name: "goroutines left over", src: always(leftOver), runs: 500},
	{name: "goroutines left over, at once", src: always(leftOver), runs: 500, atOnce: 16},
	{name: "panic", src: always("defer func() { panic(2) }()\npanic(1)"), want: sandtrap.KindPanic, runs: 500},
	{name: "panic in a goroutine", src: always(leftOver + "go panic(1)\nselect {}"), want: sandtrap.KindPanic, runs: 500},
	{name: "panic in a callback", src: always("strings.Map(func(r rune) rune { panic(r) }, \"abc\")"), want: sandtrap.KindPanic, runs: 500},
	{name: "exit", src: always(leftOver + "os.Exit(3)"), want: sandtrap.KindExit, runs: 500},
	{name: "deadlock", src: always("var wg sync.WaitGroup\nfor range 20 {\nwg.Go(func() { select {} })\n}\nwg.Wait()"), want: sandtrap.KindDeadlock, runs: 500},
	{name: "ticks", src: always(leftOver + "for {}"), want: sandtrap.KindTicks, limits: sandtrap.Limits{Ticks: 20_000}, runs: 300},
	{name: "ticks in a callback", src: always(leftOver + "strings.Map(func(r rune) rune { for {} }, \"abc\")"), want: sandtrap.KindTicks, limits: sandtrap.Limits{Ticks: 20_000}, runs: 300},
	{name: "memory", src: always("var l [][]byte\nfor { l = append(l, make([]byte, 1<<16)) }"), want: sandtrap.KindMemory, limits: sandtrap.Limits{Memory: 1 << 20}, runs: 50},
	{name: "depth", src: always("var f func()\nf = func() { f() }\nf()"), want: sandtrap.KindDepth, limits: sandtrap.Limits{Depth: 1000}, runs: 300},
	{name: "tasks", src: always("for { go func() { select {} }() }"), want: sandtrap.KindTasks, limits: sandtrap.Limits{Tasks: 50}, runs: 300},
	{name: "output", src: always("for { fmt.Println(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\") }"), want: sandtrap.KindTicks, limits: sandtrap.Limits{Output: 1000, Ticks: 2000}, runs: 100},
	{name: "timeout", src: always(leftOver + "select {}"), want: sandtrap.KindTimeout, limits: sandtrap.Limits{Timeout: time.Millisecond}, runs: 100},
	{name: "timeout at work", src: always(leftOver + "for {}"), want: sandtrap.KindTimeout, limits: sandtrap.Limits{Timeout: time.Millisecond}, runs: 100},
	{name: "cancelled", src: always(leftOver + "select {}"), want: sandtrap.KindCancelled, cancel: true, runs: 100},
	{name: "type error", src: func(i int) string { return fmt.Sprintf("var s%d string = %d", i, i) }, want: sandtrap.KindType, runs: 300},
	{name: "syntax", src: func(i int) string { return fmt.Sprintf("var s%d string := %d", i, i) }, want: sandtrap.KindSyntax, runs: 300},
}

// TestRunsLeaveNothing: after many runs of each sort the process has as many goroutines as
// before, and as much in use.
func TestRunsLeaveNothing(t *testing.T) {
	all, _ := strconv.Atoi(os.Getenv(runsVar))
	for _, tc := range growthCases {
		t.Run(tc.name, func(t *testing.T) {
			if all > 0 {
				tc.runs = all
			}
			if tc.limits.Timeout == 0 {
				tc.limits.Timeout = time.Minute
			}
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: tc.limits}
			plan, err := sandtrap.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() {
				tc.runs /= 5
			}
			warm := max(tc.runs/5, 20)
			if tc.src(0) != tc.src(1) {
				warm = max(warm, 100) // more programs than are kept
			}
			tc.run(t, plan, 0, warm)
			goroutines, heap := runtime.NumGoroutine(), rig.SettledHeap()
			tc.run(t, plan, warm, warm+tc.runs)
			if n := rig.Settled(goroutines); n > goroutines {
				t.Errorf("%d goroutines are left after %d runs", n-goroutines, tc.runs)
			}
			grown := rig.SettledHeap() - heap
			t.Logf("%d runs, %d bytes more in use", tc.runs, grown)
			if grown > 64<<10 {
				t.Errorf("%d bytes more in use after %d runs", grown, tc.runs)
			}
			runtime.KeepAlive(plan)
		})
	}
}

// run makes the runs from the first to before the last.
func (tc growthCase) run(t *testing.T, plan *sandtrap.Plan, first, last int) {
	var wg sync.WaitGroup
	free := make(chan bool, max(tc.atOnce, 1))
	for i := first; i < last && !t.Failed(); i++ {
		free <- true
		wg.Go(func() {
			tc.once(t, plan, i)
			<-free
		})
	}
	wg.Wait()
}

func (tc growthCase) once(t *testing.T, plan *sandtrap.Plan, i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	box, err := plan.New(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	defer box.Close()
	if tc.cancel {
		time.AfterFunc(time.Millisecond, cancel)
	}
	_, err = box.Run(ctx, sandtrap.Script{Text: tc.src(i)})
	var got sandtrap.Kind
	if e, ok := errors.AsType[*sandtrap.Error](err); ok {
		got = e.Kind
	}
	if got != tc.want {
		t.Errorf("run %d ended with %q (%v), want %q", i, got, err, tc.want)
	}
}
