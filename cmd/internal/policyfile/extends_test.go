package policyfile

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestExtends: a file sets what it names; what refuses or asks in the other one stays.
func TestExtends(t *testing.T) {
	f, err := read(t, `
extends: base.yaml
limits: {memory: 64MiB}
members: {pay: {cost: 3}}
guard:
  max_risk: high
  permissions: [b]
  hidden: [h2]
  deny: [d2]
  ask: [a2]
  rates: {two: 2}
  rules:
  - {name: second, on: [x], do: warn, text: mine}
  - {name: third, on: [x], do: warn, text: mine}
`, "base.yaml", `
limits: {timeout: 1s}
members: {pay: {risk: low}}
guard:
  max_risk: low
  max_class: public
  permissions: [a]
  hidden: [h1]
  deny: [d1]
  ask: [a1]
  rates: {one: 1}
  rules:
  - {name: first, on: [x], do: block, text: base}
  - {name: second, on: [x], do: block, text: base}
`)
	if err != nil {
		t.Fatal(err)
	}
	rule := func(name, text string, do rules.Action) rules.Rule {
		return rules.Rule{Name: name, On: []string{"x"}, Do: do, Text: text}
	}
	want := guard.Policy{
		MaxRisk: decide.High, MaxClass: decide.Public, Permissions: []string{"b"},
		Hidden: []string{"h1", "h2"}, Deny: []string{"d1", "d2"}, Ask: []string{"a1", "a2"}, Rates: map[string]int{"one": 1, "two": 2},
		Rules: []rules.Rule{rule("first", "base", rules.Block), rule("second", "mine", rules.Warn), rule("third", "mine", rules.Warn)},
	}
	if d := cmp.Diff(want, *f.Guard); d != "" {
		t.Error(d)
	}
	if l := f.Policy.Limits; l.Timeout != time.Second || l.Memory != 64<<20 || l.Output != Default().Limits.Output {
		t.Errorf("limits are %+v", l)
	}
	if d := cmp.Diff([]Member{{"pay", decide.Attributes{Risk: decide.Low, Cost: 3}}}, f.Members); d != "" {
		t.Error(d)
	}
	for key, at := range map[string]Place{
		"limits.timeout": {"base.yaml", 2}, "limits.memory": {"p.yaml", 3}, "limits.output": {"default", 0},
		"guard.deny d1": {"base.yaml", 9}, "guard.deny d2": {"p.yaml", 9},
	} {
		if got := f.From(key); got != at {
			t.Errorf("%s comes from %v, want %v", key, got, at)
		}
	}
}
