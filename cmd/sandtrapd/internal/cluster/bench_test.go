package cluster

import (
	"context"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
)

// BenchmarkDo is a job that does nothing, done by this process and by a worker that is reached by the network of this machine, one after
// the other and many at once.
func BenchmarkDo(b *testing.B) {
	nothing := func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) { return done, nil }
	queues := map[string]func(b *testing.B) dispatch.Queue{
		"local": func(*testing.B) dispatch.Queue { return &dispatch.Local{Turns: turns.New(16), Handler: nothing} },
		"cluster": func(b *testing.B) dispatch.Queue {
			s := start(b)
			f := front(b, s)
			work(b, client(b, s, "w1"), "w1", 16, nothing)
			has(b, f, 16)
			return f
		},
	}
	for name, open := range queues {
		once := func(b *testing.B, q dispatch.Queue) {
			if _, err := q.Do(b.Context(), dispatchtest.Job("alpha", "run_1", `{"code":"fmt.Println(1)"}`), func() error { return nil }, dispatch.Output{}); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name+"/one", func(b *testing.B) {
			q := open(b)
			b.ReportAllocs()
			for b.Loop() {
				once(b, q)
			}
		})
		b.Run(name+"/many", func(b *testing.B) {
			q := open(b)
			b.ReportAllocs()
			b.SetParallelism(16)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					once(b, q)
				}
			})
		})
	}
}
