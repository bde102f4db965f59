package rules

import (
	"errors"
	"fmt"
	"math"
	"path"
	"reflect"
	"slices"
	"strings"
)

// A rule is a compiled one.
type rule struct {
	Rule
	name    string
	do      Action
	members []*member
	nodes   map[*member]node // the compiled conditions
}

// own is the name of a set, a counter or a flag. One that begins with a dot is of this rule alone.
func (r *rule) own(name string) string {
	if strings.HasPrefix(name, ".") {
		return r.name + name
	}
	return name
}

// A compiler turns a list of rules into a Set.
type compiler struct {
	members  []*member
	names    []string // of the members
	rules    []*rule
	sets     struct{ names, forms []string }
	counts   []string
	flags    []string
	programs map[string]*Program
	errs     []error
}

// A scope is where conditions are: a member, and before a call or after it.
type scope struct {
	*compiler
	rule     *rule
	member   *member
	after    bool
	negated  bool // under an odd number of nots
	stateful bool
}

// Compile checks the rules and compiles them for the members. It reports all errors, joined: unknown members, parameters, sets,
// counters and flags, with the nearest name; conditions that do not fit the type of a parameter; rules that can never fire,
// that an earlier one shadows, or that have the name of another; and examples that fail.
func Compile(list []Rule, members []Member) (*Set, error) {
	c := &compiler{programs: map[string]*Program{}}
	for _, m := range members {
		if len(m.Params) != len(m.Types) {
			return nil, fmt.Errorf("member %s has %d parameters and %d types", m.Name, len(m.Params), len(m.Types))
		}
		c.members, c.names = append(c.members, &member{m}), append(c.names, m.Name)
	}
	for i := range list {
		c.declare(i, list[i])
	}
	for _, r := range c.rules {
		c.compile(r)
	}
	for i, r := range c.rules {
		c.shadowed(r, c.rules[:i])
		c.tryExamples(r)
	}
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	for _, p := range c.programs {
		p.before.indexed()
		p.after.indexed()
	}
	return &Set{programs: c.programs, sets: c.sets.names, counts: c.counts, flags: c.flags}, nil
}

// fail adds an error of a rule.
func (c *compiler) fail(r *rule, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("rule %q: %w", r.name, fmt.Errorf(format, args...)))
}

// declare adds a rule, and the names of its state.
func (c *compiler) declare(i int, source Rule) {
	source, err := source.expand()
	r := &rule{Rule: source, name: source.Name, do: source.Do, nodes: map[*member]node{}}
	if err != nil {
		c.fail(r, "%w", err)
		return
	}
	if r.name == "" {
		c.errs = append(c.errs, fmt.Errorf("rule %d has no name", i+1))
		return
	}
	if slices.ContainsFunc(c.rules, func(o *rule) bool { return o.name == r.name }) {
		c.fail(r, "there are two of this name")
	}
	c.rules = append(c.rules, r)
	for _, t := range r.Track {
		if t.Add != nil {
			c.declareSet(r, t.Add)
		}
		if name := r.own(t.Count); name != "" && !slices.Contains(c.counts, name) {
			c.counts = append(c.counts, name)
		}
		if name := r.own(t.Raise); name != "" && !slices.Contains(c.flags, name) {
			c.flags = append(c.flags, name)
		}
	}
}

func (c *compiler) declareSet(r *rule, a *Add) {
	switch i := slices.Index(c.sets.names, r.own(a.Set)); {
	case a.Set == "":
		c.fail(r, "add needs the name of a set")
	case a.As != "" && a.As != "path" && a.As != "url":
		c.fail(r, "add: as %q is neither path nor url", a.As)
	case i < 0:
		c.sets.names, c.sets.forms = append(c.sets.names, r.own(a.Set)), append(c.sets.forms, a.As)
	case c.sets.forms[i] != a.As:
		c.fail(r, "values are added to the set %q as %q, and elsewhere as %q", a.Set, a.As, c.sets.forms[i])
	}
}

// compile adds the steps of a rule to the programs of its members.
func (c *compiler) compile(r *rule) {
	switch r.do {
	case Block, Warn, Remind:
	case Ask:
		if r.After {
			c.fail(r, "after a call there is nothing to ask about")
		}
	case "":
		if len(r.Track) == 0 {
			c.fail(r, "it does nothing: it has neither do nor track")
		} else if len(r.When) > 0 || r.Text != "" || r.After {
			c.fail(r, "when, text and after are those of do, which it does not have; a track has its own")
		}
	default:
		c.fail(r, "no action %q%s", r.do, hint(string(r.do), []string{"block", "ask", "warn", "remind"}))
	}
	if r.do != "" || len(r.On) > 0 {
		r.members = c.matching(r, r.On)
	}
	if r.do != "" {
		for _, m := range r.members {
			s := &scope{compiler: c, rule: r, member: m, after: r.After}
			when, err := s.conditions(r.When)
			if err != nil {
				c.fail(r, "%w", err)
				continue
			}
			t, err := parseText(r, m)
			if err != nil {
				c.fail(r, "%w", err)
			}
			r.nodes[m] = when
			c.add(s, step{when: when, rule: r, text: t})
		}
	}
	for i := range r.Track {
		c.track(r, &r.Track[i])
	}
}

// add adds a step to the program of its member.
func (c *compiler) add(s *scope, st step) {
	p := c.programs[s.member.Name]
	if p == nil {
		p = &Program{member: s.member}
		c.programs[s.member.Name] = p
	}
	f := &p.before
	if s.after {
		f = &p.after
	}
	f.steps = append(f.steps, st)
	f.stateful = f.stateful || s.stateful || st.update != nil
}

// matching are the members that the patterns name.
func (c *compiler) matching(r *rule, on []string) (list []*member) {
	if len(on) == 0 {
		c.fail(r, "on names no member")
	}
	for _, p := range on {
		found := false
		for _, m := range c.members {
			if matchName(p, m.Name) {
				found = true
				if !slices.Contains(list, m) {
					list = append(list, m)
				}
			}
		}
		if !found {
			c.fail(r, "on: there is no member %q%s", p, hint(p, c.names))
		}
	}
	return list
}

// matchName reports that the name of a member is as a pattern says, in which * is any text.
func matchName(pattern, name string) bool {
	flat := strings.NewReplacer("/", "\x00") // of import paths, which * of package path does not match
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(name))
	return ok && err == nil
}

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
			return nil, fmt.Errorf("%s is for %s; %s is %s", r.key, r.fits, c.Param, a.typ)
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
