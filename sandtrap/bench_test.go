package sandtrap

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

const hello = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"

func runHello(b *testing.B, plan *Plan, text string) {
	box, err := plan.New(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	res, err := box.Run(context.Background(), Script{Text: text})
	if err != nil || res.Stdout != "hello\n" {
		b.Fatalf("stdout %q, error %v", res.Stdout, err)
	}
}

func helloPlan(tb testing.TB) *Plan {
	plan, err := Compile(Policy{Engine: "vm", Std: []string{"fmt"}, Limits: Limits{Ticks: 1e9, Memory: 1 << 30, Output: 1 << 20}})
	if err != nil {
		tb.Fatal(err)
	}
	return plan
}

// A program that is new each time, in a new sandbox.
func BenchmarkCold(b *testing.B) {
	plan := helloPlan(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		runHello(b, plan, fmt.Sprintf("%s// %d", hello, n))
		n++
	}
}

// offers are policies with more and more packages.
func offers(tb testing.TB) map[string]*Plan {
	plans := map[string]*Plan{}
	all := StdDefault()
	for _, std := range [][]string{{"fmt"}, append([]string{"fmt"}, all[:30]...), all} {
		plan, err := Compile(Policy{Engine: "vm", Std: std})
		if err != nil {
			tb.Fatal(err)
		}
		plans[fmt.Sprint(len(plan.table.Paths()))] = plan
	}
	return plans
}

// BenchmarkOffered is BenchmarkCold with more and more packages that hello does not
// import.
func BenchmarkOffered(b *testing.B) {
	for name, plan := range offers(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				runHello(b, plan, fmt.Sprintf("%s// %d", hello, n))
				n++
			}
		})
	}
}

// coldAllocs is how often a cold run of hello allocates, and a few times more.
const coldAllocs = 444

// TestColdAllocations wants hello to pay for what it imports alone, which is little: with
// few packages offered or all it allocates as much.
func TestColdAllocations(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector lets pools drop values, which are then made again")
	}
	for name, plan := range offers(t) {
		n := 0
		allocs := testing.AllocsPerRun(20, func() {
			box, err := plan.New(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := box.Run(t.Context(), Script{Text: fmt.Sprintf("%s// %d", hello, n)}); err != nil {
				t.Fatal(err)
			}
			n++
		})
		t.Logf("%s packages offered: %v allocations", name, allocs)
		if allocs > coldAllocs {
			t.Errorf("with %s packages offered a cold run of hello allocates %v times, want at most %d", name, allocs, coldAllocs)
		}
	}
}

// The same program in a new sandbox of the same plan.
func BenchmarkAgain(b *testing.B) {
	plan := helloPlan(b)
	b.ReportAllocs()
	for b.Loop() {
		runHello(b, plan, hello)
	}
}

// What a sandbox that runs nothing holds.
func BenchmarkIdle(b *testing.B) {
	plan := helloPlan(b)
	var boxes []*Sandbox
	before := liveHeap()
	for b.Loop() {
		box, err := plan.New(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		boxes = append(boxes, box)
	}
	b.ReportMetric(float64(liveHeap()-before)/float64(len(boxes)), "bytes/sandbox")
	runtime.KeepAlive(boxes)
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
