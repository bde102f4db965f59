package guard_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// opening are the fields of a policy that open. All others only refuse; what they would not, AskTimeout and DecideTimeout, is
// about time, which these tests do not spend.
var opening = []string{"MaxRisk", "Permissions", "Grants", "Default", "MaxClass", "Budget", "Counts", "Approver", "RecordMayFail"}

// maker makes random members and policies.
type maker struct{ *rand.Rand }

func (m maker) members() (list []decide.Member) {
	for i := range 1 + m.IntN(6) {
		one := decide.Member{Name: fmt.Sprint("f", i), Params: []string{"n"}, Types: []reflect.Type{reflect.TypeFor[int]()}}
		if m.IntN(2) == 0 {
			one.Package = []string{"a", "b/c"}[m.IntN(2)]
			one.Name = one.Package + "." + one.Name
		}
		if m.IntN(2) == 0 {
			one.Risk = decide.Risk(m.IntN(5))
		}
		if m.IntN(4) == 0 {
			one.Requires = []string{"p", "q"}[:1+m.IntN(2)]
		}
		if m.IntN(4) == 0 {
			one.Class = decide.Class(m.IntN(5))
		}
		if m.IntN(4) == 0 {
			one.Cost = m.Int64N(4)
		}
		if m.IntN(4) == 0 {
			one.Rate = m.IntN(3)
		}
		list = append(list, one)
	}
	return list
}

// names is a list of patterns that fit members.
func (m maker) names(members []decide.Member) (list []string) {
	for range 1 + m.IntN(3) {
		name := members[m.IntN(len(members))].Name
		list = append(list, [...]string{name, name, name[:1] + "*", "*"}[m.IntN(4)])
	}
	return list
}

// fields set a field of a policy to something that is not zero.
var fields = map[string]func(m maker, p *guard.Policy, members []decide.Member){
	"Inactive": func(_ maker, p *guard.Policy, _ []decide.Member) { p.Inactive = true },
	"Packages": func(m maker, p *guard.Policy, members []decide.Member) {
		p.Packages = []string{}
		for _, member := range members {
			if member.Package != "" && m.IntN(2) == 0 {
				p.Packages = append(p.Packages, member.Package)
			}
		}
	},
	"Hidden":      func(m maker, p *guard.Policy, members []decide.Member) { p.Hidden = m.names(members) },
	"MaxRisk":     func(m maker, p *guard.Policy, _ []decide.Member) { p.MaxRisk = decide.Risk(1 + m.IntN(4)) },
	"Permissions": func(m maker, p *guard.Policy, _ []decide.Member) { p.Permissions = []string{"p", "q"}[:m.IntN(3)] },
	"Deny":        func(m maker, p *guard.Policy, members []decide.Member) { p.Deny = m.names(members) },
	"Ask":         func(m maker, p *guard.Policy, members []decide.Member) { p.Ask = m.names(members) },
	"Grants": func(m maker, p *guard.Policy, members []decide.Member) {
		p.Grants = []guard.Grant{{Members: m.names(members)}}
	},
	"Default": func(m maker, p *guard.Policy, _ []decide.Member) {
		p.Default = []guard.Default{guard.AskByDefault, guard.AllowByDefault, guard.DenyByDefault}[m.IntN(3)]
	},
	"MaxClass": func(m maker, p *guard.Policy, _ []decide.Member) { p.MaxClass = decide.Class(1 + m.IntN(4)) },
	"Rules": func(m maker, p *guard.Policy, members []decide.Member) {
		least := m.IntN(4)
		p.Rules = []rules.Rule{{Name: "r", On: m.names(members), When: []rules.Condition{{Param: "n", Range: &rules.Range{Min: least}}},
			Do: []rules.Action{rules.Block, rules.Ask, rules.Warn, rules.Remind}[m.IntN(4)]}}
	},
	"Rates": func(m maker, p *guard.Policy, members []decide.Member) {
		p.Rates = map[string]int{m.names(members)[0]: m.IntN(4)}
	},
	"Budget": func(m maker, p *guard.Policy, _ []decide.Member) { p.Budget = guard.NewBudget(m.Int64N(8)) },
	"Counts": func(_ maker, p *guard.Policy, _ []decide.Member) {
		c := new(guard.Counts)
		p.Counts = func(decide.Subject) *guard.Counts { return c }
	},
	"Approver": func(m maker, p *guard.Policy, _ []decide.Member) { p.Approver = m.approver() },
	"Decider": func(m maker, p *guard.Policy, _ []decide.Member) {
		ruling := decide.Ruling{Allow: m.IntN(3) > 0, Ask: m.IntN(2) == 0}
		p.Decider = decider(func(decide.Call) decide.Ruling { return ruling })
	},
	"Record": func(m maker, p *guard.Policy, _ []decide.Member) {
		var err error
		if m.IntN(3) == 0 {
			err = errors.New("full")
		}
		p.Record = &sink{func(record.Event) error { return err }}
	},
	"RecordMayFail": func(_ maker, p *guard.Policy, _ []decide.Member) { p.RecordMayFail = true },
}

// approver says yes to all, and perhaps for always, or no.
func (m maker) approver() *approver {
	answer := decide.Answer{Verdict: []decide.Verdict{decide.Approve, decide.Approve, decide.Deny}[m.IntN(3)], Always: m.IntN(2) == 0}
	return &approver{func(decide.Request) decide.Answer { return answer }}
}

// policy has some fields set, those that open more often.
func (m maker) policy(members []decide.Member) *guard.Policy {
	p := &guard.Policy{}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if often := slices.Contains(opening, name); often && m.IntN(4) > 0 || m.IntN(6) == 0 {
			fields[name](m, p, members)
		}
	}
	return p
}

// first reports for each member whether a call of it is made, the first one under a policy that is made anew for it.
func first(t *testing.T, make func() (*guard.Policy, []decide.Member)) (made []bool) {
	_, members := make()
	for i := range members {
		p, members := make()
		g := newGated(t, p, members...)
		made = append(made, g.call(members[i].Name, i) == "" && g.stopped == "")
	}
	return made
}

// TestFieldsNarrow: a field that does not open, set in a random policy that did not have it, allows no call that was refused.
// Only Ask opens, with approval, where the Default is to deny, as its comment says.
func TestFieldsNarrow(t *testing.T) {
	for f := range reflect.TypeFor[guard.Policy]().Fields() {
		if fields[f.Name] == nil && !strings.HasSuffix(f.Name, "Timeout") {
			t.Errorf("the test sets no %s", f.Name)
		}
	}
	tried, narrowed := map[string]int{}, map[string]int{}
	synctest.Test(t, func(t *testing.T) { // a wait for approval takes no time
		for seed := range uint64(400) {
			random := func() (maker, *guard.Policy, []decide.Member) {
				m := maker{rand.New(rand.NewPCG(seed, 1))}
				members := m.members()
				return m, m.policy(members), members
			}
			before := first(t, func() (*guard.Policy, []decide.Member) { _, p, members := random(); return p, members })
			for name, set := range fields {
				_, p, members := random()
				if slices.Contains(opening, name) || !reflect.ValueOf(p).Elem().FieldByName(name).IsZero() || name == "Ask" && p.Default == guard.DenyByDefault {
					continue
				}
				tried[name]++
				after := first(t, func() (*guard.Policy, []decide.Member) {
					m, p, members := random()
					set(m, p, members)
					return p, members
				})
				for i := range after {
					if after[i] && !before[i] {
						t.Fatalf("seed %d: with %s a call of %s is made", seed, name, members[i].Name)
					}
					if !after[i] && before[i] {
						narrowed[name]++
					}
				}
			}
		}
	})
	for name := range fields {
		if !slices.Contains(opening, name) && (tried[name] < 100 || narrowed[name] < 10) {
			t.Errorf("%s was tried %d times, and refused %d calls: the test shows nothing", name, tried[name], narrowed[name])
		}
	}
}

// TestTightenNarrows: whatever is called after tightenings by random policies could have been called without each of them.
func TestTightenNarrows(t *testing.T) {
	calls, narrowed := 0, 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(1000) {
			before := tightened(t, seed, 0)
			for n := 1; n <= 3; n++ {
				after := tightened(t, seed, n)
				for i := range after {
					calls++
					if after[i] && !before[i] {
						t.Fatalf("seed %d: a call of member %d is made after %d tightenings, and not after %d", seed, i, n, n-1)
					}
					if !after[i] && before[i] {
						narrowed++
					}
				}
				before = after
			}
		}
	})
	if narrowed < calls/50 {
		t.Errorf("%d of %d calls were refused: the test shows nothing", narrowed, calls)
	}
}

// tightened reports for each member whether its first call is made by a run whose gate is tightened n times after it began.
func tightened(t *testing.T, seed uint64, n int) (made []bool) {
	m := maker{rand.New(rand.NewPCG(seed, 2))}
	for i := range m.members() {
		m := maker{rand.New(rand.NewPCG(seed, 2))}
		members := m.members()
		p := m.policy(members)
		if p.Record == nil { // so that all calls are decided
			p.Record = &sink{func(record.Event) error { return nil }}
		}
		g := newGated(t, p, members...)
		for range n {
			g.tighten(m.policy(members))
		}
		made = append(made, g.call(members[i].Name, i) == "" && g.stopped == "")
	}
	return made
}
