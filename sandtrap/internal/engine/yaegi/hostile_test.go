package yaegi

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// runSource runs a program of plain Go under limits.
func runSource(t testing.TB, src string, l gates.Limits) (engine.Outcome, *front, *gates.Meter, string) {
	t.Helper()
	f := mustCompile(t, src)
	p, err := Engine{}.Load(f.program, nil, nil)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	m := gates.NewMeter(context.Background(), l)
	stderr := gates.NewTail(0)
	o, stuck := engine.Supervise(m, func() engine.Outcome {
		return p.Run(engine.Run{Host: showAll{}, Meter: m, Bind: f.values, Types: f.types, Stderr: stderr})
	})
	if stuck {
		t.Error("the run is stuck")
	}
	return o, f, m, stderr.String()
}

// TestStoppedElsewhere stops the meter where the script does not see it: the next look ends the
// script, and what it deferred has its grace then.
func TestStoppedElsewhere(t *testing.T) {
	m := gates.NewMeter(context.Background(), gates.Limits{})
	s := &run{loaded: &loaded{}, meter: m, depth: depth{limit: maxDepth}, heap: engine.EnterHeap()}
	defer s.heap.Leave()
	m.Trip(&gates.Stop{Reason: gates.Cancelled})
	looks := make(chan int, 1)
	go func() {
		n := 0
		defer func() { looks <- n }()
		defer func() { // deferred by the script
			for ; ; n++ {
				s.grant()
			}
		}()
		s.grant()
		t.Error("the script went on after the stop")
	}()
	if n := <-looks; n != maxGrace {
		t.Errorf("%d looks after the stop, want %d", n, maxGrace)
	}
}

func TestHostileProgramsStop(t *testing.T) {
	limits := gates.Limits{Timeout: time.Second, Memory: 64 << 20}
	for _, tc := range []struct {
		name, src string
		want      gates.Reason
	}{
		{"loop", `func main() { for {} }`, gates.Timeout},
		{"goto", `func main() { L: goto L }`, gates.Timeout},
		{"recursion", `func f() { f() }; func main() { f() }`, gates.Depth},
		{"mutual recursion", `func f() { g() }; func g() { f() }; func main() { f() }`, gates.Depth},
		{"recursion through a closure", `func main() { var f func(); f = func() { f() }; f() }`, gates.Depth},
		{"recursion through a method", `type t struct{}; func (x t) f() { x.f() }; func main() { t{}.f() }`, gates.Depth},
		{"recursion through an interface", `type i interface{ f() }; type t struct{}; func (x t) f() { var y i = x; y.f() }; func main() { t{}.f() }`, gates.Depth},
		{"recursion through deferred calls", `func f() { defer f() }; func main() { f() }`, gates.Depth},
		{"recover swallows", `func main() { for { func() { defer func() { recover() }(); for {} }() } }`, gates.Timeout},
		{"defer spins", `func main() { defer func() { for {} }(); for {} }`, gates.Timeout},
		{"init spins", `func init() { for {} }; func main() {}`, gates.Timeout},
		{"package variable spins", `var x = f(); func f() int { for {} }; func main() { _ = x }`, gates.Timeout},
		{"huge make", `func main() { n := 1 << 40; _ = make([]int, n) }`, gates.Memory},
		{"make in a loop", `func main() { var s [][]byte; for { s = append(s, make([]byte, 1<<20)) } }`, gates.Memory},
		{"append doubles", `func main() { s := []int{1}; for { s = append(s, s...) } }`, gates.Memory},
		{"string doubles", `func main() { s := "x"; for { s += s } }`, gates.Memory},
		{"string doubles by +", `func main() { s := "x"; for { s = s + s } }`, gates.Memory},
		{"map grows", `func main() { m := map[int][64]int{}; for i := 0; ; i++ { m[i] = [64]int{} } }`, gates.Memory},
		{"copies of a large slice", `func main() { b := make([]int, 1<<20); var k [][]int; for { k = append(k, append(b[:len(b):len(b)], 1)) } }`, gates.Memory},
		{"bytes of a string", `func main() { s := string(make([]byte, 1<<23)); var k [][]byte; for { k = append(k, []byte(s)) } }`, gates.Memory},
		{"runes of a string", `func main() { s := string(make([]byte, 1<<23)); var k [][]rune; for { k = append(k, []rune(s)) } }`, gates.Memory},
		{"big arrays", `type a [1<<20]int; func main() { var k []*a; for { k = append(k, new(a)) } }`, gates.Memory},
		{"straight doubling", `func main() { s := "0123456789abcdef"; ` + strings.Repeat("s += s; ", 60) + `}`, gates.Memory},
		{"straight appends", `func main() { s := []int{1, 2, 3}; ` + strings.Repeat("s = append(s, s...); ", 60) + `}`, gates.Memory},
	} {
		t.Run(tc.name, func(t *testing.T) {
			limits := limits
			if testing.Short() && tc.want == gates.Timeout {
				limits.Timeout /= 4
			}
			if tc.want == gates.Memory {
				limits.Timeout = 30 * time.Second // so that a busy machine gets that far
			}
			start := time.Now()
			o, _, _, _ := runSource(t, "package main\n"+tc.src, limits)
			if d := time.Since(start); d > limits.Timeout+time.Minute { // it hangs
				t.Errorf("took %v", d)
			}
			switch {
			case o.Fault != nil:
				t.Errorf("fault: %v", o.Fault)
			case o.Panic != nil:
				t.Errorf("panic: %s", o.Panic.Text)
			case o.Stop == nil || o.Stop.Reason != tc.want:
				t.Errorf("stop = %+v, want %s", o.Stop, tc.want)
			}
		})
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > 4 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > 4 {
		t.Errorf("%d goroutines are left", n)
	}
}
