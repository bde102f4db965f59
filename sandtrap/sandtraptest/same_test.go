package sandtraptest

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// chancy is a program whose output depends on all that a run may leave to chance.
const chancy = `package main

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"
)

type key struct {
	a int
	s string
}

func numbers() {
	fmt.Println(rand.Int(), randv2.Int(), rand.Perm(5), crand.Text(), maphash.MakeSeed() == maphash.MakeSeed())
	var h maphash.Hash
	h.SetSeed(maphash.MakeSeed())
	h.WriteString("x")
	fmt.Println(h.Sum64())
}

func order() {
	m, k := map[string]int{}, map[key]*key{}
	for i := range 50 {
		m[fmt.Sprint(i*7919%50)], k[key{i, "x"}] = i, &key{i, "y"}
	}
	for s, i := range m {
		fmt.Print(s, i, " ")
	}
	for p, q := range k {
		fmt.Print(p, q, " ")
	}
	for s := range maps.Keys(m) {
		fmt.Print(s, " ")
	}
	var shared sync.Map
	for i := range 20 {
		shared.Store(key{i, "z"}, i)
	}
	shared.Range(func(k, v any) bool { fmt.Print(k, v, " "); return true })
	fmt.Printf("%p %v\n", &key{}, []any{&m, make(chan int), strings.ToUpper == nil})
}

func turns() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	c, d := make(chan int), make(chan int, 3)
	for i := range 20 {
		wg.Go(func() {
			for j := range 50 {
				if n := rand.Intn(2000); n > 1900 {
					time.Sleep(time.Duration(n) * time.Millisecond)
				}
				for range rand.Intn(300) {
				}
				select {
				case c <- i:
				case d <- -i:
				case n := <-d:
					mu.Lock()
					fmt.Print("[", i, j, n, "]")
					runtime.Gosched()
					mu.Unlock()
				}
			}
		})
	}
	go func() { wg.Wait(); close(c) }()
	begin := time.Now()
	for tick := time.Tick(time.Second); ; {
		select {
		case n, ok := <-c:
			if !ok {
				fmt.Println(time.Since(begin))
				return
			}
			fmt.Print(n, " ")
		case t := <-tick:
			fmt.Print(t.Sub(begin), " ")
		}
	}
}

func facts() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	_, file, line, _ := runtime.Caller(0)
	fmt.Println(ctx, time.Now(), runtime.NumGoroutine(), runtime.NumCPU(), s.TotalAlloc, file, line)
	<-ctx.Done()
	fmt.Println(time.Now().Format(time.RFC3339Nano), context.Cause(ctx))
}

func main() {
	numbers()
	order()
	turns()
	facts()
}
`

// TestSameRun: with a seed and a time to begin at, each run of a program is the same: in
// sandboxes of its own or of others, compiled anew or not, alone or beside others. Another
// seed, or none, makes it another run.
func TestSameRun(t *testing.T) {
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Timeout: time.Minute, Memory: 256 << 20},
		Seed: 7, Epoch: time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC),
	}
	once := func(p sandtrap.Policy, times int) *sandtrap.Result {
		box, err := sandtrap.New(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		var res *sandtrap.Result
		for range times {
			if res, err = box.Run(t.Context(), sandtrap.Script{Text: chancy}); err != nil {
				t.Fatal(err)
			}
		}
		return res
	}
	want := once(p, 1)
	if len(want.Stdout) < 5000 {
		t.Fatalf("only %d bytes of output: %s", len(want.Stdout), want.Stdout)
	}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if got := once(p, 1+i%2*8); got.Stdout != want.Stdout || got.Ticks != want.Ticks {
				t.Errorf("%d ticks, want %d; output\n%s\nwant\n%s", got.Ticks, want.Ticks, got.Stdout, want.Stdout)
			}
		})
	}
	wg.Wait()
	p.Seed = 8
	if once(p, 1).Stdout == want.Stdout {
		t.Error("another seed makes the same run")
	}
	p.Seed = 0
	if first, second := once(p, 1), once(p, 1); first.Stdout == second.Stdout {
		t.Error("without a seed two runs are the same")
	}
}

// TestSameRunWhileCollected: a run does not see the collector of its host. A channel that only a
// timer sends to is one on its way to the script too.
func TestSameRunWhileCollected(t *testing.T) {
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Seed: 7, Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	const src = "for range 20_000 { <-time.After(time.Second) }\nvar s runtime.MemStats\nruntime.ReadMemStats(&s)\nfmt.Print(s.TotalAlloc)"
	want, err := rig.RunOnce(t, p, src)
	if err != nil {
		t.Fatal(err)
	}
	over, collected := make(chan bool), make(chan bool)
	go func() {
		defer close(collected)
		for {
			select {
			case <-over:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer func() { close(over); <-collected }()
	for range 10 {
		if got, err := rig.RunOnce(t, p, src); err != nil || got.Stdout != want.Stdout || got.AllocBytes != want.AllocBytes {
			t.Fatalf("%v, %q and %d bytes, want %q and %d", err, got.Stdout, got.AllocBytes, want.Stdout, want.AllocBytes)
		}
	}
}

// TestClockWaitsForHost: while a blocking function of the host is called, the clock of a
// run that has an Epoch stands still.
func TestClockWaitsForHost(t *testing.T) {
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Funcs: map[string]any{"tool": sandtrap.Member{Value: func() string { time.Sleep(20 * time.Millisecond); return "answer" }, Blocking: true}},
	}
	res, err := rig.RunOnce(t, p, `
	c := make(chan string)
	go func() { c <- tool() }()
	select {
	case s := <-c:
		fmt.Print(s)
	case <-time.After(time.Millisecond):
		fmt.Print("late")
	}
	time.Sleep(1000 * time.Hour)
	fmt.Print(time.Now())`)
	if want := "answer2026-02-11 16:00:00 +0000 UTC"; err != nil || res.Stdout != want {
		t.Errorf("got %q, %v, want %q", res.Stdout, err, want)
	}
}
