package ends

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// BenchmarkLateness reports how late programs end whose time is up, or whose context is
// cancelled, in the middle of what they are at: half of the runs within p50-µs, all but one
// in a hundred within p99-µs. It takes some hundred runs to say something:
//
//	go test ./sandtrap/sandtraptest/ends -run none -bench Lateness -benchtime 200x
func BenchmarkLateness(b *testing.B) {
	for _, tc := range lasting {
		for way, cancels := range map[string]bool{"timeout": false, "cancel": true} {
			b.Run(tc.name+"/"+way, func(b *testing.B) {
				e := newLaster(b, tc.src, cancels, 20*time.Millisecond)
				var late []time.Duration
				for b.Loop() {
					late = append(late, e.lateness(b))
				}
				slices.Sort(late)
				b.ReportMetric(0, "ns/op") // is the time that it was given
				b.ReportMetric(micros(late[len(late)/2]), "p50-µs")
				b.ReportMetric(micros(late[len(late)*99/100]), "p99-µs")
			})
		}
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// A laster is a program that runs for ever, and how it is made to end.
type laster struct {
	box     *sandtrap.Sandbox
	script  sandtrap.Script
	cancels bool
	after   time.Duration
	stop    context.Context // of what the host began in the run
}

// newLaster compiles src, so that a run has all of its time for running.
func newLaster(tb testing.TB, src string, cancels bool, after time.Duration) *laster {
	e := &laster{script: sandtrap.Script{Text: src, Inputs: map[string]any{"never": make(chan int)}}, cancels: cancels, after: after}
	limits := sandtrap.Limits{Timeout: after, Memory: 1 << 30}
	if cancels {
		limits.Timeout = time.Minute
	}
	plan, err := sandtrap.Compile(sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits, Funcs: serving(func() context.Context { return e.stop })})
	if err != nil {
		tb.Fatal(err)
	}
	if e.box, err = plan.New(context.Background()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.box.Close() })
	for range 50 { // within the time of a run
		if _, err = e.box.Check(context.Background(), e.script); err == nil {
			return e
		}
	}
	tb.Fatal(err)
	return nil
}

// lateness runs the program and tells how long after it had to end it did.
func (e *laster) lateness(tb testing.TB) time.Duration {
	stop, end := context.WithCancel(context.Background())
	defer end()
	e.stop = stop
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	due, want := make(chan time.Time, 1), sandtrap.KindTimeout
	if e.cancels {
		want = sandtrap.KindCancelled
		time.AfterFunc(e.after, func() { due <- time.Now(); cancel() })
	} else {
		due <- time.Now().Add(e.after)
	}
	res, err := e.box.Run(ctx, e.script)
	ended := time.Now()
	if res.Error == nil || res.Error.Kind != want {
		tb.Errorf("ended with %v, want %s", err, want)
	}
	return ended.Sub(<-due)
}
