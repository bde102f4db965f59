package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A sample is durations of one thing.
type sample []time.Duration

func (s sample) report(b *testing.B, unit string) {
	b.Helper()
	if len(s) == 0 {
		b.Fatal("nothing was measured")
	}
	b.ReportMetric(float64(s.at(50).Microseconds())/1000, "p50-"+unit)
	b.ReportMetric(float64(s.at(99).Microseconds())/1000, "p99-"+unit)
}

// at is a percentile.
func (s sample) at(percent int) time.Duration {
	slices.Sort(s)
	return s[len(s)*percent/100]
}

// code is different each time, so that nothing is taken from a cache of compiled scripts.
func code(i int) string {
	return fmt.Sprintf("x := 0\nfor i := range 1000 { x += i }\nfmt.Println(x, %d)", i)
}

// alone is a run with the library alone, what one over HTTP is compared with. Where there are workers, the tenant keeps its own.
func alone(b *testing.B) func(i int) {
	b.Helper()
	p := policyfile.Default()
	p.Isolation = sandtrap.Isolation(*isolation)
	plan, err := sandtrap.Compile(p)
	if err != nil {
		b.Fatal(err)
	}
	open := plan.New
	if p.Isolation != sandtrap.None {
		pool, err := plan.Pool(b.Context(), sandtrap.PoolLimits{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = pool.Close(context.Background()) })
		open = func(ctx context.Context) (*sandtrap.Sandbox, error) { return pool.Sandbox(ctx, "alpha") }
		if _, err := open(b.Context()); err != nil { // it is not closed before the pool
			b.Fatal(err)
		}
	}
	return func(i int) {
		box, err := open(b.Context())
		if err != nil {
			b.Error(err)
			return
		}
		defer box.Close()
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: code(i), Copy: true}); err != nil || !strings.HasPrefix(res.Stdout, "499500 ") {
			b.Error(res, err)
		}
	}
}

// BenchmarkBox is a run with the library alone, one after the other.
func BenchmarkBox(b *testing.B) {
	run := alone(b)
	var times sample
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		run(i)
		times = append(times, time.Since(begin))
	}
	times.report(b, "ms")
}

// BenchmarkRuns is a run over HTTP, one after the other.
func BenchmarkRuns(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	var times sample
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		r.once(b, i)
		times = append(times, time.Since(begin))
	}
	times.report(b, "ms")
}

func (r *rig) once(b *testing.B, i int) {
	status, text := r.doHeaders(b, "POST", "/v1/runs", fmt.Sprintf(`{"code":%q}`, code(i)))
	if status != 200 || !strings.Contains(text, `"stdout":"499500 `) {
		b.Error(status, text)
	}
}

// BenchmarkHalfLoad is runs that come at half the rate that runs one after the other have, and beside them, at the same rate, each in the
// middle between two of them, runs with the library alone: both are measured while the machine does the same, so the overhead of the
// server is the difference. The time of a run is from when it was due: one that is begun late, because others take the processors, has
// waited. How late is reported too.
func BenchmarkHalfLoad(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	box := alone(b)
	const warm = 50
	var begin time.Time
	for i := range 2 * warm {
		if i == warm { // the workers have started
			begin = time.Now()
		}
		r.once(b, i)
		box(i)
	}
	every := 2 * time.Since(begin) / warm
	served, direct, late := &openLoad{run: func(i int) { r.once(b, i) }}, &openLoad{run: box}, sample{}
	due := time.Now()
	for i := 0; b.Loop(); i++ {
		for _, one := range []*openLoad{served, direct} {
			due = due.Add(every / 2)
			time.Sleep(time.Until(due))
			late = append(late, time.Since(due))
			one.begin(i, due)
		}
	}
	overhead := func(at int) float64 {
		return float64((served.wait().at(at) - direct.wait().at(at)).Microseconds()) / 1000
	}
	served.wait().report(b, "ms")
	direct.wait().report(b, "box-ms")
	late.report(b, "late-ms")
	b.ReportMetric(overhead(50), "p50-overhead-ms")
	b.ReportMetric(overhead(99), "p99-overhead-ms")
	b.ReportMetric(float64(every.Microseconds())/1000, "every-ms")
}

// An openLoad is runs that begin when they are due, also while earlier ones go on.
type openLoad struct {
	run     func(i int)
	mu      sync.Mutex
	times   sample
	clients sync.WaitGroup
}

// begin has a run go on that was due at a time.
func (o *openLoad) begin(i int, due time.Time) {
	o.clients.Go(func() {
		o.run(i)
		took := time.Since(due)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.times = append(o.times, took)
	})
}

// wait gives the times of all when they have ended.
func (o *openLoad) wait() sample {
	o.clients.Wait()
	return o.times
}

// BenchmarkFirstByte is from the print of a script to the event at its client: the script prints the time. Its clock is that of the machine.
func BenchmarkFirstByte(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	var times sample
	for b.Loop() {
		res, err := r.open(b.Context(), b, "POST", "/v1/runs", `{"code":"fmt.Println(time.Now().UnixMicro())\ntime.Sleep(20*time.Millisecond)"}`, "Accept", "text/event-stream")
		if err != nil {
			b.Fatal(err)
		}
		in := bufio.NewScanner(res.Body)
		for in.Scan() {
			_, text, _ := strings.Cut(in.Text(), `"text":"`)
			var printed int64
			if n, _ := fmt.Sscan(strings.TrimSuffix(text, `\n"}`), &printed); n == 1 {
				times = append(times, time.Since(time.UnixMicro(printed)))
				break
			}
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	times.report(b, "ms")
}

// BenchmarkAbort is from when a client is gone to when its run has ended.
func BenchmarkAbort(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	var times sample
	for b.Loop() {
		ctx, abort := context.WithCancel(b.Context())
		res, err := r.open(ctx, b, "POST", "/v1/runs", endless+"}", "Accept", "text/event-stream")
		if err != nil || res.StatusCode != http.StatusOK {
			b.Fatal(err)
		}
		id := res.Header.Get("X-Run-Id")
		in := bufio.NewScanner(res.Body)
		for in.Scan() && !strings.Contains(in.Text(), `"text":"`) {
		}
		begin := time.Now()
		abort()
		for {
			run, err := r.store.Run(b.Context(), "alpha", id)
			if err != nil {
				b.Fatal(err)
			}
			if run.State == store.Cancelled {
				break
			}
			if run.State != store.Running {
				b.Fatalf("%s: %s", id, run.State)
			}
			time.Sleep(time.Millisecond)
		}
		times = append(times, time.Since(begin))
		res.Body.Close()
	}
	times.report(b, "ms")
}

// BenchmarkTools is a run that waits, and its answer.
func BenchmarkTools(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	var times sample
	b.ReportAllocs()
	for b.Loop() {
		begin := time.Now()
		_, text := r.doHeaders(b, "POST", "/v1/runs", `{"code":"fmt.Println(Ask())","tools":"package tools\nfunc Ask() int"}`)
		_, rest, _ := strings.Cut(text, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		if status, text := r.doHeaders(b, "POST", "/v1/runs/"+id+"/answers", `{"answers":[{"id":1,"value":7}]}`); status != 200 || !strings.Contains(text, `"stdout":"7\n"`) {
			b.Fatal(status, text)
		}
		times = append(times, time.Since(begin))
	}
	times.report(b, "ms")
}

// BenchmarkCells is cells of one session, one after the other.
func BenchmarkCells(b *testing.B) {
	r := newRigWith(b, rigOptions{bare: true})
	s, err := r.api.Sessions.Create(b.Context(), "alpha", sessions.Request{})
	if err != nil {
		b.Fatal(err)
	}
	cell := func(code string) {
		run, err := r.api.Runs.Start(b.Context(), "alpha", runs.Request{Session: s.ID, Code: code, ToldAtEnd: true})
		if err != nil {
			b.Fatal(err)
		}
		if v, err := run.Wait(b.Context()); err != nil || v.State != store.Done {
			b.Fatal(v, err)
		}
	}
	cell("n := 0")
	for b.Loop() {
		cell("n++")
	}
}
