package rules

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// A row is a condition on a value, as the key of a Condition.
type row struct {
	key  string
	fits string // the types that it is for, in words
	doc  string
	is   func(*Condition) bool   // it is given
	fit  func(reflect.Type) bool // it is for values of this type; those of interfaces are looked at in calls
	make func(s *scope, c *Condition, t reflect.Type) (check, error)
}

// table has the conditions on values, in the order in which they are checked.
var table = []row{
	{"nil", "pointers, interfaces, maps, slices and their parts", "the value is nil, or not there (true), or it is there (false)",
		func(c *Condition) bool { return c.Nil != nil }, func(reflect.Type) bool { return true }, makeNil},
	{"equals", "texts, numbers, bools", "the value is this one",
		func(c *Condition) bool { return c.Equals != nil }, isScalar, makeEquals},
	{"in", "texts, numbers, bools", "the value is one of these",
		func(c *Condition) bool { return c.In != nil }, isScalar, makeIn},
	{"not_in", "texts, numbers, bools", "the value is none of these",
		func(c *Condition) bool { return c.NotIn != nil }, isScalar, makeNotIn},
	{"range", "numbers, time.Duration", "the number is `min` or more, and `max` or less",
		func(c *Condition) bool { return c.Range != nil }, isNumeric, makeRange},
	{"length", "texts, slices, arrays, maps", "the number of bytes or elements is `min` or more, and `max` or less",
		func(c *Condition) bool { return c.Length != nil }, func(t reflect.Type) bool { return kinds.Ranged.Has(t.Kind()) }, makeLength},
	{"regexp", "texts, []byte", "the whole text is as the expression of package regexp says, in which . is any character",
		func(c *Condition) bool { return c.Regexp != "" }, func(t reflect.Type) bool { return isText(t) || isBytes(t) }, makeRegexp},
	{"path", "texts", "the path, cleaned, matches one of these patterns",
		func(c *Condition) bool { return c.Path != nil }, isText, makePath},
	{"url", "texts", "the URL, in its canonical form, matches one of these patterns",
		func(c *Condition) bool { return c.URL != nil }, isText, makeURL},
	{"command", "[]string", "the argument vector has these words and options",
		func(c *Condition) bool { return c.Command != nil }, isTexts, makeCommand},
	{"prefix", "[]string", "the argument vector begins with these words",
		func(c *Condition) bool { return c.Prefix != nil }, isTexts, makeEnds},
	{"suffix", "[]string", "the argument vector ends with these words",
		func(c *Condition) bool { return c.Suffix != nil }, isTexts, makeSuffix},
	{"seen", "texts, numbers, bools", "the set of the state has the value",
		func(c *Condition) bool { return c.Seen != "" }, isScalar, makeSeen},
	{"not_seen", "texts, numbers, bools", "the set of the state does not have the value",
		func(c *Condition) bool { return c.NotSeen != "" }, isScalar, makeNotSeen},
}

// An other is a condition that is not about one value.
type other struct {
	key  string
	doc  string
	is   func(*Condition) bool
	make func(*scope, *Condition) (node, error)
}

// others has these conditions, in the order in which they are evaluated.
func others() []other {
	return []other{
		{"count", "the counter `of` is `min` or more, and `max` or less", func(c *Condition) bool { return c.Count != nil }, (*scope).counted},
		{"flag", "the flag is raised", func(c *Condition) bool { return c.Flag != "" }, (*scope).raised},
		{"error", "after a call: it returned no error (`none`), one (`any`), or one that says that a file is not there (`not_exist`)",
			func(c *Condition) bool { return c.Error != "" }, (*scope).failed},
		{"all", "all of these conditions hold", func(c *Condition) bool { return c.All != nil }, (*scope).all},
		{"any", "one of these conditions holds", func(c *Condition) bool { return c.Any != nil }, (*scope).any},
		{"not", "this condition does not hold", func(c *Condition) bool { return c.Not != nil }, (*scope).not},
	}
}

func isText(t reflect.Type) bool    { return t.Kind() == reflect.String }
func isNumeric(t reflect.Type) bool { return numbers.Has(t.Kind()) }
func isScalar(t reflect.Type) bool  { return isText(t) || isNumeric(t) || t.Kind() == reflect.Bool }

func makeNil(_ *scope, c *Condition, _ reflect.Type) (check, error) { return isNil(*c.Nil), nil }

func makeEquals(_ *scope, c *Condition, t reflect.Type) (check, error) {
	return newOneOf([]any{c.Equals}, false, t)
}

func makeIn(_ *scope, c *Condition, t reflect.Type) (check, error) { return newOneOf(c.In, false, t) }

func makeNotIn(_ *scope, c *Condition, t reflect.Type) (check, error) {
	return newOneOf(c.NotIn, true, t)
}

func newOneOf(list []any, negated bool, t reflect.Type) (check, error) {
	if len(list) == 0 {
		return nil, errors.New("an empty list")
	}
	o := &oneOf{negated: negated}
	for _, x := range list {
		if err := o.add(x, t); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// add adds a value for values of type t.
func (o *oneOf) add(x any, t reflect.Type) error {
	v := reflect.ValueOf(x)
	isAny := t.Kind() == reflect.Interface
	switch {
	case !v.IsValid():
		return errors.New("null is no value to compare with; use nil: true")
	case v.Kind() == reflect.String && (isAny || isText(t)):
		put(&o.texts, v.String())
	case v.Kind() == reflect.Bool && (isAny || t.Kind() == reflect.Bool):
		put(&o.bools, v.Bool())
	case isNumeric(t) || isAny && isNumeric(v.Type()):
		n, err := parseNumber(x, t)
		if err != nil {
			return err
		}
		if !n.fits(t) {
			return fmt.Errorf("%s has no value %v", t, n)
		}
		put(&o.numbers, n)
	default:
		return fmt.Errorf("%s is not a value of %s", show(x), t)
	}
	return nil
}

func put[K comparable](m *map[K]bool, k K) {
	if *m == nil {
		*m = map[K]bool{}
	}
	(*m)[k] = true
}

func makeRange(_ *scope, c *Condition, t reflect.Type) (check, error) {
	b, err := newBounds(c.Range, t)
	if err != nil {
		return nil, err
	}
	return &b, nil
}

// newBounds reads a range for values of type t. One that no value is in is an error.
func newBounds(r *Range, t reflect.Type) (b bounds, err error) {
	if r.Min == nil && r.Max == nil {
		return b, errors.New("has neither min nor max")
	}
	if b.min, err = bound(r.Min, t); err != nil {
		return b, fmt.Errorf("min: %w", err)
	}
	if b.max, err = bound(r.Max, t); err != nil {
		return b, fmt.Errorf("max: %w", err)
	}
	least, most := limits(t)
	if b.min != nil && b.max != nil && b.min.compare(*b.max) > 0 || b.max != nil && least != nil && b.max.compare(*least) < 0 || b.min != nil && most != nil && b.min.compare(*most) > 0 {
		return b, fmt.Errorf("no value of %s is in it", t)
	}
	return b, nil
}

func bound(x any, t reflect.Type) (*number, error) {
	if x == nil {
		return nil, nil
	}
	n, err := parseNumber(x, t)
	return &n, err
}

func makeLength(_ *scope, c *Condition, t reflect.Type) (check, error) {
	b, err := newBounds(c.Length, reflect.TypeFor[uint]())
	if err == nil && t.Kind() == reflect.Array && (&lengths{b}).holds(reflect.Zero(t), nil) == no {
		err = fmt.Errorf("no value of %s has it", t)
	}
	if err != nil {
		return nil, err
	}
	return &lengths{b}, nil
}

func makeRegexp(_ *scope, c *Condition, _ reflect.Type) (check, error) {
	if _, err := regexp.Compile(c.Regexp); err != nil {
		return nil, err
	}
	r, err := regexp.Compile(`(?s)\A(?:` + c.Regexp + `)\z`)
	return pattern{r}, err
}

func makePath(_ *scope, c *Condition, _ reflect.Type) (check, error) {
	b, err := parseBase(c.Base)
	if err != nil {
		return nil, err
	}
	p := &paths{base: b}
	for _, text := range c.Path {
		g, err := b.parsePath(text)
		if err != nil {
			return nil, err
		}
		p.patterns = append(p.patterns, g)
	}
	if len(p.patterns) == 0 {
		return nil, errors.New("an empty list")
	}
	return p, nil
}

func makeEnds(_ *scope, c *Condition, _ reflect.Type) (check, error) {
	return newEnds(c.Prefix, false)
}

func makeSuffix(_ *scope, c *Condition, _ reflect.Type) (check, error) {
	return newEnds(c.Suffix, true)
}

func newEnds(words []string, suffix bool) (check, error) {
	if len(words) == 0 {
		return nil, errors.New("an empty list")
	}
	return &ends{words, suffix}, nil
}

func makeSeen(s *scope, c *Condition, _ reflect.Type) (check, error) {
	return s.seen(c, c.Seen, false)
}

func makeNotSeen(s *scope, c *Condition, _ reflect.Type) (check, error) {
	return s.seen(c, c.NotSeen, true)
}

func (s *scope) seen(c *Condition, name string, negated bool) (check, error) {
	i := slices.Index(s.sets.names, s.rule.own(name))
	if i < 0 {
		return nil, fmt.Errorf("nothing adds to a set %q%s", name, hint(name, s.sets.names))
	}
	if c.Base != "" && s.sets.forms[i] != "path" && c.Path == nil {
		return nil, fmt.Errorf("base is for sets of paths, which %q is not", name)
	}
	b, err := parseBase(c.Base)
	if err != nil {
		return nil, err
	}
	return &seen{set: i, form: form{as: s.sets.forms[i], base: b}, negated: negated}, nil
}

// limits are the least and the greatest number of a type, nil if there is none.
func limits(t reflect.Type) (least, most *number) {
	switch {
	case signed.Has(t.Kind()):
		bits := t.Bits() - 1
		return &number{whole: ofInt(-1 << bits)}, &number{whole: ofInt(1<<bits - 1)}
	case unsigned.Has(t.Kind()):
		return &number{}, &number{whole: integer{bits: math.MaxUint64 >> (64 - t.Bits())}}
	}
	return nil, nil
}

// fits reports that n is a value of t, if t is a type of whole numbers.
func (n number) fits(t reflect.Type) bool {
	least, most := limits(t)
	return least == nil || !n.isFloat && n.compare(*least) >= 0 && n.compare(*most) <= 0
}
