package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// An access finds a value in a call: an argument or a result, and parts of it.
type access struct {
	name   string // as written
	result bool
	index  int
	parts  []part
	typ    reflect.Type // of the value; an interface if that is known at the call only
	many   bool         // there are elements in it
}

// A part is a field, a key of a map, or all elements.
type part struct {
	name  string // of a field or a key
	field []int  // the index of the field, if the type is known
	each  bool
}

// A check is a condition on one value.
type check interface {
	// holds is called with a value that is no interface and no pointer.
	holds(v reflect.Value, c *call) truth
}

// A test is the node of checks of a value, which all must hold.
type test struct {
	at     access
	all    bool // of elements, else any
	checks []check
}

func (t *test) eval(c *call) truth {
	values := c.args
	if t.at.result {
		values = c.results
	}
	if t.at.index >= len(values) {
		return unknown
	}
	return t.within(values[t.at.index], t.at.parts, c)
}

// within evaluates the checks on the parts of v.
func (t *test) within(v reflect.Value, parts []part, c *call) truth {
	if v = solid(v); len(parts) == 0 {
		return t.on(v, c)
	}
	if !v.IsValid() {
		return unknown
	}
	if p := parts[0]; !p.each {
		return t.within(p.of(v), parts[1:], c)
	}
	result := is(t.all)
	found := false
	elements(v, func(e reflect.Value) bool {
		found = true
		if one := t.within(e, parts[1:], c); t.all {
			result = min(result, one)
			return result != no
		} else {
			result = max(result, one)
			return result != yes
		}
	})
	if !found && !kinds.Ranged.Has(v.Kind()) {
		return unknown
	}
	return result
}

// value is the one that a finds, where that is one; not valid if it is not there.
func (a *access) value(c *call) reflect.Value {
	values := c.args
	if a.result {
		values = c.results
	}
	if a.index >= len(values) {
		return reflect.Value{}
	}
	v := solid(values[a.index])
	for _, p := range a.parts {
		if v.IsValid() {
			v = solid(p.of(v))
		}
	}
	return v
}

func (t *test) on(v reflect.Value, c *call) truth {
	least := yes
	for _, k := range t.checks {
		one := unknown
		if _, ok := k.(isNil); ok || v.IsValid() {
			one = k.holds(v, c)
		}
		least = min(least, one)
	}
	return least
}

// maxPointers is how many pointers and interfaces may stand before a value: a pointer may lead to itself.
const maxPointers = 16

// solid is v behind pointers and interfaces; not valid if one is nil.
func solid(v reflect.Value) reflect.Value {
	for range maxPointers {
		if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer {
			return v
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

// of is the part of v; not valid if there is none.
func (p part) of(v reflect.Value) reflect.Value {
	if p.field != nil {
		f, err := v.FieldByIndexErr(p.field)
		if err != nil {
			return reflect.Value{}
		}
		return f
	}
	if v.Kind() == reflect.Struct {
		if f, ok := fieldNamed(v.Type(), p.name); ok {
			return part{field: f.Index}.of(v)
		}
	}
	if v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String {
		return v.MapIndex(reflect.ValueOf(p.name).Convert(v.Type().Key()))
	}
	return reflect.Value{}
}

// elements calls f with those of a slice, an array or a map, until it returns false.
func elements(v reflect.Value, f func(reflect.Value) bool) {
	if v.Kind() == reflect.Map {
		for it := v.MapRange(); it.Next(); {
			if !f(it.Value()) {
				return
			}
		}
		return
	}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		for i := range v.Len() {
			if !f(v.Index(i)) {
				return
			}
		}
	}
}

// fieldNamed finds a field by its name in Go, or by the one that encoding/json uses.
func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	if f, ok := t.FieldByName(name); ok && f.IsExported() {
		return f, true
	}
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && tag == name && name != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// access finds what a name stands for in calls of m.
func (m *member) access(name string, after bool) (access, error) {
	words := strings.Split(name, ".")
	first, depth := cutElements(words[0])
	a := access{name: name, index: slices.Index(m.Params, first)}
	words = words[1:]
	switch {
	case a.index >= 0:
		a.typ = m.Types[a.index]
	case first != "return":
		return a, fmt.Errorf("%s has no parameter %q%s", m.Name, first, hint(first, m.Params))
	case !after:
		return a, fmt.Errorf("%q is a result: it is there after the call", name)
	default:
		a.result, a.index = true, 0
		if len(words) > 0 && depth == 0 {
			word, n := cutElements(words[0])
			if i, err := strconv.Atoi(word); err == nil {
				a.index, words, depth = i, words[1:], n
			}
		}
		if a.index < 0 || a.index >= len(m.Results) {
			return a, fmt.Errorf("%s has no %q: it has %d results", m.Name, name, len(m.Results))
		}
		a.typ = m.Results[a.index]
	}
	if err := a.elements(depth); err != nil {
		return a, err
	}
	for _, w := range words {
		w, depth := cutElements(w)
		if err := a.part(w); err != nil {
			return a, err
		}
		if err := a.elements(depth); err != nil {
			return a, err
		}
	}
	a.typ = pointed(a.typ)
	return a, nil
}

// cutElements cuts each [] at the end of a word, and counts them.
func cutElements(word string) (string, int) {
	n := 0
	for strings.HasSuffix(word, "[]") {
		word, n = word[:len(word)-2], n+1
	}
	return word, n
}

// anyType is that of values of which nothing is known before the call.
var anyType = reflect.TypeFor[any]()

func pointed(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// elements goes on to the elements of a's value, at a depth.
func (a *access) elements(depth int) error {
	for range depth {
		switch t := pointed(a.typ); {
		case t.Kind() == reflect.Interface:
			a.typ = anyType
		case kinds.Ranged.Has(t.Kind()) && t.Kind() != reflect.String:
			a.typ = t.Elem()
		default:
			return fmt.Errorf("%s: %s has no elements", a.name, t)
		}
		a.many = true
		a.parts = append(a.parts, part{each: true})
	}
	return nil
}

// part goes on to a field or a key of a's value.
func (a *access) part(name string) error {
	p := part{name: name}
	switch t := pointed(a.typ); {
	case t.Kind() == reflect.Interface:
		a.typ = anyType
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		a.typ = t.Elem()
	case t.Kind() == reflect.Struct:
		f, ok := fieldNamed(t, name)
		if !ok {
			return fmt.Errorf("%s: %s has no field %q%s", a.name, t, name, hint(name, fieldNames(t)))
		}
		p.field, a.typ = f.Index, f.Type
	default:
		return fmt.Errorf("%s: %s has no fields", a.name, t)
	}
	a.parts = append(a.parts, p)
	return nil
}

func fieldNames(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			names = append(names, f.Name)
		}
	}
	return names
}

// hint says which of the names is near, or lists them if they are few.
func hint(name string, names []string) string {
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(names) > 0 && len(names) <= 8 {
		return "; there are " + strings.Join(names, ", ")
	}
	return ""
}
