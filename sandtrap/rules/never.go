package rules

import (
	"errors"
	"fmt"
	"reflect"
)

// contradiction is the reason for which conditions never all hold, nil if none is known.
func contradiction(list allOf) error {
	var all allOf
	flatten(list, &all)
	byName := map[string][]check{}
	counts := map[int]counted{}
	for _, n := range all {
		switch n := n.(type) {
		case *test:
			if !n.at.many {
				byName[n.at.name] = append(byName[n.at.name], n.checks...)
			}
		case *counted:
			if have, twice := counts[n.counter]; twice {
				n = &counted{n.counter, max(n.min, have.min), min(n.max, have.max)}
			}
			if counts[n.counter] = *n; n.min > n.max {
				return errors.New("no number of the counter is in all ranges")
			}
		case notOf:
			for _, other := range all {
				if reflect.DeepEqual(n.node, other) {
					return errors.New("a condition is wanted to hold, and not to hold")
				}
			}
		}
	}
	for name, checks := range byName {
		if err := contradictory(checks); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func flatten(list allOf, to *allOf) {
	for _, n := range list {
		if inner, ok := n.(allOf); ok {
			flatten(inner, to)
		} else {
			*to = append(*to, n)
		}
	}
}

// contradictory is the reason for which no value passes all checks, nil if none is known.
func contradictory(checks []check) error {
	var number, length bounds
	for _, k := range checks {
		switch k := k.(type) {
		case *bounds:
			number.narrow(k)
		case *lengths:
			length.narrow(&k.bounds)
		case *oneOf:
			if !k.negated && !k.leaves(checks) {
				return errors.New("no value that it may have passes the other conditions")
			}
		case isNil:
			if bool(k) && len(checks) > 1 {
				return errors.New("of nil nothing else holds")
			}
		case *seen:
			for _, other := range checks {
				if o, ok := other.(*seen); ok && o.set == k.set && o.negated != k.negated {
					return errors.New("a set is wanted to have the value, and not to have it")
				}
			}
		}
	}
	if number.empty() || length.empty() {
		return errors.New("no number is in all ranges")
	}
	return nil
}

// narrow makes b the bounds that are in both.
func (b *bounds) narrow(o *bounds) {
	if b.min == nil || o.min != nil && o.min.compare(*b.min) > 0 {
		b.min = o.min
	}
	if b.max == nil || o.max != nil && o.max.compare(*b.max) < 0 {
		b.max = o.max
	}
}

func (b *bounds) empty() bool { return b.min != nil && b.max != nil && b.min.compare(*b.max) > 0 }

// leaves reports that one of o's values passes the other checks, as far as they do not depend on the state.
func (o *oneOf) leaves(checks []check) bool {
	c := calls.Get().(*call)
	defer c.release()
	for _, v := range o.values() {
		passes := true
		for _, k := range checks {
			passes = passes && k.holds(v, c) != no
		}
		if passes {
			return true
		}
	}
	return false
}

func (o *oneOf) values() (list []reflect.Value) {
	for s := range o.texts {
		list = append(list, reflect.ValueOf(s))
	}
	for b := range o.bools {
		list = append(list, reflect.ValueOf(b))
	}
	for n := range o.numbers {
		list = append(list, n.value())
	}
	return list
}

func (n number) value() reflect.Value {
	switch {
	case n.isFloat:
		return reflect.ValueOf(n.float)
	case n.whole.negative:
		return reflect.ValueOf(int64(n.whole.bits))
	}
	return reflect.ValueOf(n.whole.bits)
}
