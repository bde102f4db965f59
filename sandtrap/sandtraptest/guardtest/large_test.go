package guardtest

import (
	"context"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestLargeArguments: arguments that share their parts, or are nested deep, cost neither the memory nor the stack of the
// host.
func TestLargeArguments(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		if b.Isolation != sandtrap.None {
			return // a worker writes them for its host, within its own limits
		}
		p := rig.Pure()
		p.Funcs = map[string]any{
			"note": sandtrap.Member{Value: func(v any) error { return nil }},
		}
		args := ""
		p.Guard = &guard.Policy{Record: record.Func(func(e record.Event) error {
			if e.Kind == record.KindDecision && e.Member == "note" {
				args = string(e.Args)
			}
			return nil
		})}
		for name, value := range map[string]string{
			"shared": "var v any = \"x\"\nfor range 40 { v = []any{v, v} }",
			"deep":   "var v any = 1\nfor range 5000 { v = []any{v} }",
		} {
			args = "none"
			res, err := b.RunOnce(p, value+"\nfmt.Println(note(v))")
			if err != nil || res.Stdout != "<nil>\n" || args != `"(too large to be shown)"` {
				b.T.Errorf("%s: %s, %q, %v", name, args, res.Stdout, err)
			}
		}
	})
}

// TestUnanswered: the clock stands while somebody is asked, so a run whose questions nobody answers comes to an end of them.
func TestUnanswered(t *testing.T) {
	asked := 0
	p := rig.Pure()
	p.Funcs = map[string]any{"send": sandtrap.Member{Value: func() error { return nil }, Risk: decide.High}}
	p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(_ context.Context, list []decide.Request) ([]decide.Answer, error) {
		asked += len(list)
		return nil, nil
	})}
	res, err := rig.RunOnce(t, p, "var last error\nfor range 300 { last = send() }\nfmt.Print(last)")
	if err != nil || asked != 100 || !strings.Contains(res.Stdout, "nobody has answered the questions before") {
		t.Errorf("%d asked, %q, %v", asked, res.Stdout, err)
	}
}
