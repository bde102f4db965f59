package rules

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// track compiles a track of r.
func (c *compiler) track(r *rule, t *Track) {
	on := r.members
	if len(t.On) > 0 || len(r.On) == 0 {
		on = c.matching(r, t.On)
	}
	for _, m := range on {
		s := &scope{compiler: c, rule: r, member: m, after: t.After}
		when, err := s.conditions(t.When)
		if err != nil {
			c.fail(r, "track: %w", err)
			continue
		}
		u, err := s.update(t)
		if err != nil {
			c.fail(r, "track: %w", err)
			continue
		}
		c.add(s, step{when: when, rule: r, update: u})
	}
}

func (s *scope) update(t *Track) (*update, error) {
	u := &update{set: -1, count: slices.Index(s.counts, s.rule.own(t.Count)), raise: slices.Index(s.flags, s.rule.own(t.Raise))}
	if t.Add != nil {
		a, err := s.member.access(t.Add.Param, t.After)
		if err != nil {
			return nil, err
		}
		if a.typ.Kind() != reflect.Interface && !isScalar(a.typ) || t.Add.As != "" && a.typ.Kind() != reflect.Interface && !isText(a.typ) {
			return nil, fmt.Errorf("add: %s is %s, which sets cannot have", t.Add.Param, a.typ)
		}
		if t.Add.Base != "" && t.Add.As != "path" {
			return nil, errors.New("add: base is for as: path")
		}
		b, err := parseBase(t.Add.Base)
		if err != nil {
			return nil, err
		}
		u.set = slices.Index(s.sets.names, s.rule.own(t.Add.Set))
		u.add = &test{at: a, all: true, checks: []check{&adds{u.set, form{t.Add.As, b}}}}
	}
	for _, name := range t.Reset {
		name = s.rule.own(name)
		found := len(u.reset.sets) + len(u.reset.counts) + len(u.reset.flags)
		appendIndex(&u.reset.sets, s.sets.names, name)
		appendIndex(&u.reset.counts, s.counts, name)
		appendIndex(&u.reset.flags, s.flags, name)
		if found == len(u.reset.sets)+len(u.reset.counts)+len(u.reset.flags) {
			return nil, fmt.Errorf("reset: there is no set, counter or flag %q%s", name, hint(name, slices.Concat(s.sets.names, s.counts, s.flags)))
		}
	}
	if u.add == nil && u.count < 0 && u.raise < 0 && len(t.Reset) == 0 {
		return nil, errors.New("it changes nothing")
	}
	return u, nil
}

// appendIndex appends the index of a name, if it is there.
func appendIndex(to *[]int, names []string, name string) {
	if i := slices.Index(names, name); i >= 0 {
		*to = append(*to, i)
	}
}
