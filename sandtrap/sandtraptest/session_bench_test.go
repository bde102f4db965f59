package sandtraptest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// sessionOfVariables is a session of 1,000 variables of some types, which so many cells declare.
func sessionOfVariables(b *testing.B, box *sandtrap.Sandbox, cells int) *sandtrap.Session {
	b.Helper()
	s, err := box.Session()
	if err != nil {
		b.Fatal(err)
	}
	values := []string{"%d", "\"text %d\"", "[]int{%d}", "map[string]int{\"k\": %d}", "%d.5"}
	for c := range cells {
		text := ""
		for i := c * 1000 / cells; i < (c+1)*1000/cells; i++ {
			text += fmt.Sprintf("v%d := "+values[i%len(values)]+"\n", i, i)
		}
		if _, err := s.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// waitingBox is a sandbox, in workers of a pool where they have an isolation, and a function that waits until one is ready.
func waitingBox(b *testing.B, mode sandtrap.Isolation) (box *sandtrap.Sandbox, waits func(b *testing.B)) {
	b.Helper()
	if mode == sandtrap.None {
		box, err := sandtrap.New(b.Context(), benchPolicy(mode))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { box.Close() })
		return box, func(*testing.B) {}
	}
	plan, err := sandtrap.Compile(benchPolicy(mode))
	if err != nil {
		b.Fatal(err)
	}
	pool, err := plan.Pool(b.Context(), sandtrap.PoolLimits{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { pool.Close(context.Background()) })
	if box, err = pool.Sandbox(b.Context(), ""); err != nil {
		b.Fatal(err)
	}
	return box, func(b *testing.B) {
		b.StopTimer()
		for pool.Stats().Ready == 0 || pool.Stats().Starting > 0 {
			time.Sleep(time.Millisecond)
		}
		b.StartTimer()
	}
}

func eachSessionBench(b *testing.B, bench func(b *testing.B, box *sandtrap.Sandbox, waits func(*testing.B), cells int)) {
	eachIsolation(b, func(b *testing.B, mode sandtrap.Isolation) {
		box, waits := waitingBox(b, mode)
		for _, cells := range []int{1, 1000} {
			b.Run(fmt.Sprintf("cells=%d", cells), func(b *testing.B) { bench(b, box, waits, cells) })
		}
	})
}

// BenchmarkSessionSave saves a session of 1,000 variables.
func BenchmarkSessionSave(b *testing.B) {
	eachSessionBench(b, func(b *testing.B, box *sandtrap.Sandbox, _ func(*testing.B), cells int) {
		s := sessionOfVariables(b, box, cells)
		defer s.Close()
		b.ReportAllocs()
		for b.Loop() {
			if skipped, err := s.Save(io.Discard); err != nil || skipped != nil {
				b.Fatal(skipped, err)
			}
		}
	})
}

// BenchmarkSessionLoad loads it, into a worker that is ready.
func BenchmarkSessionLoad(b *testing.B) {
	eachSessionBench(b, func(b *testing.B, box *sandtrap.Sandbox, waits func(*testing.B), cells int) {
		s := sessionOfVariables(b, box, cells)
		defer s.Close()
		var saved bytes.Buffer
		if _, err := s.Save(&saved); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			waits(b)
			l, err := box.LoadSession(bytes.NewReader(saved.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			l.Close()
		}
	})
}
