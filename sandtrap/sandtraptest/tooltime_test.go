package sandtraptest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestToolPastDeadline: a tool that would take longer than the run may is told by its context, and the run ends at
// its deadline, in each mode, or two seconds later if it does not heed that; what tools take does not count as far as Limits.HostTime says, and counts beyond that.
func TestToolPastDeadline(t *testing.T) {
	const limit = 400 * time.Millisecond
	for _, tc := range []struct {
		name, text string
		hostTime   time.Duration
		want       error
		end        time.Duration // at the earliest
	}{
		{"told", `nap(60000)`, 0, sandtrap.KindTimeout, limit},
		{"told beside", `beside(60000)`, 0, sandtrap.KindTimeout, limit},
		{"its error is no way on", `err := nap(60000); print(err)`, 0, sandtrap.KindTimeout, limit},
		{"deaf", `deaf()`, 0, sandtrap.KindTimeout, limit},
		{"counts", `nap(250); nap(250)`, 0, sandtrap.KindTimeout, limit},
		{"does not count", `nap(250); nap(250); nap(250)`, 30 * time.Second, nil, 750 * time.Millisecond},
		{"counts beside the script", `beside(250); beside(250)`, 30 * time.Second, sandtrap.KindTimeout, limit},
		{"counts beyond that", `nap(60000)`, limit, sandtrap.KindTimeout, 2 * limit},
		{"the script's own", `nap(500); for {}`, 30 * time.Second, sandtrap.KindTimeout, 2 * limit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			eachMode(t, func(b bench) { toolTime(b, tc.text, limit, tc.hostTime, tc.want, tc.end) })
		})
	}
}

// toolTime runs a text with two tools, which sleep for so many milliseconds.
func toolTime(b bench, text string, limit, hostTime time.Duration, want error, end time.Duration) {
	told := make(chan error, 10)
	nap := func(ctx context.Context, ms int) error {
		select {
		case <-ctx.Done():
			told <- ctx.Err()
			return ctx.Err()
		case <-time.After(time.Duration(ms) * time.Millisecond):
			return nil
		}
	}
	p := pure()
	p.Limits = sandtrap.Limits{Timeout: limit, HostTime: hostTime}
	awake := make(chan bool)
	defer close(awake)
	p.Funcs = map[string]any{"deaf": func() { <-awake }, "nap": nap, "beside": sandtrap.Member{Value: nap, Blocking: true}}
	box := b.Box(p)
	began := time.Now()
	_, err := box.Run(b.Context(), sandtrap.Script{Text: text})
	took := time.Since(began)
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		b.Errorf("%v after %v, want %v", err, took, want)
	}
	grace := time.Duration(0)
	if text == `deaf()` {
		grace = 2 * time.Second // which a tool has that does not heed its context
	}
	if took < end || took > end+grace+1500*time.Millisecond {
		b.Errorf("it took %v, want %v", took, end)
	}
	if text == `nap(60000)` || text == `beside(60000)` {
		select {
		case <-told:
		case <-time.After(5 * time.Second):
			b.Error("it was not told")
		}
	}
}

// TestToolErrorPastDeadline: a script does not go on with what a tool returns that was told of the deadline, also where
// the clock of the run begins later than that of its host, since a worker takes long to read its inputs.
func TestToolErrorPastDeadline(t *testing.T) {
	inputs := map[string]any{"list": make([]string, 500_000)}
	for name, text := range map[string]string{
		"its error is ignored": `err := nap(); print(err); after()`,
		"beside":               `err := beside(); print(err); after()`,
		"its error is shown":   `err := nap(); panic(err)`,
		"its last value":       `nap()`,
		"in a callback's call": `each(func() { nap(); after() }); after()`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachMode(t, func(b bench) {
				for _, end := range []string{"of the policy", "of the context"} {
					b.In(end, func(b bench) { toolError(b, text, inputs, end == "of the context") })
				}
			})
		})
	}
}

// toolError runs a text whose time ends by the policy, or by the context, in a tool that looks at its deadline.
func toolError(b bench, text string, inputs map[string]any, byContext bool) {
	const limit = 400 * time.Millisecond
	nap := func(ctx context.Context) error {
		end, _ := ctx.Deadline()
		time.Sleep(time.Until(end)) // which may be over before its timer has told
		return context.DeadlineExceeded
	}
	p, ctx := pure(), b.Context()
	p.Funcs = map[string]any{
		"nap": nap, "beside": sandtrap.Member{Value: nap, Blocking: true}, "after": func() { b.Error("the script went on") }, "each": func(f func()) { f() },
	}
	if p.Limits.Timeout = limit; byContext {
		p.Limits.Timeout = 0
	}
	box := b.Box(p)
	if byContext {
		told, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = told
	}
	res, err := box.Run(ctx, sandtrap.Script{Text: text, Inputs: inputs})
	if !b.RefusedByEngine(res) && !errors.Is(err, sandtrap.KindTimeout) {
		b.Errorf("%v, want a timeout", err)
	}
}

// TestHostTimeOfCallbacks: what a function of the host calls of the script is the script's time, which the credit is
// not for, and the run ends as others do.
func TestHostTimeOfCallbacks(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi does not know when the host calls a function of the script's")
		}
		p := sandtrap.Policy{Limits: sandtrap.Limits{Timeout: 300 * time.Millisecond, HostTime: time.Minute}, Funcs: map[string]any{"each": func(f func()) { f() }}}
		began := time.Now()
		res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: "n := 0\nprintln(\"begun\")\neach(func() { for { n++ } })"})
		if b.RefusedByEngine(res) {
			return
		}
		if !errors.Is(err, sandtrap.KindTimeout) || res.Stderr != "begun\n" || res.Ticks == 0 || time.Since(began) > 30*time.Second {
			b.Errorf("%v after %v, %d ticks, printed %q", err, time.Since(began), res.Ticks, res.Stderr)
		}
	})
}
