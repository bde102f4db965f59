package engine

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// spin is a script without end: it stops at its gates.
func spin(r Run) Outcome {
	for {
		if _, s := r.Meter.Grant(); s != nil {
			return Outcome{Stop: s}
		}
	}
}

func TestSupervise(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for _, tc := range []struct {
		name      string
		run       func(Run) Outcome
		limits    gates.Limits
		cancel    bool
		want      gates.Reason
		wantFault bool
		wantStuck bool
		within    time.Duration
	}{
		{"ends", func(Run) Outcome { return Outcome{} }, gates.Limits{}, false, "", false, false, time.Second},
		{"deadline", spin, gates.Limits{Timeout: 20 * time.Millisecond}, false, gates.Timeout, false, false, time.Second},
		{"ticks", spin, gates.Limits{Ticks: 100_000, Timeout: time.Minute}, false, gates.Ticks, false, false, 10 * time.Second},
		{"cancel", spin, gates.Limits{}, true, gates.Cancelled, false, false, time.Second},
		{"engine panics", func(Run) Outcome { panic("x") }, gates.Limits{}, false, "", true, false, time.Second},
		{"stuck in the host", func(Run) Outcome { <-release; return Outcome{} }, gates.Limits{Timeout: time.Millisecond}, false, gates.Timeout, false, true, grace + time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := gates.NewMeter(context.Background(), tc.limits)
			if tc.cancel {
				time.AfterFunc(10*time.Millisecond, m.Cancel)
			}
			start := time.Now()
			o, stuck := Supervise(m, func() Outcome { return tc.run(Run{Meter: m}) })
			if d := time.Since(start); d > tc.within {
				t.Errorf("took %v, want at most %v", d, tc.within)
			}
			var got gates.Reason
			if o.Stop != nil {
				got = o.Stop.Reason
			}
			if got != tc.want || stuck != tc.wantStuck || (o.Fault != nil) != tc.wantFault {
				t.Errorf("got %q, stuck %v, fault %v; want %q, %v, %v", got, stuck, o.Fault, tc.want, tc.wantStuck, tc.wantFault)
			}
		})
	}
}
