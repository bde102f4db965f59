package guardtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestClosed: without a guard a member that declares something is closed, whether it can say so by an error or not.
func TestClosed(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		var calls atomic.Int64
		p := rig.Pure()
		p.Funcs = map[string]any{
			"send": sandtrap.Member{Value: func(string) error { calls.Add(1); return nil }, Risk: decide.Low},
			"drop": sandtrap.Member{Value: func() { calls.Add(1) }, Requires: []string{"db.drop"}},
			"wait": sandtrap.Member{Value: func() { calls.Add(1) }, Class: decide.Public, Blocking: true},
		}
		if res, err := b.RunOnce(p, `fmt.Println(send("a"))`); err != nil || !strings.HasPrefix(res.Stdout, "send is not allowed: it declares a risk, and its policy has no Guard") {
			b.T.Errorf("%q, %v", res.Stdout, err)
		}
		for _, name := range []string{"drop", "wait"} {
			res, err := b.RunOnce(p, "fmt.Println(1)\ndefer func() { recover(); fmt.Println(2) }()\n"+name+"()\nfmt.Println(3)")
			if !errors.Is(err, sandtrap.KindDenied) || res.Stdout != "1\n" || b.Engine == "vm" && res.Error.Pos.Line != 3 || !strings.HasPrefix(res.Error.Message, name+" is not allowed: ") {
				b.T.Errorf("%q, %v", res.Stdout, err)
			}
		}
		if calls.Load() > 0 {
			b.T.Error("a function was called")
		}
	})
}

// TestAsk: calls that wait at the same time come together, each with a copy of its arguments and its place, and the calls
// are made with those, whatever the script does meanwhile.
func TestAsk(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		if b.Engine == "yaegi" {
			return // which has no goroutines
		}
		var mu sync.Mutex
		var asked []decide.Request
		var sent []string
		batches := 0
		p := rig.Pure()
		p.Funcs = map[string]any{"send": sandtrap.Member{Params: []string{"to", "text"}, Risk: decide.High, Value: func(to []string, text string) error {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, strings.Join(to, ","))
			return nil
		}}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			mu.Lock()
			asked = append(asked, list...)
			batches++
			mu.Unlock()
			time.Sleep(50 * time.Millisecond)
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		})}
		const script = `to := []string{"a@b.c"}
var wg sync.WaitGroup
started := make(chan bool, 3)
for i := range 3 {
	wg.Go(func() { started <- true; send(to, fmt.Sprint(i)) })
}
for range 3 { <-started }
time.Sleep(20 * time.Millisecond)
to[0] = "evil"
wg.Wait()`
		if _, err := b.RunOnce(p, script); err != nil {
			b.T.Fatal(err)
		}
		if len(asked) != 3 || batches > 2 || strings.Join(sent, " ") != "a@b.c a@b.c a@b.c" {
			b.T.Fatalf("%d asked in %d batches; sent %v", len(asked), batches, sent)
		}
		r := asked[0]
		if !strings.HasPrefix(string(r.Args), `{"to":["a@b.c"],"text":"`) || r.Reason != "its risk is high" || r.Risk != decide.High || r.Member != "send" || len(r.Hash) != 64 {
			b.T.Errorf("%+v, %s", r, r.Args)
		}
		if r.At != "script.go:5" || r.Line != "\twg.Go(func() { started <- true; send(to, fmt.Sprint(i)) })" {
			b.T.Errorf("%q %q", r.At, r.Line)
		}
	})
}

// TestAskDenies: all but a clear yes is a no.
func TestAskDenies(t *testing.T) {
	deny := map[string]struct {
		answer approver
		want   string
	}{
		"no":           {says(decide.Answer{Verdict: decide.Deny, Reason: "not today"}), "it was refused: not today"},
		"nothing":      {says(decide.Answer{}), "it was refused"},
		"unknown word": {says(decide.Answer{Verdict: "yes"}), "it was refused"},
		"later":        {says(decide.Answer{Verdict: decide.Later}), ""},
		"error": {func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			a, _ := says(decide.Answer{Verdict: decide.Approve})(ctx, list)
			return a, errors.New("broken pipe")
		}, "the approver failed"},
		"panic":       {func(context.Context, []decide.Request) ([]decide.Answer, error) { panic("no") }, "the approver failed"},
		"no answer":   {func(context.Context, []decide.Request) ([]decide.Answer, error) { return nil, nil }, "has not answered it"},
		"another one": {says(decide.Answer{Verdict: decide.Approve}).shifted(1), "fit no request"},
		"two": {func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			a, _ := says(decide.Answer{Verdict: decide.Approve})(ctx, list)
			return append(a, decide.Answer{ID: a[0].ID, Verdict: decide.Deny}), nil
		}, "fit no request"},
		"too late": {func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			<-ctx.Done()
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		}, "nobody has answered within 100ms"},
		"never": {func(context.Context, []decide.Request) ([]decide.Answer, error) { select {} }, "nobody has answered within 100ms"},
	}
	rig.EachMode(t, func(b rig.Bench) {
		for name, tc := range deny {
			p := rig.Pure()
			var calls atomic.Int64
			p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { calls.Add(1); return nil }}}
			p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: tc.answer, AskTimeout: 100 * time.Millisecond}
			res, err := b.RunOnce(p, `fmt.Print(send(1))`)
			if err != nil || calls.Load() != 0 || !strings.Contains(res.Stdout, tc.want) || strings.Contains(res.Stdout, "<nil>") {
				b.T.Errorf("%s: %q, %v, %d calls", name, res.Stdout, err, calls.Load())
			}
		}
	})
}

// shifted has the answers of a with IDs that are off by n.
func (a approver) shifted(n int64) approver {
	return func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
		answers, err := a(ctx, list)
		for i := range answers {
			answers[i].ID += n
		}
		return answers, err
	}
}

// TestAskClock: the clock of the run stands while somebody is asked, and other goroutines go on.
func TestAskClock(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		b.T.Parallel()
		p := rig.Pure()
		p.Limits = sandtrap.Limits{Timeout: 700 * time.Millisecond}
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			time.Sleep(1500 * time.Millisecond)
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		})}
		others, want := "n := 21", "<nil> <nil> true"
		if b.Engine == "vm" {
			others = "n := 0\ngo func() { for { n++; time.Sleep(10*time.Millisecond) } }()"
		}
		res, err := b.RunOnce(p, others+"\nfmt.Print(send(1), send(2), n > 20)")
		if err != nil || res.Stdout != want {
			b.T.Errorf("%q, %v", res.Stdout, err)
		}
		if _, err := b.RunOnce(p, "send(1)\nfor {}"); !errors.Is(err, sandtrap.KindTimeout) {
			b.T.Errorf("a run that goes on after an approval: %v", err)
		}
	})
}

// TestAskTicks: the clock stands while somebody is asked, but what goes on meanwhile has its ticks, and no more.
func TestAskTicks(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		if b.Engine != "vm" {
			b.T.Skip("nothing goes on meanwhile")
		}
		p := rig.Pure()
		p.Limits = sandtrap.Limits{Timeout: 10 * time.Second, Ticks: 10_000_000}
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, _ []decide.Request) ([]decide.Answer, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Minute):
				return nil, errors.New("the run goes on")
			}
		})}
		began := time.Now()
		res, err := b.RunOnce(p, "go func() { for { } }()\nfmt.Print(send(1))")
		if !errors.Is(err, sandtrap.KindTicks) || time.Since(began) > 30*time.Second {
			b.T.Errorf("after %v: %q, %v", time.Since(began), res.Stdout, err)
		}
	})
}

// TestAskOver: a run that was asked about when it ended leaves nothing that has the clock of the next one stand, in the same worker or
// in another one.
func TestAskOver(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		asked, answer, gone := make(chan bool, 10), make(chan bool), make(chan bool, 10)
		p := rig.Pure()
		p.Limits = sandtrap.Limits{Timeout: 500 * time.Millisecond}
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(context.Context, []decide.Request) ([]decide.Answer, error) {
			asked <- true
			<-answer // whatever the run does
			gone <- true
			return nil, nil
		})}
		s := b.Session(p)
		ctx, cancel := context.WithCancel(b.T.Context())
		go func() {
			<-asked
			cancel()
		}()
		if _, err := s.Run(ctx, sandtrap.Script{Text: "send(1)"}); !errors.Is(err, sandtrap.KindCancelled) {
			b.T.Error(err)
		}
		began := time.Now()
		time.AfterFunc(100*time.Millisecond, func() { close(answer) })
		if _, err := s.Run(b.T.Context(), sandtrap.Script{Text: "for {}"}); !errors.Is(err, sandtrap.KindTimeout) {
			b.T.Error(err)
		}
		if took := time.Since(began); took < 400*time.Millisecond || took > 8*time.Second {
			b.T.Errorf("a run of half a second took %v", took)
		}
		<-gone
	})
}

// TestAskAlways: always is for the session, and for that member alone.
func TestAskAlways(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		var asked atomic.Int64
		p := rig.Pure()
		p.Funcs = map[string]any{
			"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { return nil }},
			"drop": sandtrap.Member{Risk: decide.High, Value: func(int) error { return nil }},
		}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			for _, r := range list {
				asked.Add(1)
				if want := "allow all calls of " + r.Member; !strings.HasPrefix(r.Always, want) {
					b.T.Errorf("%q", r.Always)
				}
			}
			return says(decide.Answer{Verdict: decide.Approve, Always: list[0].Member == "send"})(ctx, list)
		})}
		s := b.Session(p)
		for i, want := range []int64{1, 1, 2, 3} {
			src := fmt.Sprintf("send(%d)", i)
			if i > 1 {
				src = "drop(1); send(1)"
			}
			if _, err := s.Run(t.Context(), sandtrap.Script{Text: src}); err != nil || asked.Load() != want {
				b.T.Errorf("%s: %v, %d asked, want %d", src, err, asked.Load(), want)
			}
		}
		other := b.Session(p)
		if _, err := other.Run(t.Context(), sandtrap.Script{Text: "send(1)"}); err != nil || asked.Load() != 4 {
			b.T.Errorf("another session: %v, %d", err, asked.Load())
		}
	})
}

// TestAskCancelled: a run that ends while somebody is asked ends at once, and the call is not made.
func TestAskCancelled(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		asked := make(chan error, 1)
		p := rig.Pure()
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { calls.Add(1); return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			cancel()
			<-ctx.Done()
			asked <- ctx.Err()
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		})}
		if _, err := b.Box(p).Run(ctx, sandtrap.Script{Text: "send(1)"}); !errors.Is(err, sandtrap.KindCancelled) {
			b.T.Error(err)
		}
		select {
		case err := <-asked:
			if err != context.Canceled {
				b.T.Error(err)
			}
		case <-time.After(10 * time.Second):
			b.T.Error("the approver is asked on")
		}
		if calls.Load() > 0 {
			b.T.Error("the call was made")
		}
	})
}
