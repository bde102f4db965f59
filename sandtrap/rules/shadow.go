package rules

import (
	"reflect"
	"slices"
)

// shadowed reports an error if one of the earlier rules blocks each call that r is about.
func (c *compiler) shadowed(r *rule, earlier []*rule) {
	if r.do == "" || len(r.members) == 0 {
		return
	}
	for _, e := range earlier {
		if e.do != Block || e.After || !hasAll(e.members, r.members) {
			continue
		}
		if !slices.ContainsFunc(e.When, func(w Condition) bool { return !slices.ContainsFunc(r.When, w.coversIn) }) {
			c.fail(r, "it never fires: the earlier rule %q blocks each call that it is about", e.name)
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
	if w.Param != "" && (w.Param != n.Param || w.Each != n.Each || w.Base != n.Base) {
		return false
	}
	a, b := reflect.ValueOf(w), reflect.ValueOf(n)
	for i := range a.NumField() {
		if a.Field(i).IsZero() || reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			continue
		}
		switch a.Type().Field(i).Name {
		case "Path":
			if len(n.Path) == 0 || !within(n.Path, w.Path) {
				return false
			}
		case "URL":
			if len(n.URL) == 0 || !within(n.URL, w.URL) {
				return false
			}
		case "Equals", "In":
			if list := n.listed(); len(list) == 0 || !within(list, w.listed()) {
				return false
			}
		case "NotIn":
			if !within(w.shown(w.NotIn), n.shown(n.NotIn)) {
				return false
			}
		case "Range":
			if !w.Range.covers(n.Range) {
				return false
			}
		case "Length":
			if !w.Length.covers(n.Length) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func within(some, list []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(list, s) })
}

// listed are the values that c lets pass, by equals or in.
func (c *Condition) listed() []string {
	if c.Equals != nil {
		return c.shown([]any{c.Equals})
	}
	return c.shown(c.In)
}

func (c *Condition) shown(list []any) (texts []string) {
	for _, x := range list {
		texts = append(texts, show(x))
	}
	return texts
}

// covers reports that each number of n is one of w. Durations count if they are written alike.
func (w *Range) covers(n *Range) bool {
	if n == nil {
		return false
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
