package dryruntest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A decider is a policy engine of a host.
type decider func(c decide.Call) decide.Ruling

func (d decider) Decide(_ context.Context, c decide.Call) (decide.Ruling, error) { return d(c), nil }

// TestDecisions: a report says of each call how it is decided, and why.
func TestDecisions(t *testing.T) {
	risky := find(t)
	risky.Risk = decide.High
	never := approver(func(r decide.Request) { t.Errorf("somebody is asked about %s", r.Member) })
	rule := func(r rules.Rule) *guard.Policy {
		r.Name, r.On = "mine", []string{"find"}
		return &guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Approver: never, Rules: []rules.Rule{r}}
	}
	for name, tc := range map[string]struct {
		guard decide.Guard
		want  dryrun.Call
	}{
		"no guard":  {nil, dryrun.Call{Decision: record.Deny, Code: decide.RiskTooHigh, Why: "it declares a risk, and its policy has no Guard: it is closed"}},
		"risk":      {&guard.Policy{Approver: never}, dryrun.Call{Decision: record.Deny, Code: decide.RiskTooHigh, Why: "its risk is high, and the policy allows no risk"}},
		"ask":       {&guard.Policy{MaxRisk: decide.High, Approver: never}, dryrun.Call{Decision: record.Ask, Why: "its risk is high", Answer: dryrun.FromZero}},
		"nobody":    {&guard.Policy{MaxRisk: decide.High}, dryrun.Call{Decision: record.Deny, Code: decide.PolicyRefuses, Why: "its risk is high, and nobody is there to be asked"}},
		"grant":     {&guard.Policy{Grants: []guard.Grant{{Members: []string{"find"}}}}, dryrun.Call{Decision: record.Allow, Answer: dryrun.FromZero}},
		"rule":      {rule(rules.Rule{Do: rules.Block, Text: "not {key}"}), dryrun.Call{Decision: record.Deny, Code: decide.RuleBlocks, Rule: "mine", Why: `not "a"`}},
		"rule asks": {rule(rules.Rule{Do: rules.Ask, Text: "really {key}"}), dryrun.Call{Decision: record.Ask, Rule: "mine", Why: `really "a"`, Answer: dryrun.FromZero}},
		"withheld":  {rule(rules.Rule{Do: rules.Block, After: true, Text: "secret"}), dryrun.Call{Decision: record.Allow, Withheld: "secret", Answer: dryrun.FromZero}},
		"two": {func() decide.Guard {
			p := rule(rules.Rule{Do: rules.Ask, Text: "really"})
			p.Ask = []string{"find"}
			return p
		}(), dryrun.Call{Decision: record.Ask, Rule: "mine", Why: "the policy wants approval for find; really", Answer: dryrun.FromZero}},
		"decider asks": {&guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Approver: never, Decider: decider(func(c decide.Call) decide.Ruling {
			return decide.Ruling{Allow: true, Ask: true, Reason: "odd " + string(c.Args)}
		})}, dryrun.Call{Decision: record.Ask, Why: `odd {"key":"a"}`, Answer: dryrun.FromZero}},
		"decider denies": {&guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Decider: decider(func(decide.Call) decide.Ruling {
			return decide.Ruling{Reason: "no"}
		})}, dryrun.Call{Decision: record.Deny, Code: decide.PolicyRefuses, Why: "no"}},
	} {
		p := rig.Pure()
		p.Funcs, p.Guard = map[string]any{"find": risky}, tc.guard
		rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: "\n" + `_, err := find("a"); fmt.Print(err)`}, dryrun.Options{})
		if err != nil || len(rep.Calls) != 1 {
			t.Fatalf("%s: %v, %v", name, rep.Calls, err)
		}
		got := rep.Calls[0]
		if got.N != 1 || got.Name != "find" || string(got.Args) != `{"key":"a"}` || got.At != "script.go:2" {
			t.Errorf("%s: %+v", name, got)
		}
		if got.N, got.Name, got.Args, got.At = 0, "", nil, ""; got.Decision != tc.want.Decision || got.Code != tc.want.Code || got.Rule != tc.want.Rule || got.Why != tc.want.Why || got.Withheld != tc.want.Withheld || got.Answer != tc.want.Answer {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
		if refused := rep.Result.Stdout != "<nil>"; refused != (tc.want.Decision == record.Deny || tc.want.Withheld != "") {
			t.Errorf("%s: the script gets %s", name, rep.Result.Stdout)
		}
	}
}

// TestLeftBehind: a call that goes on after its run changes nothing in the report.
func TestLeftBehind(t *testing.T) {
	p := rig.Pure()
	p.Limits.Timeout = 50 * time.Millisecond
	p.Funcs = map[string]any{"wait": sandtrap.Member{Value: func() error { return nil }, Blocking: true}}
	over, done := make(chan bool), make(chan bool)
	rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `wait()`}, dryrun.Options{Stubs: map[string]any{"wait": func() error {
		defer close(done)
		<-over
		return nil
	}}})
	if !errors.Is(err, sandtrap.KindTimeout) || len(rep.Calls) != 1 || rep.Calls[0].Answer != "" {
		t.Errorf("%v %v", rep.Calls, err)
	}
	text := rep.String()
	close(over)
	<-done
	time.Sleep(10 * time.Millisecond)
	if now := rep.String(); now != text || rep.Calls[0].Answer != "" || !strings.Contains(text, "wait({}) at script.go:1\n") {
		t.Errorf("%s\n%s", text, now)
	}
}
