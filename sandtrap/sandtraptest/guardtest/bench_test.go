package guardtest

import (
	"path/filepath"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// BenchmarkCall is a call of a host function, of a thousand in a run: without a guard, with one that is about another
// function, with a rule about it, and with a record.
func BenchmarkCall(b *testing.B) {
	rule := []rules.Rule{{Name: "r", On: []string{"get"}, When: []rules.Condition{{Param: "path", Path: []string{"/etc/**"}}}, Do: rules.Block}}
	log, err := record.Open(filepath.Join(b.TempDir(), "record"), record.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	for _, bc := range []struct {
		name, call string
		guard      *guard.Policy
	}{
		{"none", "add(1)", nil},
		{"other", "add(1)", &guard.Policy{Rules: rule}},
		{"rule", "get(`/data/a`)", &guard.Policy{Rules: rule}},
		{"record", "get(`/data/a`)", &guard.Policy{Record: log}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			p := sandtrap.Policy{Funcs: map[string]any{
				"add": func(n int) int { return n + 1 },
				"get": sandtrap.Member{Value: func(path string) int { return len(path) }, Params: []string{"path"}},
			}}
			if bc.guard != nil {
				p.Guard = bc.guard
			}
			box, err := sandtrap.New(b.Context(), p)
			if err != nil {
				b.Fatal(err)
			}
			defer box.Close()
			script := sandtrap.Script{Text: "for range 1000 { " + bc.call + " }"}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := box.Run(b.Context(), script); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/call")
		})
	}
}
