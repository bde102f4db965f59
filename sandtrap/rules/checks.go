package rules

import (
	"reflect"
	"regexp"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// isNil is the check that a value is nil, or not there, if it is true, and that it is there if it is false.
type isNil bool

func (n isNil) holds(v reflect.Value, _ *call) truth {
	return is(bool(n) == (!v.IsValid() || kinds.Nilable.Has(v.Kind()) && v.IsNil()))
}

// A oneOf is the check that a value is one of a list, or that it is not.
type oneOf struct {
	texts   map[string]bool
	numbers map[number]bool
	bools   map[bool]bool
	negated bool
}

func (o *oneOf) holds(v reflect.Value, _ *call) truth {
	result := unknown
	switch {
	case v.Kind() == reflect.String && o.texts != nil:
		result = is(o.texts[v.String()])
	case v.Kind() == reflect.Bool && o.bools != nil:
		result = is(o.bools[v.Bool()])
	case isNumber(v) && o.numbers != nil:
		result = is(o.numbers[numberOf(v)])
	}
	if o.negated {
		return result.not()
	}
	return result
}

// A bounds is the check of a number.
type bounds struct{ min, max *number }

func (b *bounds) holds(v reflect.Value, _ *call) truth {
	if !isNumber(v) {
		return unknown
	}
	n := numberOf(v)
	return is((b.min == nil || n.compare(*b.min) >= 0) && (b.max == nil || n.compare(*b.max) <= 0))
}

// A lengths is the check of how many bytes a text has, or how many elements.
type lengths struct{ bounds }

func (l *lengths) holds(v reflect.Value, _ *call) truth {
	if !kinds.Ranged.Has(v.Kind()) {
		return unknown
	}
	n := number{whole: ofInt(int64(v.Len()))}
	return is((l.min == nil || n.compare(*l.min) >= 0) && (l.max == nil || n.compare(*l.max) <= 0))
}

// isBytes and isTexts report that values of t are bytes, or may be an argument vector.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func isTexts(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && (t.Elem().Kind() == reflect.String || t.Elem().Kind() == reflect.Interface)
}

// A pattern is the check of a whole text by a regular expression.
type pattern struct{ *regexp.Regexp }

func (p pattern) holds(v reflect.Value, _ *call) truth {
	switch {
	case v.Kind() == reflect.String:
		return is(p.MatchString(v.String()))
	case isBytes(v.Type()):
		return is(p.Match(v.Bytes()))
	}
	return unknown
}

// An ends is the check that an argument vector begins, or ends, with some words.
type ends struct {
	words  []string
	suffix bool
}

func (e *ends) holds(v reflect.Value, _ *call) truth {
	if !isTexts(v.Type()) {
		return unknown
	}
	from := 0
	if e.suffix {
		from = v.Len() - len(e.words)
	}
	if v.Len() < len(e.words) {
		return no
	}
	for i, want := range e.words {
		word := solid(v.Index(from + i))
		if word.Kind() != reflect.String {
			return unknown
		}
		if word.String() != want {
			return no
		}
	}
	return yes
}
