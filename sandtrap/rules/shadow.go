package rules

import (
	"reflect"
	"slices"
	"strings"
)

// shadowed reports an error if one of the earlier rules blocks each call that r is about.
func (c *compiler) shadowed(r *rule, earlier []*rule) {
	if r.Do == "" || len(r.members) == 0 {
		return
	}
	for _, e := range earlier {
		if e.Do != Block || e.After || !hasAll(e.members, r.members) {
			continue
		}
		if !slices.ContainsFunc(e.When, func(w Condition) bool { return !slices.ContainsFunc(r.When, w.coversIn) }) {
			c.fail(r, "it never fires: the earlier rule %q blocks each call that it is about", e.Name)
			return
		}
	}
}

func hasAll(list, some []*member) bool {
	return !slices.ContainsFunc(some, func(m *member) bool { return !slices.Contains(list, m) })
}

// coversIn reports that w holds wherever n does, n being one of conditions that all hold, or one of its All.
func (w Condition) coversIn(n Condition) bool {
	return w.covers(n) || slices.ContainsFunc(n.All, w.coversIn)
}

// covers reports that w is known to hold wherever n does: each key of w is in n, and asks the same there, or less.
func (w Condition) covers(n Condition) bool {
	switch {
	case w.local(),
		w.Param != "" && (w.Param != n.Param || w.Each != n.Each || w.Base != n.Base),
		w.Path != nil && (n.Path == nil || !within(n.Path, w.Path)),
		w.URL != nil && (n.URL == nil || !within(n.URL, w.URL)),
		w.NotIn != nil && !within(shown(w.NotIn), shown(n.NotIn)),
		w.Range != nil && !w.Range.covers(n.Range),
		w.Length != nil && !w.Length.covers(n.Length):
		return false
	}
	if list := w.listed(); list != nil && (n.listed() == nil || !within(n.listed(), list)) {
		return false
	}
	w.Path, w.URL, w.NotIn, w.Range, w.Length, w.Equals, w.In = nil, nil, nil, nil, nil, nil, nil
	a, b := reflect.ValueOf(w), reflect.ValueOf(n)
	for i := range a.NumField() {
		if !a.Field(i).IsZero() && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			return false
		}
	}
	return true
}

// local reports that w asks for state of its rule alone, which that of another rule is not.
func (w Condition) local() bool {
	for _, name := range []string{w.Seen, w.NotSeen, w.Flag} {
		if strings.HasPrefix(name, ".") {
			return true
		}
	}
	return w.Count != nil && strings.HasPrefix(w.Count.Of, ".") || slices.ContainsFunc(w.All, Condition.local) ||
		slices.ContainsFunc(w.Any, Condition.local) || w.Not != nil && w.Not.local()
}

func within(some, list []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(list, s) })
}

// listed are the values that c lets pass, by equals or in; nil if it lets all pass.
func (c *Condition) listed() []string {
	if c.Equals != nil {
		return shown([]any{c.Equals})
	}
	return shown(c.In)
}

func shown(list []any) (texts []string) {
	for _, x := range list {
		texts = append(texts, show(x))
	}
	return texts
}

// covers reports that each number of n is one of w. Durations are, if they are written alike.
func (w *Range) covers(n *Range) bool {
	if n == nil || reflect.DeepEqual(w, n) {
		return n != nil
	}
	a, err := newBounds(w, anyType)
	b, err2 := newBounds(n, anyType)
	if err != nil || err2 != nil {
		return false
	}
	both := a
	both.narrow(&b)
	return equalBound(both.min, b.min) && equalBound(both.max, b.max)
}

func equalBound(a, b *number) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
