package durable

import (
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
	list := functions(p.Funcs, "", "")
	for i := range p.Packages {
		list = append(list, functions(p.Packages[i].Members, p.Packages[i].Path+".", p.Packages[i].Path)...)
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

// functions are those among members, as a guard sees them.
func functions(members map[string]any, prefix, pkg string) (list []decide.Member) {
	for name, value := range members {
		m, special := value.(sandtrap.Member)
		if !special {
			m.Value = value
		}
		fn := m.Value
		if f, ok := fn.(builtins.Function); ok {
			fn = f.Fn
		}
		a := decide.Attributes{Risk: m.Risk, Requires: m.Requires, Class: m.Class, Cost: m.Cost, Rate: m.Rate}
		if of, ok := guarded.Member(prefix+name, pkg, fn, m.Params, a); ok {
			list = append(list, of)
		}
	}
	return list
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
