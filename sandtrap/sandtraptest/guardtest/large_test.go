package guardtest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
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
