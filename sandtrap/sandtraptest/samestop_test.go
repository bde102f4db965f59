package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestSameStops: the error of a run that its host or a limit ends says the same in each mode: its kind, where the
// script was, and in which functions.
func TestSameStops(t *testing.T) {
	slow := func(ctx context.Context) { <-ctx.Done() }
	deaf := func() { time.Sleep(300 * time.Millisecond) }
	for name, tc := range map[string]struct {
		src    string
		limits sandtrap.Limits
		ends   time.Duration // of the context
		cancel bool
	}{
		"deadline in a loop":           {src: "func spin() {\n\tfor {\n\t}\n}\nfunc main() {\n\tspin()\n}", ends: 100 * time.Millisecond},
		"timeout in a loop":            {src: "func spin() {\n\tfor {\n\t}\n}\nfunc main() {\n\tspin()\n}", limits: sandtrap.Limits{Timeout: 100 * time.Millisecond}},
		"deadline in a sleep":          {src: "func rest() {\n\ttime.Sleep(time.Hour)\n}\nfunc main() {\n\trest()\n}", ends: 100 * time.Millisecond},
		"deadline in a function":       {src: "func ask() {\n\tslow()\n}\nfunc main() {\n\task()\n}", ends: 100 * time.Millisecond},
		"timeout in a function":        {src: "func ask() {\n\tslow()\n}\nfunc main() {\n\task()\n}", limits: sandtrap.Limits{Timeout: 100 * time.Millisecond}},
		"deadline in one that is deaf": {src: "func ask() {\n\tdeaf()\n}\nfunc main() {\n\task()\n}", ends: 100 * time.Millisecond},
		"cancelled in a loop":          {src: "func spin() {\n\tfor {\n\t}\n}\nfunc main() {\n\tspin()\n}", ends: 100 * time.Millisecond, cancel: true},
		"cancelled in a function":      {src: "func ask() {\n\tslow()\n}\nfunc main() {\n\task()\n}", ends: 100 * time.Millisecond, cancel: true},
		"cancelled on a channel":       {src: "func wait() {\n\t<-make(chan int)\n}\nfunc main() {\n\tgo func() { for { time.Sleep(1) } }()\n\twait()\n}", ends: 100 * time.Millisecond, cancel: true},
		"ticks":                        {src: "func spin() {\n\tfor {\n\t}\n}\nfunc main() {\n\tspin()\n}", limits: sandtrap.Limits{Ticks: 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			want := ""
			eachMode(t, func(b bench) {
				if b.Engine != "vm" {
					return
				}
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: tc.limits, Funcs: map[string]any{"slow": slow, "deaf": deaf}}
				box := b.Box(p)
				got := ""
				for range 5 { // where others have the machine a worker may be killed that would have stopped, or not have begun
					if got = ends(b, box, tc.src, tc.ends, tc.cancel); !strings.Contains(got, "was killed") && !strings.Contains(got, "line 0") {
						break
					}
				}
				if want == "" {
					want = got
				}
				if got != want {
					b.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}

// ends runs a script whose context ends, or is cancelled, after a while, and tells its error.
func ends(b bench, box *sandtrap.Sandbox, src string, after time.Duration, cancelled bool) string {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	switch {
	case cancelled:
		time.AfterFunc(after, cancel)
	case after > 0:
		ctx, cancel = context.WithTimeout(ctx, after)
		defer cancel()
	}
	res, err := box.Run(ctx, sandtrap.Script{Text: src})
	e := res.Error
	if e == nil {
		b.Fatal(err)
	}
	return fmt.Sprint(e.Kind, " line ", e.Pos.Line, " in ", funcsOf(e), " ", errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), " ", e.Message, " (", e.Hint, ")")
}

func funcsOf(e *sandtrap.Error) (list []string) {
	for _, f := range e.Stack {
		list = append(list, f.Func)
	}
	return list
}
