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
	}{
		{"ends", func(Run) Outcome { return Outcome{} }, gates.Limits{}, false, "", false, false},
		{"deadline", spin, gates.Limits{Timeout: 20 * time.Millisecond}, false, gates.Timeout, false, false},
		{"ticks", spin, gates.Limits{Ticks: 100_000, Timeout: time.Minute}, false, gates.Ticks, false, false},
		{"cancel", spin, gates.Limits{}, true, gates.Cancelled, false, false},
		{"engine panics", func(Run) Outcome { panic("x") }, gates.Limits{}, false, "", true, false},
		{"stuck in the host", func(Run) Outcome { <-release; return Outcome{} }, gates.Limits{Timeout: time.Millisecond}, false, gates.Timeout, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := gates.NewMeter(context.Background(), tc.limits)
			if tc.cancel {
				time.AfterFunc(10*time.Millisecond, m.Cancel)
			}
			start := time.Now()
			o, stuck := Supervise(m, func() Outcome { return tc.run(Run{Meter: m}) })
			if d := time.Since(start); d > time.Minute { // it hangs
				t.Errorf("took %v", d)
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
