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
	slices.Sort(s)
	b.ReportMetric(float64(s[len(s)/2].Microseconds())/1000, "p50-"+unit)
	b.ReportMetric(float64(s[len(s)*99/100].Microseconds())/1000, "p99-"+unit)
}

// code is different each time, so that nothing is taken from a cache of compiled scripts.
func code(i int) string {
	return fmt.Sprintf("x := 0\nfor i := range 1000 { x += i }\nfmt.Println(x, %d)", i)
}

// BenchmarkBox is a run with the library alone, what BenchmarkRuns is to be compared with.
func BenchmarkBox(b *testing.B) {
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
		defer pool.Close(context.Background())
		open = func(ctx context.Context) (*sandtrap.Sandbox, error) { return pool.Sandbox(ctx, "alpha") }
	}
	var times sample
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		box, err := open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: code(i), Copy: true}); err != nil || !strings.HasPrefix(res.Stdout, "499500 ") {
			b.Fatal(res, err)
		}
		box.Close()
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

// BenchmarkHalfLoad is runs that come at half the rate that BenchmarkRuns has: the time of each is from when it was due.
func BenchmarkHalfLoad(b *testing.B) {
	r := newRigWith(b, rigOptions{isolation: sandtrap.Isolation(*isolation), bare: true})
	begin := time.Now()
	const warm = 50
	for i := range warm {
		r.once(b, i)
	}
	every := 2 * time.Since(begin) / warm
	var mu sync.Mutex
	var times sample
	var clients sync.WaitGroup
	due := time.Now()
	for i := 0; b.Loop(); i++ {
		due = due.Add(every)
		time.Sleep(time.Until(due))
		clients.Go(func() {
			from := time.Now()
			r.once(b, i)
			mu.Lock()
			times = append(times, time.Since(from))
			mu.Unlock()
		})
	}
	clients.Wait()
	times.report(b, "ms")
	b.ReportMetric(float64(every.Microseconds())/1000, "every-ms")
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
