package guard_test

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

var update = flag.Bool("update", false, "write testdata/denials.txt")

// denials are policies that refuse the last of some calls.
var denials = []struct {
	code   decide.Code
	calls  int
	change func(p *guard.Policy)
}{
	{decide.Inactive, 1, func(p *guard.Policy) { p.Inactive = true }},
	{decide.Package, 1, func(p *guard.Policy) { p.Packages = []string{"web"} }},
	{decide.Package, 1, func(p *guard.Policy) { p.Packages = []string{} }},
	{decide.Hidden, 1, func(p *guard.Policy) { p.Hidden = []string{"mail.Send"} }},
	{decide.RiskTooHigh, 1, func(p *guard.Policy) { p.MaxRisk = decide.Medium }},
	{decide.RiskTooHigh, 1, func(p *guard.Policy) { p.MaxRisk = decide.NoRisk }},
	{decide.Permissions, 1, func(p *guard.Policy) { p.Permissions = nil }},
	{decide.PolicyRefuses, 1, func(p *guard.Policy) { p.Deny = []string{"mail.*"} }},
	{decide.PolicyRefuses, 1, func(p *guard.Policy) { p.Default = guard.DenyByDefault }},
	{decide.PolicyRefuses, 1, func(p *guard.Policy) { p.Ask = []string{"mail.Send"} }},
	{decide.PolicyRefuses, 1, asking(func(decide.Request) decide.Answer {
		return decide.Answer{Verdict: decide.Deny, Reason: "not to strangers"}
	})},
	{decide.PolicyRefuses, 1, asking(func(decide.Request) decide.Answer { time.Sleep(time.Second); return decide.Answer{} })},
	{decide.PolicyRefuses, 1, asking(func(decide.Request) decide.Answer { panic("no terminal") })},
	{decide.PolicyRefuses, 1, func(p *guard.Policy) {
		p.Decider = decider(func(decide.Call) decide.Ruling { return decide.Ruling{Reason: "the engine of the bank says no"} })
	}},
	{decide.Classification, 1, func(p *guard.Policy) { p.MaxClass = decide.Public }},
	{decide.Classification, 1, func(p *guard.Policy) { p.MaxClass = decide.NoClass }},
	{decide.RuleBlocks, 1, blocking(rules.Rule{})},
	{decide.RuleBlocks, 1, blocking(rules.Rule{After: true})},
	{decide.RateReached, 3, func(p *guard.Policy) { p.Rates = map[string]int{"mail.*": 2} }},
	{decide.RateReached, 1, func(p *guard.Policy) { p.Rates = map[string]int{"*": 0} }},
	{decide.BudgetSpent, 4, func(p *guard.Policy) { p.Budget = guard.NewBudget(10) }},
	{decide.BudgetSpent, 2, func(p *guard.Policy) { p.Budget = guard.NewBudget(3) }},
	{decide.BudgetSpent, 1, func(p *guard.Policy) { p.Budget = nil }},
}

func asking(ask func(decide.Request) decide.Answer) func(p *guard.Policy) {
	return func(p *guard.Policy) {
		p.Ask, p.Approver, p.AskTimeout = []string{"mail.Send"}, &approver{ask}, 100*time.Millisecond
	}
}

func blocking(r rules.Rule) func(p *guard.Policy) {
	r.Name, r.On, r.Do, r.Text = "ours", []string{"mail.Send"}, rules.Block, "mail goes to example.com only, not to {to}"
	return func(p *guard.Policy) { p.Rules = []rules.Rule{r} }
}

// TestDenials: what a refusal says to a model, as text and in JSON: the reason, what it may do instead, and whether calling
// again helps.
func TestDenials(t *testing.T) {
	members := []decide.Member{{
		Name: "mail.Send", Package: "mail", Params: []string{"to"}, Types: []reflect.Type{reflect.TypeFor[string]()},
		Attributes: decide.Attributes{Risk: decide.High, Requires: []string{"mail.send"}, Class: decide.Internal, Cost: 3},
	}, {Name: "web.Get", Package: "web"}}
	var b strings.Builder
	covered := map[decide.Code]bool{}
	for i, tc := range denials {
		p := &guard.Policy{
			MaxRisk: decide.High, Permissions: []string{"mail.send"}, Default: guard.AllowByDefault, MaxClass: decide.Internal, Budget: guard.NewBudget(1000),
		}
		tc.change(p)
		g := newGated(t, p, members...)
		var err error
		for range tc.calls {
			if err != nil {
				t.Errorf("%d: %v, before the last call", i, err)
			}
			_, err = g.Call(t.Context(), "mail.Send", "script.go:1", []reflect.Value{reflect.ValueOf("eve@evil.com")}, func() []reflect.Value { return []reflect.Value{} })
		}
		denied, ok := err.(*decide.Denied)
		if !ok || denied.Code != tc.code {
			t.Errorf("%d: %v, want %s", i, err, tc.code)
			continue
		}
		if denied.Hint == "" {
			t.Errorf("%d: %v has no hint", i, err)
		}
		covered[tc.code] = true
		text, _ := json.Marshal(denied)
		b.WriteString(denied.Error() + "\n\t" + string(text) + "\n")
	}
	for _, code := range decide.Codes() {
		if !covered[code] {
			t.Errorf("nothing is refused with %s", code)
		}
	}
	const file = "testdata/denials.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v, got\n%s", err, b.String())
	}
}
