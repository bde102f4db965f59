package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

type approver func(context.Context, []decide.Request) ([]decide.Answer, error)

func (a approver) Ask(ctx context.Context, r []decide.Request) ([]decide.Answer, error) {
	return a(ctx, r)
}

func all(v decide.Verdict) approver {
	return func(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
		for _, r := range list {
			answers = append(answers, decide.Answer{ID: r.ID, Verdict: v})
		}
		return answers, nil
	}
}

func run(t *testing.T, p sandtrap.Policy, text string) (*sandtrap.Result, error) {
	t.Helper()
	p.Std = append(p.Std, "fmt", "sync", "time")
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	return box.Run(t.Context(), sandtrap.Script{Text: text})
}

func send(to, text string) error { return nil }

// TestClosed: without a guard a member that declares something is closed, whether it can say so by an error or not.
func TestClosed(t *testing.T) {
	calls := 0
	p := sandtrap.Policy{Funcs: map[string]any{
		"send": sandtrap.Member{Value: func(string) error { calls++; return nil }, Risk: decide.Low},
		"drop": sandtrap.Member{Value: func() { calls++ }, Requires: []string{"db.drop"}},
	}}
	if res, err := run(t, p, `fmt.Println(send("a"))`); err != nil || !strings.HasPrefix(res.Stdout, "send is not allowed: its policy has no Guard") {
		t.Errorf("%q, %v", res.Stdout, err)
	}
	res, err := run(t, p, "fmt.Println(1)\ndefer fmt.Println(2)\ndrop()\nfmt.Println(3)")
	if !errors.Is(err, sandtrap.KindDenied) || res.Stdout != "1\n" || res.Error.Pos.Line != 3 {
		t.Errorf("%q, %v", res.Stdout, err)
	}
	if calls > 0 {
		t.Error("a function was called")
	}
}

// TestApproved: what was shown is what runs.
func TestApproved(t *testing.T) {
	var asked []decide.Request
	sent := ""
	p := sandtrap.Policy{Funcs: map[string]any{
		"send": sandtrap.Member{Value: func(to []string, text string) error { sent += strings.Join(to, ",") + ":" + text + ";"; return nil }, Params: []string{"to", "text"}, Risk: decide.High},
	}}
	p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
		asked = append(asked, list...)
		return all(decide.Approve)(ctx, list)
	})}
	res, err := run(t, p, "to := []string{\"a@b.c\"}\nvar wg sync.WaitGroup\nfor i := range 3 { wg.Go(func() { send(to, fmt.Sprint(i)) }) }\ntime.Sleep(time.Millisecond)\nto[0] = \"evil\"\nwg.Wait()")
	if err != nil || len(asked) != 3 || strings.Contains(sent, "evil") || strings.Count(sent, "a@b.c") != 3 {
		t.Errorf("%q, %d asked, %v %v", sent, len(asked), err, res.Stderr)
	}
	if r := asked[0]; string(r.Args) != `{"to":["a@b.c"],"text":"0"}` || r.At != "script.go:3" || !strings.HasPrefix(r.Line, "for i := range 3") || r.Reason != "its risk is high" {
		t.Errorf("%+v, %s", r, r.Args)
	}
}
