package api_test

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
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
	cells, err := sessions.NewWorker(16)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := cluster.Work(ctx, own, cluster.WorkerOptions{
			Name: name, Slots: 2 * runtime.GOMAXPROCS(0), Level: level, Handler: (&runs.Worker{Plans: o.Plans, Cells: cells}).Do, Front: front, Log: o.Log,
		})
		if err != nil {
			t.Error(err)
		}
	})
	o.Store, o.ID, o.Stop, o.Queue = kept, kept.RunID, kept.Stop, front
	return func() {
		stop()
		working.Wait()
		if err := cells.Close(); err != nil {
			t.Error(err)
		}
		_ = front.Close()
		shared.Close()
		_ = kept.Close()
		conn.Close()
		own.Close()
		n.Close()
	}, shared
}

// hello has the manager of a server do a run.
func (r *rig) hello(b *testing.B) {
	run, err := r.api.Runs.Start(b.Context(), "alpha", runs.Request{Code: "fmt.Println(`hello`)", ToldAtEnd: true})
	if err != nil {
		b.Error(err)
		return
	}
	if v, err := run.Wait(b.Context()); err != nil || v.State != store.Done {
		b.Error(v, err)
	}
}

// BenchmarkAtOnce is runs of the manager of a server, many at a time: how many it does each second.
func BenchmarkAtOnce(b *testing.B) {
	r := newRigWith(b, rigOptions{bare: true})
	b.SetParallelism(64)
	b.ReportAllocs()
	began := processorTime(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.hello(b)
		}
	})
	b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(b.N), "cpu-µs/run")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(r.store.Stats().Commits)/float64(b.N), "commits/op")
}

// BenchmarkHalfRate is runs of the manager that come at half the rate that BenchmarkAtOnce has, whatever becomes of those before. The time of
// one is from when it came; how late that was, as this machine wakes who sleeps, is reported beside it.
func BenchmarkHalfRate(b *testing.B) {
	r := newRigWith(b, rigOptions{bare: true})
	const warm, clients = 8192, 128
	began := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range warm / clients {
				r.hello(b)
			}
		})
	}
	all.Wait()
	every := 2 * time.Since(began) / warm
	load, late := &openLoad{run: func(int) { r.hello(b) }}, sample{}
	due := time.Now()
	for i := 0; b.Loop(); i++ {
		due = due.Add(every)
		time.Sleep(time.Until(due))
		late = append(late, time.Since(due))
		load.begin(i, time.Now())
	}
	load.wait().report(b, "ms")
	late.report(b, "late-ms")
	b.ReportMetric(float64(time.Second)/float64(every), "runs/s")
}

// processorTime is what this process has had of processors, in steps of 10 ms; 0 where the kernel does not say. On a machine that others use it
// is a better measure than time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	var user, system int64
	_, rest, _ := strings.Cut(string(text), ") ") // from the third field on
	if fields := strings.Fields(rest); len(fields) > 12 {
		user, _ = strconv.ParseInt(fields[11], 10, 64)
		system, _ = strconv.ParseInt(fields[12], 10, 64)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
