package durable

import (
	"errors"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
)

// gateOf makes the gate of a policy, nil if nothing is to be decided.
func gateOf(p *sandtrap.Policy) (decide.Gate, error) {
	guard := p.Guard
	if guard == nil {
		guard = guarded.Closed{}
	}
	list, err := guarded.Describe(p.Funcs, "", "", parts)
	for i := range p.Packages {
		of, wrong := guarded.Describe(p.Packages[i].Members, p.Packages[i].Path+".", p.Packages[i].Path, parts)
		list, err = append(list, of...), errors.Join(err, wrong)
	}
	if err != nil {
		return nil, policyError("Funcs and Packages", "%v", err)
	}
	if p.Files != nil {
		list = append(list, guarded.Files()...)
	}
	gate, err := guard.Compile(list)
	if err != nil {
		return nil, policyError("Guard", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return gate, nil
}

// parts are what a guard wants to know of a member.
func parts(value any) (fn any, params []string, a *decide.Attributes) {
	m, special := value.(sandtrap.Member)
	if !special {
		m.Value = value
	}
	if f, ok := m.Value.(builtins.Function); ok {
		m.Value = f.Fn
	}
	return m.Value, m.Params, &decide.Attributes{Risk: m.Risk, Requires: m.Requires, Class: m.Class, Cost: m.Cost, Rate: m.Rate}
}

// behind is the Guard of a policy whose functions ask its gate behind their journal: a call that is repeated is not decided
// again.
type behind struct{ gate decide.Gate }

func (b behind) Compile([]decide.Member) (decide.Gate, error) { return journalledGate{b.gate}, nil }

// A journalledGate is asked by sandtrap about files only.
type journalledGate struct{ decide.Gate }

func (g journalledGate) Guards(member string) (guards, asks bool) {
	guards, asks = g.Gate.Guards(member)
	return guards && guarded.IsFile(member), asks
}
