package sandtraptest

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// atOnce is how many runs there are at a time.
const atOnce = 64

// TestOneProgram runs one program many times at once: what is compiled is shared, what
// runs is not.
func TestOneProgram(t *testing.T) {
	const src = `package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

type T struct {
	a int
	s []string
}

func (t T) String() string { return fmt.Sprint(t.a, t.s) }

type E struct{ T }

func (e E) Error() string { return e.String() }

type byA []T

func (b byA) Len() int           { return len(b) }
func (b byA) Less(i, j int) bool { return b[i].a < b[j].a }
func (b byA) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func sum[N int | float64](l ...N) (s N) {
	for _, v := range l {
		s += v
	}
	return s
}

func main() {
	l := byA{{3, nil}, {1, []string{"x"}}, {2, nil}}
	sort.Sort(l)
	c := make(chan fmt.Stringer, 1)
	go func() {
		defer close(c)
		for _, t := range l {
			c <- t
		}
	}()
	for s := range c {
		fmt.Println(s, sum(1, 2), sum(1.5, 2))
	}
	var e E
	err := fmt.Errorf("wrapped: %w", E{l[0]})
	fmt.Println(errors.As(err, &e), e, strings.Map(func(r rune) rune { return r + 1 }, "abc"))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(l[len(l)])
}
`
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.Default(), Engine: "vm", Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	want, err := box.Run(t.Context(), sandtrap.Script{Text: src})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			got, err := box.Run(t.Context(), sandtrap.Script{Text: src})
			if err != nil || got.Stdout != want.Stdout || got.Ticks != want.Ticks {
				t.Errorf("%d ticks, %q, %v, want %d, %q", got.Ticks, got.Stdout, err, want.Ticks, want.Stdout)
			}
		})
	}
	wg.Wait()
}

// TestHostileAtOnce runs the hostile programs one after the other, and then twice at once,
// in an order of chance. Afterwards the process is as it was; what it keeps for good it
// has after the first time.
func TestHostileAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for many timeouts")
	}
	cases := load(t, "testdata/escape", "testdata/reject")
	goroutines := runtime.NumGoroutine()
	var heap int64
	for i, most := range []int{1, atOnce, atOnce} {
		hostileRuns(t, cases, most)
		n := settled(goroutines)
		for end := time.Now().Add(time.Minute); n > goroutines && time.Now().Before(end); { // what was given up while it was compiled
			n = settled(goroutines)
		}
		if n > goroutines {
			t.Errorf("%d goroutines are left after %d at once", n-goroutines, most)
		}
		rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		now := settledHeap()
		t.Logf("%d at once: %d bytes more in use", most, now-heap)
		if i > 0 && now-heap > 2<<20 {
			t.Errorf("%d bytes more in use after %d at once", now-heap, most)
		}
		heap = now
	}
}

func hostileRuns(t *testing.T, cases []Case, atOnce int) {
	var wg sync.WaitGroup
	free := make(chan bool, atOnce)
	for _, c := range cases {
		free <- true
		wg.Go(func() {
			defer func() { <-free }()
			hostileRun(t, c)
		})
	}
	wg.Wait()
}

// hostileRun runs c beside others: it may take long, and the time is up before other
// limits are met.
func hostileRun(t *testing.T, c Case) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.Default(), Engine: "vm", Limits: sandtrap.Limits{
		Ticks: c.Limits.Ticks, Timeout: c.Limits.Timeout, Memory: c.Limits.Memory,
		Output: c.Limits.Output, Tasks: c.Limits.Tasks, Depth: c.Limits.Depth,
	}})
	if err != nil {
		t.Error(err)
		return
	}
	defer box.Close()
	start := time.Now()
	res, _ := box.Run(t.Context(), sandtrap.Script{Text: c.Script})
	if res.Error == nil || res.Error.Kind != sandtrap.KindTimeout {
		for _, f := range c.compare(res) {
			t.Errorf("%s: %s", c.Name, f)
		}
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("%s took %v", c.Name, took)
	}
}
