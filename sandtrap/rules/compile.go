package rules

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A rule is a compiled one.
type rule struct {
	Rule
	members []*member
	nodes   map[*member]node // the compiled conditions
}

// own is the name of a set, a counter or a flag. One that begins with a dot is of this rule alone.
func (r *rule) own(name string) string {
	if strings.HasPrefix(name, ".") {
		return r.Name + name
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

// Compile checks the rules and compiles them for the members. It reports all errors, joined: unknown members, parameters, sets,
// counters and flags, with the nearest name; conditions that do not fit the type of a parameter; rules that can never fire,
// that an earlier one shadows, or that have the name of another; and examples that fail.
func Compile(list []Rule, members []Member) (*Set, error) {
	c := &compiler{programs: map[string]*Program{}}
	for _, m := range members {
		if len(m.Params) != len(m.Types) {
			return nil, fmt.Errorf("member %s has %d parameters and %d types", m.Name, len(m.Params), len(m.Types))
		}
		if slices.Contains(c.names, m.Name) {
			return nil, fmt.Errorf("there are two members %s", m.Name)
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
	return &Set{programs: c.programs, sets: c.sets.names, counts: c.counts, flags: c.flags, needs: needsState(c.rules)}, nil
}

// fail adds an error of a rule.
func (c *compiler) fail(r *rule, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("rule %q: %w", r.Name, fmt.Errorf(format, args...)))
}

// declare adds a rule, and the names of its state.
func (c *compiler) declare(i int, source Rule) {
	source, err := source.expand()
	r := &rule{Rule: source, nodes: map[*member]node{}}
	if r.Name == "" {
		r.Name = fmt.Sprint(i + 1)
		if err == nil {
			err = errors.New("it has no name")
		}
	}
	if err != nil {
		c.fail(r, "%w", err)
		return
	}
	if slices.ContainsFunc(c.rules, func(o *rule) bool { return o.Name == r.Name }) {
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
	switch r.Do {
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
		c.fail(r, "no action %q%s", r.Do, hint(string(r.Do), []string{"block", "ask", "warn", "remind"}))
	}
	if r.Do != "" || len(r.On) > 0 {
		r.members = c.matching(r, r.On)
	}
	if r.Do != "" {
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
