package sandtraptest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// runTasks runs a program on the engine that has goroutines, and fails if goroutines of
// the host are left.
func runTasks(t *testing.T, p sandtrap.Policy, src string) (*sandtrap.Result, error) {
	t.Helper()
	p.Engine = "vm"
	before := runtime.NumGoroutine()
	res, err := rig.RunOnce(t, p, src)
	if n := rig.Settled(before); n > before {
		t.Errorf("%d goroutines are left", n-before)
	}
	return res, err
}

// inMain is a program with the given body of main, which begins in line 4.
func inMain(body string) string {
	return "package main\nimport (\"context\"; \"fmt\"; \"sync\"; \"time\"; \"strings\"; \"sort\")\nfunc main() {\n" + body +
		"\n}\nvar _, _, _, _, _, _ = context.TODO, fmt.Sprint, sync.NewCond, time.Now, strings.ToUpper, sort.Ints\n"
}

// wayOut is part of the hint for a goroutine in a state that nothing ends.
func wayOut(state string) string {
	for begin, hint := range map[string]string{
		"chan receive (nil": "make(chan T)", "chan send (nil": "make(chan T)", "chan receive ": "close(ch)", "chan send ": "go starts",
		"select": "another goroutine", "sync.WaitGroup": "wg.Done()", "sync.Mutex": "Unlock", "sync.RWMutex": "Unlock", "sync.Cond": "Signal",
	} {
		if strings.HasPrefix(state, begin) && (strings.Contains(begin, "nil") || !strings.Contains(state, "nil")) {
			return hint
		}
	}
	return "?"
}

// TestDeadlocks: a script in which nothing can go on ends at once, and its error tells
// of each goroutine what it waits for, in Go's words, and where.
func TestDeadlocks(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       []string // id, state and line of each
	}{
		{"receive", "c := make(chan int)\n<-c", []string{"1 chan receive 5"}},
		{"range", "c := make(chan int)\nfor range c {\n}", []string{"1 chan receive 5"}},
		{"nil receive", "var c chan int\n<-c", []string{"1 chan receive (nil chan) 5"}},
		{"send", "c := make(chan int, 1)\nc <- 1\nc <- 2", []string{"1 chan send 6"}},
		{"nil send", "var c chan int\nc <- 1", []string{"1 chan send (nil chan) 5"}},
		{"select", "c, d := make(chan int), make(chan int)\nselect {\ncase <-c:\ncase d <- 1:\n}", []string{"1 select 5"}},
		{"empty select", "select {}", []string{"1 select (no cases) 4"}},
		{"mutex", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()", []string{"1 sync.Mutex.Lock 6"}},
		{"locker", "var mu sync.Mutex\nvar l sync.Locker = &mu\nl.Lock()\nl.Lock()", []string{"1 sync.Mutex.Lock 7"}},
		{"writer", "var mu sync.RWMutex\nmu.RLock()\nmu.Lock()", []string{"1 sync.RWMutex.Lock 6"}},
		{"reader", "var mu sync.RWMutex\nmu.Lock()\nmu.RLock()", []string{"1 sync.RWMutex.RLock 6"}},
		{"read locker", "var mu sync.RWMutex\nmu.Lock()\nmu.RLocker().Lock()", []string{"1 sync.RWMutex.RLock 6"}},
		{"wait group", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", []string{"1 sync.WaitGroup.Wait 6"}},
		{"cond", "c := sync.NewCond(new(sync.Mutex))\nc.L.Lock()\nc.Wait()", []string{"1 sync.Cond.Wait 6"}},
		{"once", "var o sync.Once\no.Do(func() {\no.Do(func() {})\n})", []string{"1 sync.Mutex.Lock 6"}},
		{"callback", "c := make(chan int)\nstrings.Map(func(r rune) rune {\nreturn rune(<-c)\n}, \"a\")", []string{"1 chan receive 6"}},
		{"sorting", "c := make(chan int)\nsort.Slice([]int{2, 1}, func(i, j int) bool {\nc <- 1\nreturn true\n})", []string{"1 chan send 6"}},
		{
			"several", "var mu sync.Mutex\nmu.Lock()\nc := make(chan int)\ngo func() {\nmu.Lock()\n}()\ngo func() { close(c) }()\n<-c\nfor range 2 {\ngo wait()\n}\nmu.Lock()\n}\nfunc wait() {\nselect {}",
			[]string{"1 sync.Mutex.Lock 15", "2 sync.Mutex.Lock 8", "4 select (no cases) 18", "5 select (no cases) 18"},
		},
		{"main has gone", "var wg sync.WaitGroup\nwg.Go(func() { var c chan int; <-c })\nwg.Wait()", []string{"1 sync.WaitGroup.Wait 6", "2 chan receive (nil chan) 5"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			start := time.Now()
			res, err := runTasks(t, pure(), inMain(tc.body))
			if !errors.Is(err, sandtrap.KindDeadlock) || !strings.HasPrefix(res.Error.Message, "all goroutines are asleep - deadlock! goroutine 1 [") {
				t.Fatalf("error %v, want a deadlock", err)
			}
			if took := time.Since(start); took > slack {
				t.Errorf("found after %v", took)
			}
			var got []string
			for _, task := range res.Error.Tasks {
				got = append(got, fmt.Sprint(task.ID, " ", task.State, " ", task.Stack[0].Pos.Line))
				if at := fmt.Sprintf("goroutine %d [%s] at %v", task.ID, task.State, task.Stack[0].Pos); !strings.Contains(res.Error.Message, at) {
					t.Errorf("the message does not say %q: %s", at, res.Error.Message)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if _, state, _ := strings.Cut(tc.want[0], " "); !strings.Contains(res.Error.Hint, wayOut(state)) {
				t.Errorf("hint %q, want one with %q", res.Error.Hint, wayOut(state))
			}
		})
	}
}

// TestLargeDeadlock: of many goroutines the error tells of the first.
func TestLargeDeadlock(t *testing.T) {
	res, err := runTasks(t, pure(), inMain("for range 300 {\ngo func() {\nselect {}\n}()\n}\nselect {}"))
	if !errors.Is(err, sandtrap.KindDeadlock) {
		t.Fatal(err)
	}
	if n := strings.Count(res.Error.Message, "goroutine "); n != 10 || !strings.HasSuffix(res.Error.Message, "... and 291 more") {
		t.Errorf("the message names %d: %s", n, res.Error.Message)
	}
	if n := len(res.Error.Tasks); n != 50 {
		t.Errorf("the error has %d goroutines, want 50", n)
	}
	if last := res.Error.Tasks[49]; last.Creator != 1 || last.Created.Pos.Line != 5 {
		t.Errorf("started by %d at %v", last.Creator, last.Created)
	}
}

// TestPanicInTask: a panic that nobody recovers ends the run in whichever goroutine it
// is, with the stack of that one.
func TestPanicInTask(t *testing.T) {
	for _, tc := range []struct {
		name, body, message string
		id                  int
		stack               []string
	}{
		{"main", "panic(1)", "1", 1, []string{"main.main:4"}},
		{"go", "go func() {\nvar m map[int]int\nm[1] = 1\n}()\nselect {}", "assignment to entry in nil map", 2, []string{"main.main.func1:6"}},
		{"group", "var wg sync.WaitGroup\nwg.Go(func() {\nf()\n})\nwg.Wait()\n}\nfunc f() {\npanic(\"x\")", "x", 2, []string{"main.f:11", "main.main.func1:6"}},
		{"callback", "go func() {\nstrings.Map(func(rune) rune {\npanic(\"x\")\n}, \"a\")\n}()\ntime.Sleep(time.Hour)", "x", 2, []string{"main.main.func1.1:6", "main.main.func1:5"}},
		{"callback that waited", "c := make(chan int)\ngo func() {\nstrings.Map(func(rune) rune {\n<-c\npanic(\"x\")\n}, \"a\")\n}()\nc <- 1\ntime.Sleep(time.Hour)", "x", 2, []string{"main.main.func1.1:8", "main.main.func1:6"}},
		{"no recover", "defer func() { recover() }()\nvar mu sync.Mutex\nmu.Unlock()", "fatal error: sync: unlock of unlocked mutex", 1, []string{"main.main:6"}},
		{"counter", "var wg sync.WaitGroup\nwg.Done()", "sync: negative WaitGroup counter", 1, []string{"main.main:5"}},
		{"nil", "var f func()\nvar wg sync.WaitGroup\nwg.Go(f)\nwg.Wait()", "runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]", 2, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := runTasks(t, pure(), inMain(tc.body))
			if !errors.Is(err, sandtrap.KindPanic) || res.Error.Message != tc.message {
				t.Fatalf("error %v, want the panic %s", err, tc.message)
			}
			task := res.Error.Tasks[0]
			var stack []string
			for _, f := range task.Stack {
				stack = append(stack, fmt.Sprint(f.Func, ":", f.Pos.Line))
			}
			if len(res.Error.Tasks) != 1 || task.ID != tc.id || task.State != "running" || !slices.Equal(stack, tc.stack) {
				t.Errorf("goroutine %d [%s] %q, want %d %q", task.ID, task.State, stack, tc.id, tc.stack)
			}
		})
	}
}

// TestCallbacksWait: what the host calls may wait for other goroutines, in any order:
// frames of the host do not keep others from going on.
func TestCallbacksWait(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{
			"crosswise", `
	ping, pong, done := make(chan int), make(chan int), make(chan bool)
	go func() {
		strings.Map(func(r rune) rune { ping <- int(r); fmt.Print(<-pong, " "); return r }, "ab")
		done <- true
	}()
	go func() {
		strings.FieldsFunc("xy", func(rune) bool { n := <-ping; pong <- n + 1; return false })
		done <- true
	}()
	<-done
	<-done`, "98 99 ",
		},
		{
			"first in, first out", `
	var wg sync.WaitGroup
	c := make(chan int)
	for i := range 3 {
		wg.Go(func() {
			sort.Slice([]int{2, 1}, func(a, b int) bool { fmt.Print(<-c, i, " "); return true })
		})
	}
	for i := range 3 { c <- i }
	wg.Wait()`, "0 0 1 1 2 2 ",
		},
		{
			"deep", `
	var wg sync.WaitGroup
	c := make(chan int)
	var down func(n int)
	down = func(n int) {
		if n == 0 { fmt.Print(<-c, " "); return }
		strings.Map(func(r rune) rune { down(n-1); return r }, "a")
	}
	for range 20 { wg.Go(func() { down(20) }) }
	for i := range 20 { c <- i }
	wg.Wait()`, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ",
		},
		{
			"once", `
	var wg sync.WaitGroup
	var once sync.Once
	c := make(chan int)
	for range 3 { wg.Go(func() { once.Do(func() { fmt.Print("once ", <-c, " ") }); fmt.Print("done ") }) }
	c <- 7
	wg.Wait()`, "once 7 done done done ",
		},
		{
			"once function", `
	var wg sync.WaitGroup
	c := make(chan int)
	f := sync.OnceFunc(func() { fmt.Print("once ", <-c, " "); panic("p") })
	for range 3 { wg.Go(func() { defer func() { fmt.Print(recover(), " ") }(); f() }) }
	c <- 7
	wg.Wait()`, "once 7 p p p ",
		},
		{
			"once value", `
	var wg sync.WaitGroup
	c := make(chan int)
	f := sync.OnceValue(func() int { return <-c })
	for range 3 { wg.Go(func() { fmt.Print(f(), " ") }) }
	c <- 7
	wg.Wait()`, "7 7 7 ",
		},
		{
			"panic after waiting", `
	c := make(chan int)
	go func() { c <- 1 }()
	defer func() { fmt.Print(recover()) }()
	strings.Map(func(rune) rune { <-c; panic("p") }, "a")`, "p",
		},
		{
			"time slices", `
	var wg sync.WaitGroup
	n := 0
	for range 3 {
		wg.Go(func() {
			sort.Slice([]int{2, 1, 3}, func(a, b int) bool { for range 30000 { n++ }; return a < b })
		})
	}
	wg.Wait()
	fmt.Print(n >= 180000)`, "true",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := runTasks(t, pure(), inMain(tc.body))
			if err != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
			}
		})
	}
}

// TestStoppedWhileWaiting: each way of waiting ends with the time, and leaves no
// goroutine of the host, however many tasks wait.
func TestStoppedWhileWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for name, wait := range map[string]string{
		"receive":    "var c = make(chan int); <-c",
		"send":       "var c = make(chan int); c <- 1",
		"select":     "select {}",
		"sleep":      "time.Sleep(time.Hour)",
		"mutex":      "var mu sync.Mutex; mu.Lock(); mu.Lock()",
		"rw mutex":   "var mu sync.RWMutex; mu.Lock(); mu.RLock()",
		"wait group": "var wg sync.WaitGroup; wg.Add(1); wg.Wait()",
		"cond":       "c := sync.NewCond(new(sync.Mutex)); c.L.Lock(); c.Wait()",
		"once":       "var o sync.Once; o.Do(func() { select {} })",
		"timer":      "<-time.After(time.Hour)",
		"ticker":     "for range time.Tick(time.Millisecond) {}",
		"context":    "ctx, cancel := context.WithTimeout(context.Background(), time.Hour); defer cancel(); <-ctx.Done()",
		"callback":   "strings.Map(func(rune) rune { select {} }, \"a\")",
		"sorting":    "sort.Slice(make([]int, 2), func(int, int) bool { select {} })",
		"deferred":   "defer func() { recover(); for {} }(); strings.Map(func(rune) rune { select {} }, \"a\")",
	} {
		t.Run(name, func(t *testing.T) {
			p := pure()
			p.Limits.Timeout = 100 * time.Millisecond
			start := time.Now()
			_, err := runTasks(t, p, inMain("for range 20 { go func() { "+wait+" }() }\ngo time.Sleep(time.Hour)\n"+wait))
			if !errors.Is(err, sandtrap.KindTimeout) {
				t.Errorf("error %v, want KindTimeout", err)
			}
			if took := time.Since(start); took > p.Limits.Timeout+slack {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestNobodyStarves: a task that never waits does not keep others from their turn, also
// not by a lock that it takes again and again.
func TestNobodyStarves(t *testing.T) {
	for name, body := range map[string]string{
		"loop": "stop := false\ngo func() { stop = true }()\nfor !stop {\n}",
		"lock": "var mu sync.Mutex\nstop := false\ngo func() { mu.Lock(); stop = true; mu.Unlock() }()\nfor ok := true; ok; {\nmu.Lock()\nfor range 1000 {\n}\nok = !stop\nmu.Unlock()\n}",
		"read": "var mu sync.RWMutex\nstop := false\nfor range 2 { go func() { for !stop { mu.RLock(); for range 5000 {}; mu.RUnlock() } }() }\ngo func() { mu.Lock(); stop = true; mu.Unlock() }()\nfor !stop {\ntime.Sleep(time.Millisecond)\n}",
		"chan": "c := make(chan int, 1)\nstop := false\ngo func() { stop = true }()\nfor !stop {\nc <- 1\n<-c\n}",
	} {
		t.Run(name, func(t *testing.T) {
			p := pure()
			p.Limits.Ticks = 10_000_000
			if _, err := runTasks(t, p, inMain(body)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSameInterleaving: the same script has the same output a hundred times, whatever
// order its tasks run in.
func TestSameInterleaving(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	src := inMain(`
	var mu sync.Mutex
	var wg sync.WaitGroup
	a, b := make(chan int), make(chan int, 3)
	total := 0
	for i := range 5 {
		wg.Go(func() {
			for j := range 200 {
				select {
				case a <- j:
				case b <- i:
				}
				mu.Lock()
				for k := range i * 100 { total = total*31 + k }
				mu.Unlock()
			}
		})
	}
	go func() { wg.Wait(); close(a) }()
	sum := 0
	for open := true; open; {
		select {
		case v, ok := <-a:
			sum, open = sum*7+v, ok
		case v := <-b:
			sum = sum*5 + v
		}
	}
	fmt.Println(sum, total)`)
	want := ""
	for i := range 100 {
		res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = res.Stdout
		}
		if res.Stdout != want || len(want) < 4 {
			t.Fatalf("run %d printed %q, the first %q", i, res.Stdout, want)
		}
	}
}

// TestHundredThousandTasks: a task that waits takes little more than what it holds, and is
// paid for; that of all of them fits the memory that the command gives a script.
func TestHundredThousandTasks(t *testing.T) {
	const tasks = 99_000
	var before, full int64
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 256 << 20, Timeout: time.Minute},
		Funcs: map[string]any{"begin": func() { before = rig.SettledHeap() }, "all": func() { full = rig.SettledHeap() }},
	}
	res, err := rig.RunOnce(t, p, fmt.Sprintf(`
		begin()
		c, sum, done := make(chan int), 0, make(chan bool)
		for i := range %d {
			go func() { s := [4]int{i, <-c}; sum += s[0] - i + s[1]; done <- true }()
		}
		for range 100 { runtime.Gosched() }
		all()
		fmt.Print(runtime.NumGoroutine(), " ")
		for range %[1]d { c <- 1; <-done }
		fmt.Print(sum)`, tasks))
	if want := fmt.Sprint(tasks+1, " ", tasks); err != nil || res.Stdout != want {
		t.Fatalf("%q, %v, want %q", res.Stdout, err, want)
	}
	each := (full - before) / tasks
	t.Logf("%d bytes a task, %d paid", each, res.AllocBytes/tasks)
	if each > 2<<10 {
		t.Errorf("a task takes %d bytes, want at most %d", each, 2<<10)
	}
	if paid := res.PeakBytes / tasks; paid < each*9/10 {
		t.Errorf("%d bytes a task are paid for %d", paid, each)
	}
}
