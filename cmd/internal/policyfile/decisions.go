package policyfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A Decision is how calls of a member are decided, as far as that does not depend on their arguments.
type Decision struct {
	Member decide.Member
	Does   string // allow, ask or deny
	Code   decide.Code
	Reason string   // of ask and deny
	Rules  []string // that look at its arguments
}

// Decisions are those about the members that the guard was compiled for, by name, without operations on files that nothing
// decides about.
func (g *Guard) Decisions() (list []Decision, err error) {
	gate, err := g.Policy.Compile(g.Known)
	if err != nil {
		return nil, err
	}
	ruleless := g.Policy
	ruleless.Rules = nil
	without, err := ruleless.Compile(g.Known)
	if err != nil {
		return nil, err
	}
	for _, m := range g.Known {
		if guarded, _ := gate.Guards(m.Name); !guarded && !isFunction(m) {
			continue
		}
		d := Decision{Member: m, Does: "allow", Rules: g.rulesOf(m)}
		if _, asks := without.Guards(m.Name); asks {
			d.Does = "ask"
		}
		if no := gate.Closed(m.Name); no != nil {
			d.Does, d.Code, d.Reason = "deny", no.Code, no.Reason
		} else if m.Cost > 0 && g.Budget == nil {
			d.Does, d.Code, d.Reason = "deny", decide.BudgetSpent, fmt.Sprintf("it costs %d, and there is no budget", m.Cost)
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Decision) int { return strings.Compare(a.Member.Name, b.Member.Name) })
	return list, nil
}

// GuardsFiles reports that the guard decides about operations on files.
func (g *Guard) GuardsFiles() bool {
	gate, err := g.Policy.Compile(g.Known)
	if err != nil {
		return false
	}
	for _, m := range g.Known {
		if guarded, _ := gate.Guards(m.Name); guarded && !isFunction(m) {
			return true
		}
	}
	return false
}

// Asks reports that a call of a function, an operation on files or a request may need approval.
func (g *Guard) Asks() bool {
	gate, err := g.Policy.Compile(g.Known)
	if err != nil {
		return true
	}
	for _, m := range g.Known {
		if _, asks := gate.Guards(m.Name); asks {
			return true
		}
	}
	return false
}

// NeedsState reports that rules of the guard may let a call pass, or not ask about it, if earlier calls of its session are forgotten.
func (g *Guard) NeedsState() bool {
	set, err := rules.Compile(g.Rules, g.ruled())
	return err != nil || set.NeedsState()
}

// rulesOf are the rules about a member, by name.
func (g *Guard) rulesOf(m decide.Member) (names []string) {
	for _, r := range g.Rules {
		r.When, r.Match, r.NoMatch = nil, nil, nil // they may need the state of other rules
		set, err := rules.Compile([]rules.Rule{r}, g.ruled())
		if err == nil && set.For(m.Name) != nil {
			names = append(names, cmp.Or(r.Name, r.Use))
		}
	}
	return names
}

func (g *Guard) ruled() (list []rules.Member) {
	for _, m := range g.Known {
		list = append(list, rules.Member{Name: m.Name, Params: m.Params, Types: m.Types, Results: m.Results, Variadic: m.Variadic})
	}
	return list
}
