package sandtraptest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// eachWorker runs a test in the modes that have workers.
func eachWorker(t *testing.T, test func(b bench)) {
	eachMode(t, func(b bench) {
		if b.isolation == sandtrap.None {
			b.Skip("there are no workers")
		}
		test(b)
	})
}

// TestFuncsKept: functions of the last runs that left any can be called; those of runs before
// cannot, and say so. There are no more workers than that takes, and they end with the sandbox.
func TestFuncsKept(t *testing.T) {
	eachWorker(t, func(b bench) {
		const runs, kept = 12, 8
		before := children(b)
		box := b.box(pure())
		var results []*sandtrap.Result
		for i := range runs {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: fmt.Sprintf("n := %d\nf := func() int { n++; return n }", 10*i)})
			if err != nil {
				b.Fatal(err)
			}
			results = append(results, res)
		}
		for i, res := range results {
			out, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context())
			switch {
			case i < runs-kept && err != sandtrap.ErrRunOver:
				b.Errorf("of run %d: %v, %v", i, out.Returned, err)
			case i >= runs-kept && (err != nil || out.Returned[0] != 10*i+1):
				b.Errorf("of run %d: %v, %v", i, out.Returned, err)
			}
		}
		if n := len(children(b)) - len(before); n > kept+1 {
			b.Errorf("%d workers", n)
		}
		box.Close()
		for pid := range children(b) {
			if !before[pid] {
				b.Errorf("process %d is left", pid)
			}
		}
	})
}

// TestFuncStreams: calls have the streams of their run, and events of their own.
func TestFuncStreams(t *testing.T) {
	eachKeeping(t, func(b bench) {
		var out bytes.Buffer
		events := make(chan sandtrap.Event, 100)
		p := pure()
		p.Funcs = map[string]any{"double": func(n int) int { return 2 * n }}
		res, err := b.box(p).Run(b.Context(), sandtrap.Script{
			Text: "f := func() string { fmt.Print(double(2)); line, _ := bufio.NewReader(os.Stdin).ReadString('\\n'); return line }", Stdin: strings.NewReader("a line\n"),
			Stdout: &out, Events: events,
		})
		if err != nil {
			b.Fatal(err)
		}
		for len(events) > 0 {
			<-events
		}
		called, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context())
		if err != nil || called.Returned[0] != "a line\n" || called.Stdout != "4" || out.String() != "4" {
			b.Errorf("got %q, %q, %q, %v", called.Returned, called.Stdout, out.String(), err)
		}
		close(events)
		var got []string
		for e := range events {
			got = append(got, strings.TrimSpace(string(e.Kind)+" "+e.Text))
		}
		if text := strings.Join(got, "; "); text != "started; call double; stdout 4; finished" {
			b.Errorf("events %q", text)
		}
	})
}

// TestSessionFuncsModes: functions that a cell leaves see what later cells assign, and go with
// the session.
func TestSessionFuncsModes(t *testing.T) {
	eachSession(t, func(b bench) {
		s := b.session(pure())
		res, err := s.Run(b.Context(), sandtrap.Script{Text: "n := 1\nadd := func(k int) int { n += k; return n }"})
		if err != nil {
			b.Fatal(err)
		}
		add := res.Vars["add"].(*sandtrap.Func)
		for _, step := range []struct {
			cell string
			want int
		}{{"", 2}, {"n = 10", 11}, {"n := \"other\"", 12}, {"panic(n)", 13}} {
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: step.cell}); err != nil && !errors.Is(err, sandtrap.ErrPanic) {
				b.Fatal(err)
			}
			if out, err := add.Call(b.Context(), 1); err != nil || out.Returned[0] != step.want {
				b.Errorf("after %q: %v, %v, want %d", step.cell, out.Returned, err, step.want)
			}
		}
		s.Close()
		if _, err := add.Call(b.Context(), 1); err != sandtrap.ErrRunOver {
			b.Errorf("after the end: %v", err)
		}
	})
}
