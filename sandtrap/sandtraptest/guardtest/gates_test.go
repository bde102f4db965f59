package guardtest

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// fails has for each gate, in their order, what makes it refuse the member of TestGateOrder.
var fails = []struct {
	code decide.Code
	set  func(p *guard.Policy)
}{
	{"inactive", func(p *guard.Policy) { p.Inactive = true }},
	{"package", func(p *guard.Policy) { p.Packages = []string{"other"} }},
	{"hidden", func(p *guard.Policy) { p.Hidden = []string{"mail.Send"} }},
	{"risk", func(p *guard.Policy) { p.MaxRisk = decide.Low }},
	{"permissions", func(p *guard.Policy) { p.Permissions = nil }},
	{"policy", func(p *guard.Policy) { p.Deny = []string{"mail.*"} }},
	{"classification", func(p *guard.Policy) { p.MaxClass = decide.Public }},
	{"rule", func(p *guard.Policy) {
		p.Rules = []rules.Rule{{Name: "none", On: []string{"mail.Send"}, Do: rules.Block}}
	}},
	{"rate", func(p *guard.Policy) { p.Rates = map[string]int{"*": 0} }},
	{"budget", func(p *guard.Policy) { p.Budget = guard.NewBudget(2) }},
}

// host is one that only keeps why its run ended.
func host() decide.Host {
	return decide.Host{
		Stand: func(context.Context) func() { return func() {} },
		Warn:  func(string) {}, Remind: func(string) {}, Stop: func(string) {},
	}
}

// TestGateOrder: for each combination of gates that refuse a call, the first one is the reason.
func TestGateOrder(t *testing.T) {
	members := []decide.Member{
		{Name: "mail.Send", Package: "mail", Attributes: decide.Attributes{Risk: decide.High, Requires: []string{"mail.send"}, Class: decide.Internal, Cost: 3}},
		{Name: "other.F", Package: "other"},
	}
	for set := range 1 << len(fails) {
		p := &guard.Policy{MaxRisk: decide.High, Permissions: []string{"mail.send"}, Default: guard.AllowByDefault, MaxClass: decide.Internal, Budget: guard.NewBudget(3)}
		want := decide.Code("")
		for i, f := range fails {
			if set>>i&1 == 1 {
				f.set(p)
				if want == "" {
					want = f.code
				}
			}
		}
		g, err := p.Compile(members)
		if err != nil {
			t.Fatal(err)
		}
		called := false
		_, err = g.Session().Begin(t.Context(), host()).Call(t.Context(), "mail.Send", "", nil, func() []reflect.Value { called = true; return nil })
		denied, _ := err.(*decide.Denied)
		if want == "" && (err != nil || !called) || want != "" && (denied == nil || denied.Code != want || called) {
			t.Errorf("%b: %v, want %s", set, err, want)
		}
	}
}

// TestRules: rules about arguments block, warn and remind, in each mode.
func TestRules(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		p := rig.Pure()
		p.Funcs = map[string]any{"get": sandtrap.Member{Value: func(url string) (string, error) { return "secret of " + url, nil }, Params: []string{"url"}}}
		p.Guard = &guard.Policy{Rules: []rules.Rule{
			{Name: "ours", On: []string{"get"}, When: []rules.Condition{{Not: &rules.Condition{Param: "url", URL: []string{"https://*.example.com/**"}}}}, Do: rules.Block, Text: "only example.com, not {url}"},
			{Name: "old", On: []string{"get"}, When: []rules.Condition{{Param: "url", URL: []string{"https://old.example.com/**"}}}, Do: rules.Warn, Text: "old.example.com goes away"},
			{Name: "cite", On: []string{"get"}, Do: rules.Remind, Text: "name your sources"},
			{Name: "leak", On: []string{"get"}, After: true, When: []rules.Condition{{Param: "return.0", Regexp: ".*key.*"}}, Do: rules.Block, Text: "the page has a key"},
		}}
		res, err := b.RunOnce(p, `fmt.Println(get("https://old.example.com/a"))
fmt.Println(get("https://evil.com/"))
fmt.Println(get("https://www.example.com/key"))`)
		want := "secret of https://old.example.com/a <nil>\n" +
			" get is not allowed: only example.com, not \"https://evil.com/\" (the same call is refused again: change it, or go on without it)\n" +
			" get is not allowed: the page has a key (the call was made, and its results are withheld: do not repeat it)\n"
		if err != nil || res.Stdout != want {
			b.T.Errorf("%q, %v", res.Stdout, err)
		}
		if strings.Join(res.Warnings, "|") != "get: old.example.com goes away" || len(res.Reminders) == 0 || res.Reminders[0] != "name your sources" {
			b.T.Errorf("%q %q", res.Warnings, res.Reminders)
		}
	})
}
