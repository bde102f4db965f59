package guard

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// Compile makes the gate of a plan with these members. It is for package sandtrap, which calls it in Compile. The errors
// name fields of the Policy, and the nearest names of members.
func (p *Policy) Compile(members []decide.Member) (decide.Gate, error) {
	g := &gate{members: map[string]decide.Member{}, behind: map[string]bool{}}
	var bad []error
	for _, m := range members {
		g.members[m.Name] = m
		if !m.Risk.Valid() || !m.Class.Valid() || m.Cost < 0 || m.Rate < 0 {
			bad = append(bad, fmt.Errorf("%s: Risk %v, Class %v, Cost %d, Rate %d: a level is unknown, or a number negative", m.Name, m.Risk, m.Class, m.Cost, m.Rate))
		}
	}
	l, err := g.layer(p, true)
	if bad = append(bad, err); errors.Join(bad...) != nil {
		return nil, errors.Join(bad...)
	}
	for name, b := range l.members {
		g.behind[name] = !b.quiet(l)
	}
	g.stack.Store(new(stack).with(l))
	return g, nil
}

// A layer is a Policy, compiled for the members of a gate. All layers of a gate have to allow a call.
type layer struct {
	policy  Policy
	members map[string]*bound
	rules   *rules.Set
}

// A bound is what a layer says of a member, whatever its arguments are.
type bound struct {
	refused *decide.Denied // each call
	ask     string         // why each call needs approval; empty if none does
	grant   string         // why it is open
	rules   *rules.Program // nil if none is about it
	rates   []*rate
	cost    int64
}

// quiet reports that there is nothing to decide.
func (b *bound) quiet(l *layer) bool {
	return b.refused == nil && b.ask == "" && b.rules == nil && len(b.rates) == 0 && b.cost == 0 && l.policy.Decider == nil && l.policy.Record == nil
}

// layer compiles p. A first one refuses what it does not mention; others refuse what they mention.
func (g *gate) layer(p *Policy, first bool) (*layer, error) {
	l := &layer{policy: p.copied(), members: map[string]*bound{}}
	names := slices.Sorted(maps.Keys(g.members))
	if err := l.policy.check(names, g.packages()); err != nil {
		return nil, err
	}
	var err error
	if l.rules, err = rules.Compile(l.policy.Rules, g.ruled()); err != nil {
		return nil, fault("Rules", "%w", err)
	}
	rates := map[string]*rate{}
	for pattern, limit := range l.policy.Rates {
		rates[pattern] = &rate{pattern: pattern, limit: limit}
	}
	for _, name := range names {
		m := g.members[name]
		b := &bound{}
		b.refused, b.rules = l.refusal(&m, b, first), l.rules.For(name)
		for _, pattern := range slices.Sorted(maps.Keys(rates)) {
			if fits(pattern, name) {
				b.rates = append(b.rates, rates[pattern])
			}
		}
		if first && m.Rate > 0 {
			b.rates = append(b.rates, &rate{pattern: name, limit: m.Rate, ofMember: true})
		}
		if first || l.policy.Budget != nil {
			b.cost = m.Cost
		}
		l.members[name] = b
	}
	return l, nil
}

// ruled are the members for rules.
func (g *gate) ruled() (list []rules.Member) {
	for _, name := range slices.Sorted(maps.Keys(g.members)) {
		m := g.members[name]
		list = append(list, rules.Member{Name: name, Params: m.Params, Types: m.Types, Results: m.Results, Variadic: m.Variadic})
	}
	return list
}

// copied is p with lists of its own.
func (p *Policy) copied() Policy {
	c := *p
	c.Packages, c.Hidden, c.Permissions = slices.Clone(c.Packages), slices.Clone(c.Hidden), slices.Clone(c.Permissions)
	c.Deny, c.Ask, c.Grants = slices.Clone(c.Deny), slices.Clone(c.Ask), slices.Clone(c.Grants)
	c.Rates, c.Rules = maps.Clone(c.Rates), slices.Clone(c.Rules)
	if c.AskTimeout == 0 {
		c.AskTimeout = defaultAskTimeout
	}
	if c.DecideTimeout == 0 {
		c.DecideTimeout = defaultDecideTimeout
	}
	return c
}

// beside is p as a tightening of layers, of which one may have been made from the same policy: what a call costs is spent once,
// and what is recorded is written once.
func (p *Policy) beside(layers []*layer) *Policy {
	c := *p
	for _, l := range layers {
		if c.Budget == l.policy.Budget {
			c.Budget = nil
		}
		if same(c.Record, l.policy.Record) && (c.RecordMayFail || !l.policy.RecordMayFail) {
			c.Record = nil
		}
	}
	return &c
}

// same reports that both are one thing.
func same(a, b any) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	return v.IsValid() && w.IsValid() && v.Comparable() && w.Comparable() && a == b
}

// check looks for what is wrong in p, for members and packages of these names.
func (p *Policy) check(names, packages []string) error {
	var bad []error
	all := func(field string, patterns, names []string) {
		for _, pattern := range patterns {
			bad = append(bad, unfit(field, pattern, names))
		}
	}
	all("Packages", p.Packages, packages)
	all("Hidden", p.Hidden, names)
	all("Deny", p.Deny, names)
	all("Ask", p.Ask, names)
	all("Rates", slices.Sorted(maps.Keys(p.Rates)), names)
	for _, grant := range p.Grants {
		all("Grants", grant.Members, names)
		if len(grant.Members) == 0 {
			bad = append(bad, fault("Grants", `one has no members; "*" is all of them`))
		}
	}
	for pattern, n := range p.Rates {
		if n < 0 {
			bad = append(bad, fault("Rates", "%s: %d is negative", pattern, n))
		}
	}
	if !p.MaxRisk.Valid() || !p.MaxClass.Valid() {
		bad = append(bad, fault("MaxRisk and MaxClass", "%v, %v: a level is unknown", p.MaxRisk, p.MaxClass))
	}
	if !slices.Contains([]Default{"", AskByDefault, AllowByDefault, DenyByDefault}, p.Default) {
		bad = append(bad, fault("Default", "%q is none of ask, allow and deny", p.Default))
	}
	if p.AskTimeout < 0 || p.AskTimeout > longestAskTimeout {
		bad = append(bad, fault("AskTimeout", "%v is not between 0 and %v", p.AskTimeout, longestAskTimeout))
	}
	if p.DecideTimeout < 0 || p.DecideTimeout > time.Minute {
		bad = append(bad, fault("DecideTimeout", "%v is not between 0 and a minute", p.DecideTimeout))
	}
	return errors.Join(bad...)
}

// fault is an error about a field.
func fault(field, format string, args ...any) error {
	return fmt.Errorf("%s: %w", field, fmt.Errorf(format, args...))
}

// refusal is why a layer refuses all calls of m, as far as that depends on no arguments; else b gets what has to be asked.
func (l *layer) refusal(m *decide.Member, b *bound, first bool) *decide.Denied {
	p := &l.policy
	no := func(code decide.Code, hint, format string, args ...any) *decide.Denied {
		return &decide.Denied{Code: code, Member: m.Name, Reason: fmt.Sprintf(format, args...), Hint: hint}
	}
	grant := p.grant(m.Name)
	if grant != nil {
		b.grant = grant.Reason
	}
	_, hidden := fitting(p.Hidden, m.Name)
	_, listed := fitting(p.Packages, m.Package)
	switch {
	case p.Inactive:
		return no(decide.Inactive, hintInactive, "the policy is not active")
	case p.Packages != nil && m.Package != "" && !listed:
		hint := hintNever
		if len(p.Packages) > 0 {
			hint = hintAgain + "packages that are listed: " + strings.Join(p.Packages, ", ")
		}
		return no(decide.Package, hint, "its package is not listed")
	case hidden:
		return no(decide.Hidden, hintNever, "it is not for scripts")
	case m.Risk > p.MaxRisk && grant == nil && (first || p.MaxRisk != decide.NoRisk):
		if p.MaxRisk == decide.NoRisk {
			return no(decide.RiskTooHigh, hintAgain+"use functions that have no risk", "its risk is %v, and the policy allows no risk", m.Risk)
		}
		return no(decide.RiskTooHigh, hintAgain+"use functions with less risk", "its risk is %v, and the policy allows %v at most", m.Risk, p.MaxRisk)
	}
	if lacks := p.lacks(m.Requires, first); len(lacks) > 0 {
		return no(decide.Permissions, hintNever, "it requires the permission %s, which the policy does not give", strings.Join(lacks, ", "))
	}
	if why := p.listed(m, b, grant != nil, first); why != "" {
		return no(decide.PolicyRefuses, hintNever, "%s", why)
	}
	if m.Class > p.MaxClass && (first || p.MaxClass != decide.NoClass) {
		if p.MaxClass == decide.NoClass {
			return no(decide.Classification, hintNever, "it handles %v data, and the policy allows no class of data", m.Class)
		}
		return no(decide.Classification, hintAgain+fmt.Sprintf("use functions that handle %v data", p.MaxClass), "it handles %v data, and the policy allows %v at most", m.Class, p.MaxClass)
	}
	return nil
}

// grant is the first grant of the member.
func (p *Policy) grant(name string) *Grant {
	for i := range p.Grants {
		if _, ok := fitting(p.Grants[i].Members, name); ok {
			return &p.Grants[i]
		}
	}
	return nil
}

// lacks are the permissions that are required and not given.
func (p *Policy) lacks(required []string, first bool) (list []string) {
	if !first && p.Permissions == nil {
		return nil
	}
	for _, r := range required {
		if !slices.Contains(p.Permissions, r) {
			list = append(list, r)
		}
	}
	return list
}

// listed is why the lists refuse the member, or empty; b gets why they want it approved.
func (p *Policy) listed(m *decide.Member, b *bound, granted, first bool) string {
	if pattern, ok := fitting(p.Deny, m.Name); ok {
		return "the policy denies " + pattern
	}
	if pattern, ok := fitting(p.Ask, m.Name); ok {
		b.ask = "the policy wants approval for " + pattern
	} else if !granted && m.Risk != decide.NoRisk && (first || p.Default != "") {
		switch p.Default {
		case AllowByDefault:
		case DenyByDefault:
			return "nothing grants it, and it has a risk"
		default:
			b.ask = "its risk is " + m.Risk.String()
		}
	}
	if b.ask != "" && first && p.Approver == nil {
		return b.ask + ", and nobody is there to be asked"
	}
	return ""
}
