package tighten

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Apply narrows the policy under which the runs were recorded to what they have used. It opens nothing that p closes. Packages of
// the host are kept with the members that were used; an Object of one is kept whole. The Guard of p is a *guard.Policy or nil, and
// the result has no Record. A Budget is a new one, of what the runs have cost.
func (s *Suggestion) Apply(p sandtrap.Policy) (sandtrap.Policy, error) {
	var g guard.Policy
	switch own := p.Guard.(type) {
	case nil:
	case *guard.Policy:
		g = *own
	default:
		return p, fmt.Errorf("tighten: the Guard is a %T, which has no lists to narrow", own)
	}
	s.narrow(&g, risks(&p))
	p.Std = s.Std
	p.Funcs = maps.Clone(p.Funcs)
	maps.DeleteFunc(p.Funcs, func(name string, _ any) bool { return !s.uses("", name) })
	p.Packages = slices.Clone(p.Packages)
	for i := range p.Packages {
		pkg := &p.Packages[i]
		pkg.Members = maps.Clone(pkg.Members)
		maps.DeleteFunc(pkg.Members, func(name string, _ any) bool { return !s.uses(pkg.Path, name) })
	}
	p.Packages = slices.DeleteFunc(p.Packages, func(pkg sandtrap.Package) bool { return !s.uses(pkg.Path, "") })
	p.Docs = maps.Clone(p.Docs)
	maps.DeleteFunc(p.Docs, func(name string, _ string) bool { return !s.uses("", strings.SplitN(name, ".", 2)[0]) })
	if !s.Files {
		p.Files = nil
	}
	if !s.Env {
		p.Env = nil
	}
	if s.Requests == 0 {
		p.Network = nil
	}
	s.narrowLimits(&p.Limits)
	if p.Guard != nil || s.Files || len(s.Rates) > 0 {
		p.Guard = &g
	}
	return p, nil
}

// uses reports that a member of the host was used, or one of its methods or fields; an empty name is any of the package.
func (s *Suggestion) uses(path, name string) bool {
	return slices.ContainsFunc(s.Members, func(member string) bool {
		of, rest := split(member)
		if path != "" && name == "" {
			return of == path
		}
		if first, _, _ := strings.Cut(member, "."); path == "" {
			return first == name
		}
		return of == path && isOf(rest, name)
	})
}

// The limits of a policy that does not set them; see sandtrap.Limits.
const (
	defaultTimeout = 30 * time.Second
	defaultMemory  = 512 << 20
)

func (s *Suggestion) narrowLimits(l *sandtrap.Limits) {
	least := func(have *int64, otherwise, used int64) {
		if *have == 0 {
			*have = otherwise
		}
		if *have == 0 || used < *have {
			*have = used
		}
	}
	least((*int64)(&l.Timeout), int64(defaultTimeout), int64(s.Timeout))
	least(&l.Memory, defaultMemory, s.Memory)
	least(&l.Ticks, 0, s.Ticks)
	least(&l.Output, 0, s.Output)
	l.Artifacts = min(l.Artifacts, s.Artifacts)
}

// risks are those of the functions of p, by the names of members.
func risks(p *sandtrap.Policy) map[string]decide.Risk {
	all := map[string]decide.Risk{}
	add := func(prefix string, members map[string]any) {
		for name, value := range members {
			if m, ok := value.(sandtrap.Member); ok {
				all[prefix+name] = m.Risk
			}
		}
	}
	add("", p.Funcs)
	for _, pkg := range p.Packages {
		add(pkg.Path+".", pkg.Members)
	}
	return all
}

// opens reports that g lets a member be called, at least with approval where it was asked for.
func (s *Suggestion) opens(g *guard.Policy, name string, risk decide.Risk) bool {
	return slices.ContainsFunc(g.Grants, func(grant guard.Grant) bool { return fit(grant.Members, name) }) ||
		risk <= g.MaxRisk && (g.Default == guard.AllowByDefault || slices.Contains(s.Asked, name))
}

// fit reports that one of the patterns is about a member.
func fit(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		start, open := strings.CutSuffix(pattern, "*")
		return pattern == name || open && strings.HasPrefix(name, start)
	})
}

// left are the patterns that are about members which are left: a guard refuses others.
func (s *Suggestion) left(patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool {
		about := func(name string) bool { return fit([]string{pattern}, name) }
		if s.Files {
			for _, op := range vfs.Ops() {
				if about(filePrefix + string(op)) {
					return false
				}
			}
		}
		return !slices.ContainsFunc(s.Members, about) && !(s.Requests > 0 && about(requestMember))
	})
}

// narrow has g refuse what was not used.
func (s *Suggestion) narrow(g *guard.Policy, risk map[string]decide.Risk) {
	granted := slices.DeleteFunc(slices.Clone(s.Grants), func(name string) bool { return !s.opens(g, name, risk[name]) })
	given := slices.DeleteFunc(slices.Clone(s.Permissions), func(p string) bool { return !slices.Contains(g.Permissions, p) })
	g.MaxRisk, g.Default, g.Grants, g.Permissions = decide.NoRisk, guard.DenyByDefault, nil, given
	if len(granted) > 0 {
		g.Grants = []guard.Grant{{Members: granted, Reason: grantReason}}
	}
	g.Ask, g.Deny, g.Hidden = s.left(g.Ask), s.left(g.Deny), s.left(g.Hidden)
	g.Packages = slices.DeleteFunc(slices.Clone(g.Packages), func(pattern string) bool {
		return !(s.Requests > 0 && fit([]string{pattern}, requestPackage)) && !slices.ContainsFunc(s.Members, func(name string) bool { path, _ := split(name); return path != "" && fit([]string{pattern}, path) })
	})
	g.Rules = slices.DeleteFunc(slices.Clone(g.Rules), func(r rules.Rule) bool { return len(r.On) > 0 && len(s.left(r.On)) == 0 })
	for _, name := range s.Asked {
		if !slices.Contains(g.Ask, name) {
			g.Ask = append(g.Ask, name)
		}
	}
	g.MaxClass = min(g.MaxClass, s.MaxClass)
	g.Record = nil
	if s.Budget > 0 && g.Budget != nil {
		g.Budget = guard.NewBudget(s.Budget)
	}
	g.Rates = maps.Clone(g.Rates)
	maps.DeleteFunc(g.Rates, func(pattern string, _ int) bool { return len(s.left([]string{pattern})) == 0 })
	if g.Rates == nil {
		g.Rates = map[string]int{}
	}
	for name, n := range s.Rates {
		if have, ok := g.Rates[name]; !ok || n < have {
			g.Rates[name] = n
		}
	}
	if s.Files {
		g.Deny = slices.Concat(g.Deny, s.deny())
		g.Rules = slices.Concat(g.Rules, s.rules())
	}
}

const grantReason = "called in the recorded runs"

// deny are the operations on files that were not done.
func (s *Suggestion) deny() (ops []string) {
	for _, op := range vfs.Ops() {
		name := filePrefix + string(op)
		if _, done := s.Paths[name]; !done {
			ops = append(ops, name)
		}
	}
	slices.Sort(ops)
	return ops
}

// rules block operations on other files than those that were used.
func (s *Suggestion) rules() (list []rules.Rule) {
	for _, op := range slices.Sorted(maps.Keys(s.Paths)) {
		others := []rules.Condition{s.otherThan(op, "path", s.Paths[op])}
		if to, second := s.To[op]; second {
			others = append(others, s.otherThan(op, "to", to))
		}
		list = append(list, rules.Rule{
			Name: "recorded " + op, On: []string{op}, When: []rules.Condition{{Any: others}}, Do: rules.Block,
			Text: "the policy lists the files for {member}, and this is none of them",
		})
	}
	return list
}

// otherThan holds for other paths than these and temporary ones.
func (s *Suggestion) otherThan(op, param string, paths []string) rules.Condition {
	var all []rules.Condition
	if len(paths) > 0 {
		c := rules.Condition{Param: param}
		for _, path := range paths {
			c.NotIn = append(c.NotIn, path)
		}
		all = append(all, c)
	}
	if slices.Contains(s.Temporary, op) {
		all = append(all, rules.Condition{Not: &rules.Condition{Param: param, Path: []string{temporary + "**"}}})
	}
	if len(all) == 1 {
		return all[0]
	}
	return rules.Condition{All: all}
}
