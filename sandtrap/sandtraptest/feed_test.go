package sandtraptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestStreamsLive: what is printed gets to the host's writers while the script runs, apart,
// whole where the Result keeps the end only, and up to however the run ends.
func TestStreamsLive(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Output = 100
		var out, errs bytes.Buffer
		var during string
		p.Funcs = map[string]any{"look": func() { during = out.String() + "|" + errs.String() }}
		res, err := b.Box(p).Run(b.Context(), sandtrap.Script{
			Text:   "fmt.Println(\"first\")\nfmt.Fprintln(os.Stderr, \"second\")\nlook()\nfmt.Print(strings.Repeat(\"x\", 1000))\npanic(1)",
			Stdout: &out, Stderr: &errs,
		})
		if !errors.Is(err, sandtrap.KindPanic) {
			b.Fatal(err)
		}
		if want := "first\n|second\n"; during != want {
			b.Errorf("during the run it was %q, want %q", during, want)
		}
		if out.Len() != 1006 || errs.String() != "second\n" || !strings.HasSuffix(res.Stdout, strings.Repeat("x", 100)) || len(res.Stdout) > 200 {
			b.Errorf("got %d bytes, %q; kept %q", out.Len(), errs.String(), res.Stdout)
		}
	})
}

// badWriter is one that does not write.
type badWriter func([]byte) (int, error)

func (w badWriter) Write(p []byte) (int, error) { return w(p) }

// TestStreamsBad: writers that fail, panic or block are the host's business: the script does
// not notice, and ends in time.
func TestStreamsBad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for _, tc := range []struct {
		name string
		w    badWriter
		time time.Duration
		want error
	}{
		{"fails", func([]byte) (int, error) { return 0, errors.New("full") }, time.Minute, nil},
		{"panics", func([]byte) (int, error) { panic("broken") }, time.Minute, nil},
		{"blocks", func([]byte) (int, error) { <-release; return 0, nil }, 200 * time.Millisecond, sandtrap.KindTimeout},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				b.Parallel()
				p := pure()
				p.Limits.Timeout = tc.time
				for _, src := range []string{"fmt.Print(\"a\")", "_, err := fmt.Print(\"a\")\nfmt.Print(err)"} {
					b.In(src, func(b bench) {
						b.Parallel() // one that blocks is waited for
						res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: src, Stdout: tc.w})
						if !errors.Is(err, tc.want) || err == nil && strings.TrimSuffix(res.Stdout, "<nil>") != "a" {
							b.Errorf("%s: got %q, %v", src, res.Stdout, err)
						}
					})
				}
			})
		})
	}
}

// TestEvents: what a run did, in order.
func TestEvents(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"all", "fmt.Print(\"a\")\nfmt.Fprint(os.Stderr, \"b\")\nfmt.Print(double(2))", "started; stdout a; stderr b; call double; stdout 4; finished"},
		{"packages", "import \"corp/shop\"\nshop.Open().SetPrice(4)", "started; call corp/shop.Open; call corp/shop.Shop.SetPrice; finished"},
		{"refused", "x := 1 + \"a\"", "finished 1:6: ..."},
		{"panic", "panic(\"no\")", "started; finished 1:1: no..."},
		{"limit", "for {}", "started; finished ..."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Funcs = map[string]any{"double": func(n int) int { return 2 * n }}
				if tc.name == "packages" {
					p.Packages = []sandtrap.Package{{Path: "corp/shop", Members: shop}}
				}
				events := make(chan sandtrap.Event, 20)
				res, _ := b.Box(p).Run(b.Context(), sandtrap.Script{Text: tc.src, Events: events})
				close(events)
				var got []string
				for e := range events {
					if e.Time.IsZero() {
						b.Errorf("%v has no time", e)
					}
					got = append(got, strings.TrimSpace(string(e.Kind)+" "+strings.TrimPrefix(e.Text, "script.go:")))
				}
				text := strings.Join(got, "; ")
				prefix, cut := strings.CutSuffix(tc.want, "...")
				if text != tc.want && !(cut && strings.HasPrefix(text, prefix)) || res.Dropped != 0 {
					b.Errorf("got %q, want %q; %d dropped", text, tc.want, res.Dropped)
				}
			})
		})
	}
}

// TestEventsEnd: the last event has the kind of the error, and no other event has one.
func TestEventsEnd(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want sandtrap.Kind
	}{
		{"fmt.Print(1)", ""},
		{"fmt.Print(1); os.Exit(0)", ""},
		{"fmt.Print(1); os.Exit(3)", sandtrap.KindExit},
		{"x := := 1", sandtrap.KindSyntax},
		{"x := 1 + \"a\"", sandtrap.KindType},
		{"import \"os/exec\"\nexec.Command(\"ls\").Run()", sandtrap.KindDenied},
		{"fmt.Print(1); panic(1)", sandtrap.KindPanic},
		{"fmt.Print(1); stop(); for {}", sandtrap.KindCancelled},
		{"fmt.Print(1); for {}", sandtrap.KindTimeout},
		{"l := [][]byte{}\nfor { l = append(l, make([]byte, 1<<20)) }", sandtrap.KindMemory},
		{"fmt.Print(1); select {}", sandtrap.KindDeadlock},
	} {
		t.Run(string(tc.want), func(t *testing.T) {
			eachMode(t, func(b bench) {
				ctx, cancel := context.WithCancel(b.Context())
				defer cancel()
				p := pure()
				p.Funcs = map[string]any{"stop": func() { cancel() }}
				if tc.want == sandtrap.KindTimeout {
					p.Limits.Ticks, p.Limits.Timeout = 1<<50, 300*time.Millisecond
				}
				events := make(chan sandtrap.Event, 20)
				_, err := b.Box(p).Run(ctx, sandtrap.Script{Text: tc.src, Events: events})
				close(events)
				var last sandtrap.Event
				for last = range events {
					if last.Kind != sandtrap.EventFinished && last.End != "" {
						b.Errorf("%+v", last)
					}
				}
				if last.Kind != sandtrap.EventFinished || last.End != tc.want || (tc.want == "") != (err == nil) {
					b.Errorf("the last is %+v, %v", last, err)
				}
			})
		})
	}
}

// TestEventsEndOfResult: a result that does not fit is the end that the last event tells of, in a cell of a session too.
func TestEventsEndOfResult(t *testing.T) {
	eachSession(t, func(b bench) {
		box := b.Box(pure())
		session, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer session.Close()
		for _, run := range []func(context.Context, sandtrap.Script) (*sandtrap.Result, error){box.Run, session.Run} {
			var small int8
			events := make(chan sandtrap.Event, 20)
			_, err := run(b.Context(), sandtrap.Script{Text: "n := 100\nreturn 3 * n", Events: events, Result: &small})
			close(events)
			var last sandtrap.Event
			for last = range events {
			}
			if !errors.Is(err, sandtrap.KindContract) || last.Kind != sandtrap.EventFinished || last.End != sandtrap.KindContract || last.Text != err.Error() {
				b.Errorf("%v, and the last event is %+v", err, last)
			}
		}
	})
}

// TestEventsOfCellNotRun: who reads the events of a cell that does not begin is told of its end.
func TestEventsOfCellNotRun(t *testing.T) {
	eachSession(t, func(b bench) {
		begun, release := make(chan bool, 1), make(chan bool)
		p := pure()
		p.Funcs = map[string]any{"hold": func() { begun <- true; <-release }}
		session, err := b.Box(p).Session()
		if err != nil {
			b.Fatal(err)
		}
		defer session.Close()
		held := make(chan error, 1)
		go func() {
			_, err := session.Run(b.Context(), sandtrap.Script{Text: "hold()"})
			held <- err
		}()
		<-begun
		over, cancel := context.WithCancel(b.Context())
		cancel()
		end := func(ctx context.Context, text string) sandtrap.Kind {
			events := make(chan sandtrap.Event, 2)
			_, err := session.Run(ctx, sandtrap.Script{Text: text, Events: events})
			close(events)
			last := <-events
			if last.Kind != sandtrap.EventFinished || err == nil || last.Text != err.Error() {
				b.Errorf("%v, and the event is %+v", err, last)
			}
			return last.End
		}
		if kind := end(over, "1"); kind != sandtrap.KindCancelled {
			b.Errorf("a cell that does not get its turn ends with %s", kind)
		}
		close(release)
		if err := <-held; err != nil {
			b.Error(err)
		}
		if kind := end(b.Context(), " "); kind != sandtrap.KindSyntax {
			b.Errorf("an empty cell ends with %s", kind)
		}
	})
}

// TestEventsDropped: nobody waits for a slow reader; what it missed is counted, and of the end
// it is told. Large output comes in pieces.
func TestEventsDropped(t *testing.T) {
	eachMode(t, func(b bench) {
		events := make(chan sandtrap.Event, 3)
		res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: "for i := range 10 { fmt.Print(i) }", Events: events})
		if err != nil || res.Stdout != "0123456789" || res.Dropped != 9 || len(events) != 3 {
			b.Errorf("got %q, %v, %d dropped, %d there", res.Stdout, err, res.Dropped, len(events))
		}
		close(events)
		var last sandtrap.Event
		for last = range events {
		}
		if last.Kind != sandtrap.EventFinished {
			b.Errorf("the last is %v", last)
		}
		events = make(chan sandtrap.Event, 9)
		if _, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: "fmt.Print(strings.Repeat(\"x\", 100_000))", Events: events}); err != nil {
			b.Fatal(err)
		}
		close(events)
		total := 0
		for e := range events {
			if len(e.Text) > 64<<10 {
				b.Errorf("an event of %d bytes", len(e.Text))
			}
			total += len(e.Text)
		}
		if total != 100_000 {
			b.Errorf("%d bytes, want 100000", total)
		}
	})
}

// TestEventsHeld: of events that its reader does not take a host holds as many as the channel does, however much is printed,
// and the last of them is the end of the run.
func TestEventsHeld(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Output, p.Limits.Ticks, p.Limits.Timeout = 1<<10, 1<<40, time.Minute
		box := b.Box(p)
		before := rig.SettledHeap()
		peak := rig.Peak()
		events := make(chan sandtrap.Event, 4)
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "s := strings.Repeat(\"x\", 1<<18)\nfor range 1024 { fmt.Print(s) }", Events: events}) // 256 MiB
		grown := peak() - before
		if err != nil || res.Dropped < 4000 || grown > 128<<20 {
			b.Errorf("%d MiB more, %d dropped, %v", grown>>20, res.Dropped, err)
		}
		var last sandtrap.Event
		for range len(events) {
			last = <-events
		}
		if last.Kind != sandtrap.EventFinished {
			b.Errorf("the last is %v", last.Kind)
		}
	})
}

// TestHostPrints: a function of the host prints into the output of the run that called it, in
// order, also from other goroutines; what comes late goes nowhere.
func TestHostPrints(t *testing.T) {
	eachMode(t, func(b bench) {
		var kept context.Context
		p := pure()
		p.Funcs = map[string]any{
			"log": func(ctx context.Context, s string) {
				kept = ctx
				fmt.Fprint(sandtrap.CallInfoFrom(ctx).Stdout, s)
				fmt.Fprint(sandtrap.CallInfoFrom(ctx).Stderr, "!")
			},
			"many": sandtrap.Member{Value: func(ctx context.Context, n int) {
				var wg sync.WaitGroup
				for range n {
					wg.Go(func() { fmt.Fprint(sandtrap.CallInfoFrom(ctx).Stdout, "x") })
				}
				wg.Wait()
			}, Blocking: true},
		}
		box := b.Box(p)
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "fmt.Print(1); log(\"-host-\"); fmt.Print(2); many(20)"})
		if err != nil || res.Stdout != "1-host-2"+strings.Repeat("x", 20) || res.Stderr != "!" {
			b.Errorf("got %q, %q, %v", res.Stdout, res.Stderr, err)
		}
		fmt.Fprint(sandtrap.CallInfoFrom(kept).Stdout, "late")
		if next, err := box.Run(b.Context(), sandtrap.Script{Text: "log(\"a\")"}); err != nil || next.Stdout != "a" {
			b.Errorf("got %q, %v", next.Stdout, err)
		}
	})
}

// TestRunsOfCallbacks: a run that a function of the host makes during another has limits,
// policy and output of its own.
func TestRunsOfCallbacks(t *testing.T) {
	eachMode(t, func(b bench) {
		inner := b.Box(sandtrap.Policy{Limits: sandtrap.Limits{Ticks: 1000}})
		var depth int
		var outer *sandtrap.Sandbox
		p := pure()
		p.Limits.Ticks = 100_000
		p.Funcs = map[string]any{"eval": func(ctx context.Context, src string) string {
			res, err := inner.Run(ctx, sandtrap.Script{Text: src})
			return fmt.Sprint(res.Vars["x"], " ", res.Ticks > 0, " ", errors.Is(err, sandtrap.KindTicks), errors.Is(err, sandtrap.ErrImport))
		}, "again": func(ctx context.Context) string {
			if depth++; depth > 3 {
				return "deep"
			}
			res, err := outer.Run(ctx, sandtrap.Script{Text: "fmt.Print(\"in\"); x := again()"})
			return fmt.Sprint(res.Vars["x"], res.Stdout, err)
		}}
		outer = b.Box(p)
		res, err := outer.Run(b.Context(), sandtrap.Script{Text: `
a := eval("x := 6 * 7; for range 3 {}")
b := eval("for {}")
c := eval("import \"fmt\"\nfmt.Println()")
n := 0
for range 50_000 { n++ }
d := again()`})
		if err != nil {
			b.Fatal(err)
		}
		want := map[string]any{"a": "42 true false false", "b": "<nil> true true false", "c": "<nil> false false true", "n": 50_000, "d": "deepinin<nil>in<nil>"}
		for name, v := range want {
			if name == "d" {
				if s := res.Vars["d"].(string); strings.Count(s, "in") != 3 || !strings.Contains(s, "deep") {
					b.Errorf("d is %q", s)
				}
			} else if res.Vars[name] != v {
				b.Errorf("%s is %v, want %v", name, res.Vars[name], v)
			}
		}
		if res.Stdout != "" {
			b.Errorf("the outer run printed %q", res.Stdout)
		}
	})
}

// TestEchoOfRun: a run can ask for another echo than the policy's; a mode that there is not
// is refused before anything runs.
func TestEchoOfRun(t *testing.T) {
	for _, tc := range []struct {
		policy, run sandtrap.EchoMode
		want        string // "!" is an error
	}{
		{"", "", ""}, {"", sandtrap.EchoAll, "1 2"}, {sandtrap.EchoAll, sandtrap.EchoNone, ""},
		{sandtrap.EchoAll, sandtrap.EchoLast, "2"}, {sandtrap.EchoLast, "", "2"}, {sandtrap.EchoAll, "every", "!"},
	} {
		t.Run(fmt.Sprint(tc.policy, "-", tc.run), func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Echo = tc.policy
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: "1\n2", Echo: tc.run})
				var got []string
				for _, e := range res.Echo {
					got = append(got, e.Text)
				}
				if bad := err != nil; bad != (tc.want == "!") || bad && (res.Ticks > 0 || !strings.Contains(err.Error(), "Script.Echo")) {
					b.Errorf("error %v, %d ticks", err, res.Ticks)
				} else if !bad && strings.Join(got, " ") != tc.want {
					b.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// TestEventsClosed: a host that closes the channel of events, before the run or while it goes on, gets the result
// of the run all the same.
func TestEventsClosed(t *testing.T) {
	eachMode(t, func(b bench) {
		for _, early := range []bool{true, false} {
			p, events := pure(), make(chan sandtrap.Event, 100)
			p.Funcs = map[string]any{"end": func() {
				if !early {
					close(events)
				}
			}}
			if early {
				close(events)
			}
			res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: "fmt.Println(1)\nend()\nfmt.Println(2)", Events: events})
			if err != nil || res.Stdout != "1\n2\n" || res.Dropped == 0 {
				b.Errorf("closed early %v: printed %q, %d dropped, %v", early, res.Stdout, res.Dropped, err)
			}
		}
	})
}
