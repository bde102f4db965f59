package rules

import "slices"

// NeedsState reports that a rule that blocks or asks may let a call pass that it would have stopped, if the state is lost and another one
// begins empty. It does not if conditions on the state hold in an empty one, and stop holding as it grows.
func (s *Set) NeedsState() bool { return s.needs }

// needsState is NeedsState of rules.
func needsState(list []*rule) bool {
	looks, varies := false, false
	for _, r := range list {
		if r.Do == Block || r.Do == Ask {
			for i := range r.When {
				if loosens(&r.When[i], true) {
					return true
				}
				looks = looks || ofState(&r.When[i])
			}
		}
		for _, t := range r.Track { // a state that was lost does not stay the smaller one
			varies = varies || len(t.Reset) > 0 || slices.ContainsFunc(t.When, func(c Condition) bool { return ofState(&c) })
		}
	}
	return looks && varies
}

// loosens reports that a condition, whose value is wanted or its opposite, may hold less with a smaller state.
func loosens(c *Condition, wanted bool) bool {
	if n := c.Count; n != nil && (n.Min != nil && *n.Min > 0) == wanted {
		return true
	} else if n != nil && !wanted && n.Max != nil { // it is above the range, too
		return true
	}
	return wanted && (c.Seen != "" || c.Flag != "") || !wanted && c.NotSeen != "" ||
		inner(c, func(in *Condition) bool { return loosens(in, wanted) }, func(in *Condition) bool { return loosens(in, !wanted) })
}

// ofState reports that a condition is on the state.
func ofState(c *Condition) bool {
	return c.Count != nil || c.Flag != "" || c.Seen != "" || c.NotSeen != "" || inner(c, ofState, ofState)
}

// inner reports that f holds for a condition in c, or not for one that is negated there.
func inner(c *Condition, f, not func(*Condition) bool) bool {
	is := func(in Condition) bool { return f(&in) }
	return slices.ContainsFunc(c.All, is) || slices.ContainsFunc(c.Any, is) || c.Not != nil && not(c.Not)
}
