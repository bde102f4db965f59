package api_test

import (
	"context"
	"flag"
	"runtime"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// inCluster has all tests and benchmarks use a server with the embedded server of NATS: the API is the same.
var inCluster = flag.Bool("cluster", false, "runs are in a ledger, and done by a worker, in this process")

// clustered has runs be in a ledger, and done by a worker in this process. The func ends both.
func clustered(t testing.TB, o *runs.Options) (end func(), lines batches.Queue) {
	t.Helper()
	n, err := cluster.Start(cluster.ServerOptions{Roster: cluster.Roster(t.TempDir()), Dir: t.TempDir(), Log: o.Log})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := n.Connect()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ledger.Open(t.Context(), conn, o.Store.(*store.Store), 1, o.Log)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := batches.NewShared(t.Context(), conn, 1, o.Log)
	if err != nil {
		t.Fatal(err)
	}
	level := string(sandtrap.None)
	front, err := cluster.NewFront(conn, level, func(string) int { return 1 }, o.Log)
	if err != nil {
		t.Fatal(err)
	}
	own, name, err := n.ConnectWorker()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := cluster.Work(ctx, own, cluster.WorkerOptions{
			Name: name, Slots: 2 * runtime.GOMAXPROCS(0), Level: level, Handler: (&runs.Worker{Plans: o.Plans}).Do, Log: o.Log,
		})
		if err != nil {
			t.Error(err)
		}
	})
	o.Store, o.ID, o.Stop, o.Queue = kept, kept.RunID, kept.Stop, front
	return func() {
		stop()
		working.Wait()
		_ = front.Close()
		shared.Close()
		_ = kept.Close()
		conn.Close()
		own.Close()
		n.Close()
	}, shared
}

// BenchmarkAtOnce is runs of the manager of a server, many at a time: how many it does each second.
func BenchmarkAtOnce(b *testing.B) {
	r := newRigWith(b, rigOptions{bare: true})
	b.SetParallelism(64)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			run, err := r.api.Runs.Start(b.Context(), "alpha", runs.Request{Code: "fmt.Println(`hello`)", ToldAtEnd: true})
			if err != nil {
				b.Error(err)
				return
			}
			if v, err := run.Wait(b.Context()); err != nil || v.State != store.Done {
				b.Error(v, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(r.store.Stats().Commits)/float64(b.N), "commits/op")
}
