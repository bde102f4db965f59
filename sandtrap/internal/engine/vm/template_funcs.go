package vm

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A tmplBuiltin is a predefined function of templates.
type tmplBuiltin struct {
	params []func(*machine) *ir.Type
	rest   func(*machine) *ir.Type // of variadic arguments, nil for none
	do     func(e *tmplExec, in []mirror) (mirror, error)
}

func takesValue(*machine) *ir.Type    { return anyValue }
func takesAny(m *machine) *ir.Type    { return ir.Universe.Any }
func takesString(m *machine) *ir.Type { return ir.Universe.Str }

// valueFunc takes n values, and any number more if so said.
func valueFunc(n int, more bool, do func(*tmplExec, []mirror) (mirror, error)) *tmplBuiltin {
	b := &tmplBuiltin{do: do}
	for range n {
		b.params = append(b.params, takesValue)
	}
	if more {
		b.rest = takesValue
	}
	return b
}

// textFunc makes text of its arguments.
func textFunc(do func(t tmplTools, args []any) string) *tmplBuiltin {
	return &tmplBuiltin{rest: takesAny, do: func(e *tmplExec, in []mirror) (mirror, error) {
		return e.m.mirrorString(do(e.tools, e.m.exported(in))), nil
	}}
}

// escapeFunc escapes the text of its arguments as print writes them in a template.
func escapeFunc(do func(t tmplTools, args []any) string) *tmplBuiltin {
	return &tmplBuiltin{rest: takesAny, do: func(e *tmplExec, in []mirror) (mirror, error) {
		return e.m.mirrorString(do(e.tools, e.m.printables(in))), nil
	}}
}

var tmplBuiltins = map[string]*tmplBuiltin{
	"and":      valueFunc(1, true, nil), // these are calls that evaluate their arguments themselves
	"or":       valueFunc(1, true, nil),
	"call":     valueFunc(1, true, nil),
	"not":      valueFunc(1, false, tmplNot),
	"len":      valueFunc(1, false, tmplLen),
	"index":    valueFunc(1, true, tmplIndex),
	"slice":    valueFunc(1, true, tmplSlice),
	"eq":       valueFunc(1, true, boolFunc((*machine).tmplEq)),
	"ne":       valueFunc(2, false, boolFunc((*machine).tmplNe)),
	"lt":       valueFunc(2, false, boolFunc((*machine).tmplLt)),
	"le":       valueFunc(2, false, boolFunc((*machine).tmplLe)),
	"gt":       valueFunc(2, false, boolFunc((*machine).tmplGt)),
	"ge":       valueFunc(2, false, boolFunc((*machine).tmplGe)),
	"print":    textFunc(func(t tmplTools, a []any) string { return t.Sprint(a...) }),
	"println":  textFunc(func(t tmplTools, a []any) string { return t.Sprintln(a...) }),
	"html":     escapeFunc(func(t tmplTools, a []any) string { return t.HTML(a...) }),
	"js":       escapeFunc(func(t tmplTools, a []any) string { return t.JS(a...) }),
	"urlquery": escapeFunc(func(t tmplTools, a []any) string { return t.URLQuery(a...) }),
	"printf": {params: []func(*machine) *ir.Type{takesString}, rest: takesAny, do: func(e *tmplExec, in []mirror) (mirror, error) {
		return e.m.mirrorString(e.tools.Sprintf(in[0].str(), e.m.exported(in[1:])...)), nil
	}},
}

func boolFunc(f func(m *machine, in []mirror) (bool, error)) func(*tmplExec, []mirror) (mirror, error) {
	return func(e *tmplExec, in []mirror) (mirror, error) {
		ok, err := f(e.m, in)
		return e.m.mirrorBool(ok), err
	}
}

func tmplNot(e *tmplExec, in []mirror) (mirror, error) {
	return e.m.mirrorBool(!e.m.truth(in[0])), nil
}

func tmplLen(e *tmplExec, in []mirror) (mirror, error) {
	v, isNil := e.m.indirect(in[0])
	if isNil {
		return v, errors.New("len of nil pointer")
	}
	switch v.kind() {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return e.m.mirrorInt(v.length()), nil
	case reflect.Invalid:
		return v, errors.New("reflect: call of reflect.Value.Type on zero Value")
	}
	return v, fmt.Errorf("len of type %s", v.t.Str)
}

// indexArg is an index that is at most max.
func indexArg(v mirror, max int) (int, error) {
	if !v.valid() {
		return 0, errors.New("cannot index slice/array with nil")
	}
	if !ir.IsInteger(v.t) {
		return 0, fmt.Errorf("cannot index slice/array with type %s", v.t.Str)
	}
	if x := v.int(); x < 0 || x > int64(max) {
		return 0, fmt.Errorf("index out of range: %d", x)
	}
	return int(v.int()), nil
}

func tmplIndex(e *tmplExec, in []mirror) (mirror, error) {
	m := e.m
	item := m.concrete(in[0])
	if !item.valid() {
		return item, errors.New("index of untyped nil")
	}
	for _, index := range in[1:] {
		index = m.concrete(index)
		var isNil bool
		if item, isNil = m.indirect(item); isNil {
			return item, errors.New("index of nil pointer")
		}
		switch item.kind() {
		case reflect.Array, reflect.Slice, reflect.String:
			x, err := indexArg(index, item.length())
			if err != nil {
				return item, err
			}
			if x == item.length() {
				return item, errors.New("reflect: " + outOfRange(item))
			}
			item = m.index(item, x)
		case reflect.Map:
			key, err := m.prepared(index, item.t.Key)
			if err != nil {
				return item, err
			}
			v, ok := m.lookup(item, key)
			if !ok {
				v = zeroOf(item.t.Elem)
			}
			item = v
		default:
			return item, fmt.Errorf("can't index item of type %s", item.t.Str)
		}
	}
	return item, nil
}

func outOfRange(v mirror) string {
	return map[reflect.Kind]string{reflect.Slice: "slice", reflect.Array: "array", reflect.String: "string"}[v.kind()] + " index out of range"
}

func tmplSlice(e *tmplExec, in []mirror) (mirror, error) {
	m := e.m
	item, indexes := m.concrete(in[0]), in[1:]
	if !item.valid() {
		return item, errors.New("slice of untyped nil")
	}
	item, isNil := m.indirect(item)
	if isNil {
		return item, errors.New("slice of nil pointer")
	}
	if len(indexes) > 3 {
		return item, fmt.Errorf("too many slice indexes: %d", len(indexes))
	}
	max := 0
	switch item.kind() {
	case reflect.String:
		if len(indexes) == 3 {
			return item, errors.New("cannot 3-index slice a string")
		}
		max = item.length()
	case reflect.Array, reflect.Slice:
		max = item.capacity()
	default:
		return item, fmt.Errorf("can't slice item of type %s", item.t.Str)
	}
	idx := [3]int{0, item.length(), max}
	for i, v := range indexes {
		x, err := indexArg(v, max)
		if err != nil {
			return item, err
		}
		idx[i] = x
	}
	switch {
	case idx[0] > idx[1]:
		return item, fmt.Errorf("invalid slice index: %d > %d", idx[0], idx[1])
	case idx[1] > idx[2]:
		return item, fmt.Errorf("invalid slice index: %d > %d", idx[1], idx[2])
	case item.kind() == reflect.Array && !item.addressable():
		return item, errors.New("reflect.Value.Slice: slice of unaddressable array")
	}
	return m.sliced(item, idx[0], idx[1], idx[2]), nil
}
