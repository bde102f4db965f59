package durable

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// journalled is p with its functions behind a journal. It has a copy of all that is changed.
func journalled(p sandtrap.Policy) (sandtrap.Policy, *journal.Members, error) {
	if p.Engine == "yaegi" {
		return p, nil, policyError("Engine", "engine yaegi has no journal: its goroutines are Go's own; use engine vm")
	}
	if f := p.Files; f != nil && (f.Open != nil || len(f.Paths) > 0) {
		return p, nil, policyError("Files", "a run with a journal has its files in memory: Open and Paths cannot be repeated")
	}
	if p.Network != nil {
		return p, nil, policyError("Network", "requests of scripts have no journal: make them in functions of the host")
	}
	all := journal.NewMembers(&carry.Errors{})
	gate, err := gateOf(&p)
	if err != nil {
		return p, nil, err
	}
	if gate != nil {
		all.Guards = gate.Guards
		p.Guard = behind{gate}
	}
	if p.Funcs, err = members(all, "", p.Funcs); err != nil {
		return p, nil, policyError("Funcs", "%v", err)
	}
	p.Packages = slices.Clone(p.Packages)
	for i := range p.Packages {
		pkg := &p.Packages[i]
		if pkg.Object != nil {
			return p, nil, policyError("Packages", "%s: Object: methods have no journal; make them functions", pkg.Path)
		}
		if pkg.Members, err = members(all, pkg.Path+".", pkg.Members); err != nil {
			return p, nil, policyError("Packages", "%v", err)
		}
	}
	return p, all, nil
}

func policyError(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", sandtrap.ErrPolicy, field, fmt.Sprintf(format, args...))
}

// members are members of a policy with their functions behind a journal.
func members(all *journal.Members, prefix string, list map[string]any) (map[string]any, error) {
	out := maps.Clone(list)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		m, special := list[name].(sandtrap.Member)
		if !special {
			m.Value = list[name]
		}
		fn, isFunction := m.Value.(builtins.Function)
		if !isFunction {
			fn.Fn = m.Value
		}
		v := reflect.ValueOf(fn.Fn)
		if open := guarded.Open(m.Value); open != "" {
			return nil, fmt.Errorf("%s%s: %s, which no journal has; make it a function", prefix, name, open)
		}
		switch err, isError := m.Value.(error); {
		case v.Kind() == reflect.Func:
			own, err := all.Add(prefix+name, v, m.Params, m.Pauses)
			if err != nil {
				return nil, fmt.Errorf("%s%s: %w", prefix, name, err)
			}
			fn.Fn, fn.Blocking = own, true
			m.Value = fn
			out[name] = m
		case m.Pauses:
			return nil, fmt.Errorf("%s%s: Pauses is for functions", prefix, name)
		case isError:
			all.Known(err)
		}
	}
	return out, nil
}

// fingerprint is a hash of all of the policy that a run depends on, but for what its functions do.
func fingerprint(plan *sandtrap.Plan, p *sandtrap.Policy) (string, error) {
	text, err := plan.Reference()
	if err != nil {
		return "", err
	}
	all := []any{text, p.Std, p.Exclude, p.Env, p.Limits, p.Echo, values(p.Funcs)}
	for i := range p.Packages {
		all = append(all, p.Packages[i].Path, values(p.Packages[i].Members))
	}
	if p.Files != nil {
		all = append(all, p.Files.Cwd, p.Files.Quota, p.Files.ModuleRoot)
	}
	b, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	return journal.Hash(b), nil
}

// values are texts of the values of members that are no functions, as far as JSON has them.
func values(list map[string]any) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		v := list[name]
		if m, ok := v.(sandtrap.Member); ok {
			v = m.Value
		}
		switch own := v.(type) {
		case builtins.Function:
			continue
		case error:
			v = own.Error()
		}
		text, err := json.Marshal(v)
		if err != nil {
			text = fmt.Appendf(nil, "%T", v)
		}
		texts = append(texts, name+"="+string(text))
	}
	return texts
}
