package nettest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/tighten"
)

// suggested is the suggestion for a run of a script, under p with a record.
func suggested(t *testing.T, p sandtrap.Policy, s *server, text string) *tighten.Suggestion {
	var file bytes.Buffer
	p.Guard = &guard.Policy{Record: record.Func(func(e record.Event) error { return json.NewEncoder(&file).Encode(e) })}
	run(t, mustBox(t, p, s.gate(t)), s.URL, text)
	got, err := tighten.Policy(&file)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTighten: a policy that is derived from runs which make requests keeps the network, and what the wide one refuses of it; one of runs
// that make none has no network.
func TestTighten(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newServer(t)
		made, none := suggested(t, p, s, `get(base + "/text")`), suggested(t, p, s, `fmt.Println(1)`)
		if made.Requests != 1 || none.Requests != 0 {
			t.Errorf("%d and %d requests", made.Requests, none.Requests)
		}
		p.Network = s.gate(t)
		for name, tc := range map[string]struct {
			guard guard.Policy
			want  string
		}{
			"open":     {guard.Policy{}, "200 hello <nil>"},
			"packages": {guard.Policy{Packages: []string{"net/*"}}, "200 hello <nil>"},
			"deny":     {guard.Policy{Deny: []string{"net/http.Request"}}, "is not allowed: the policy denies"},
			"rate":     {guard.Policy{Rates: map[string]int{"net/http.*": 0}}, "is not allowed"},
			"rule":     {guard.Policy{Rules: []rules.Rule{{Name: "r", On: []string{"net/http.Request"}, Do: rules.Block, Text: "no"}}}, "is not allowed: no"},
		} {
			p.Guard = &tc.guard
			narrow, err := made.Apply(p)
			if err != nil {
				t.Fatal(err)
			}
			if out := run(t, mustBox(t, narrow, narrow.Network), s.URL, `get(base + "/text")`); !strings.Contains(out, tc.want) {
				t.Errorf("%s: %s", name, out)
			}
			if narrow, err := none.Apply(p); err != nil || narrow.Network != nil {
				t.Errorf("%s: a network is left, %v", name, err)
			}
		}
		if text, err := made.Text(); err != nil || !strings.Contains(text, "1 requests were made: give this policy the network") || strings.Contains(text, "net/http.Request") {
			t.Errorf("%v: %s", err, text)
		}
	})
}
