package rules

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// A scope is where conditions are: a member, and before a call or after it.
type scope struct {
	*compiler
	rule     *rule
	member   *member
	after    bool
	negated  bool // under an odd number of nots
	stateful bool
}

// conditions compiles those of a rule, which all must hold; nil if there are none.
func (s *scope) conditions(list []Condition) (node, error) {
	var all allOf
	for i := range list {
		n, err := s.condition(&list[i])
		if err != nil {
			return nil, fmt.Errorf("when %d: %w", i+1, err)
		}
		all = append(all, n)
	}
	if err := contradiction(all); err != nil {
		return nil, fmt.Errorf("when: %w", err)
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return all, nil
}

func (s *scope) condition(c *Condition) (node, error) {
	var all allOf
	if c.Param != "" {
		t, err := s.test(c)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	} else if i := slices.IndexFunc(table, func(r row) bool { return r.is(c) }); i >= 0 {
		return nil, fmt.Errorf("%s needs a param", table[i].key)
	} else if c.Each != "" {
		return nil, errors.New("each needs a param")
	}
	if c.Base != "" && c.Path == nil && c.Seen == "" && c.NotSeen == "" {
		return nil, errors.New("base is for path, seen and not_seen")
	}
	for _, one := range others() {
		if one.is(c) {
			n, err := one.make(s, c)
			if err != nil {
				return nil, err
			}
			all = append(all, n)
		}
	}
	if err := contradiction(all); err != nil {
		return nil, err
	}
	switch len(all) {
	case 0:
		return nil, errors.New("it says nothing")
	case 1:
		return all[0], nil
	}
	return all, nil
}

// test compiles the conditions on a value.
func (s *scope) test(c *Condition) (node, error) {
	a, err := s.member.access(c.Param, s.after)
	if err != nil {
		return nil, err
	}
	switch {
	case a.many && c.Each != "any" && c.Each != "all":
		return nil, fmt.Errorf("%s is several values: each is any or all, not %q", c.Param, c.Each)
	case !a.many && c.Each != "":
		return nil, fmt.Errorf("%s is one value, without each; its elements are %s[]", c.Param, c.Param)
	}
	t := &test{at: a, all: c.Each == "all"}
	for _, r := range table {
		if !r.is(c) {
			continue
		}
		if a.typ.Kind() != reflect.Interface && !r.fit(a.typ) {
			instead := ""
			if (r.key == "prefix" || r.key == "suffix") && a.typ.Kind() == reflect.String {
				instead = "; regexp is for texts"
			}
			return nil, fmt.Errorf("%s is for %s; %s is %s%s", r.key, r.fits, c.Param, a.typ, instead)
		}
		k, err := r.make(s, c, a.typ)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.key, err)
		}
		t.checks = append(t.checks, k)
	}
	if len(t.checks) == 0 {
		return nil, fmt.Errorf("nothing is said of %s", c.Param)
	}
	s.stateful = s.stateful || c.Seen != "" || c.NotSeen != ""
	return t, nil
}

func (s *scope) counted(c *Condition) (node, error) {
	n := &counted{counter: slices.Index(s.counts, s.rule.own(c.Count.Of)), min: math.MinInt64, max: math.MaxInt64}
	if n.counter < 0 {
		return nil, fmt.Errorf("count: nothing counts %q%s", c.Count.Of, hint(c.Count.Of, s.counts))
	}
	if c.Count.Min != nil {
		n.min = *c.Count.Min
	}
	if c.Count.Max != nil {
		n.max = *c.Count.Max
	}
	if c.Count.Min == nil && c.Count.Max == nil {
		return nil, errors.New("count: has neither min nor max")
	}
	if n.min > n.max || n.max < 0 {
		return nil, errors.New("count: no number is in it")
	}
	s.stateful = true
	return n, nil
}

func (s *scope) raised(c *Condition) (node, error) {
	i := slices.Index(s.flags, s.rule.own(c.Flag))
	if i < 0 {
		return nil, fmt.Errorf("flag: nothing raises %q%s", c.Flag, hint(c.Flag, s.flags))
	}
	s.stateful = true
	return &raised{i}, nil
}

func (s *scope) all(c *Condition) (node, error) {
	n, err := s.list(c.All)
	if err == nil {
		err = contradiction(n)
	}
	return allOf(n), err
}

func (s *scope) any(c *Condition) (node, error) {
	n, err := s.list(c.Any)
	return anyOf(n), err
}

func (s *scope) list(list []Condition) (nodes []node, err error) {
	if len(list) == 0 {
		return nil, errors.New("an empty list of conditions")
	}
	for i := range list {
		n, err := s.condition(&list[i])
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func (s *scope) not(c *Condition) (node, error) {
	s.negated = !s.negated
	n, err := s.condition(c.Not)
	s.negated = !s.negated
	return notOf{n}, err
}
