package templates

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// A tmplBuiltin is a predefined function of templates.
type tmplBuiltin struct {
	params []func(*exec.Machine) *ir.Type
	rest   func(*exec.Machine) *ir.Type // of variadic arguments, nil for none
	do     func(e *tmplExec, in []mirror.Val) (mirror.Val, error)
}

func takesValue(*exec.Machine) *ir.Type    { return anyValue }
func takesAny(m *exec.Machine) *ir.Type    { return ir.Universe.Any }
func takesString(m *exec.Machine) *ir.Type { return ir.Universe.Str }

// valueFunc takes n values, and any number more if so said.
func valueFunc(n int, more bool, do func(*tmplExec, []mirror.Val) (mirror.Val, error)) *tmplBuiltin {
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
	return &tmplBuiltin{rest: takesAny, do: func(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
		return mirror.TextVal(do(e.tools, exported(e.m, in))), nil
	}}
}

// escapeFunc escapes the text of its arguments as print writes them in a template.
func escapeFunc(do func(t tmplTools, args []any) string) *tmplBuiltin {
	return &tmplBuiltin{rest: takesAny, do: func(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
		return mirror.TextVal(do(e.tools, printables(e.m, in))), nil
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
	"eq":       valueFunc(1, true, boolFunc(eq)),
	"ne":       valueFunc(2, false, boolFunc(ne)),
	"lt":       valueFunc(2, false, boolFunc(lt)),
	"le":       valueFunc(2, false, boolFunc(le)),
	"gt":       valueFunc(2, false, boolFunc(gt)),
	"ge":       valueFunc(2, false, boolFunc(ge)),
	"print":    textFunc(func(t tmplTools, a []any) string { return t.Sprint(a...) }),
	"println":  textFunc(func(t tmplTools, a []any) string { return t.Sprintln(a...) }),
	"html":     escapeFunc(func(t tmplTools, a []any) string { return t.HTML(a...) }),
	"js":       escapeFunc(func(t tmplTools, a []any) string { return t.JS(a...) }),
	"urlquery": escapeFunc(func(t tmplTools, a []any) string { return t.URLQuery(a...) }),
	"printf": {params: []func(*exec.Machine) *ir.Type{takesString}, rest: takesAny, do: func(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
		return mirror.TextVal(e.tools.Sprintf(in[0].Str(), exported(e.m, in[1:])...)), nil
	}},
}

func boolFunc(f func(m *exec.Machine, in []mirror.Val) (bool, error)) func(*tmplExec, []mirror.Val) (mirror.Val, error) {
	return func(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
		ok, err := f(e.m, in)
		return mirror.ValOf(e.m, ok), err
	}
}

func tmplNot(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
	return mirror.ValOf(e.m, !truth(e.m, in[0])), nil
}

func tmplLen(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
	v, isNil := indirect(e.m, in[0])
	if isNil {
		return v, errors.New("len of nil pointer")
	}
	switch {
	case kinds.Sized.Has(v.Kind()):
		return mirror.ValOf(e.m, v.Len()), nil
	case !v.Valid():
		return v, errors.New("reflect: call of reflect.Value.Type on zero Value")
	}
	return v, fmt.Errorf("len of type %s", v.T.Str)
}

// indexArg is an index that is at most max.
func indexArg(v mirror.Val, max int) (int, error) {
	if !v.Valid() {
		return 0, errors.New("cannot index slice/array with nil")
	}
	if !ir.IsInteger(v.T) {
		return 0, fmt.Errorf("cannot index slice/array with type %s", v.T.Str)
	}
	if x := v.Int(); x < 0 || x > int64(max) {
		return 0, fmt.Errorf("index out of range: %d", x)
	}
	return int(v.Int()), nil
}

func tmplIndex(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
	m := e.m
	item := concrete(m, in[0])
	if !item.Valid() {
		return item, errors.New("index of untyped nil")
	}
	for _, index := range in[1:] {
		index = concrete(m, index)
		var isNil bool
		if item, isNil = indirect(m, item); isNil {
			return item, errors.New("index of nil pointer")
		}
		switch k := item.Kind(); {
		case kinds.Indexable.Has(k):
			x, err := indexArg(index, item.Len())
			if err != nil {
				return item, err
			}
			if x == item.Len() {
				return item, errors.New("reflect: " + outOfRange(item))
			}
			item = item.Index(m, x)
		case k == reflect.Map:
			key, err := prepared(m, index, item.T.Key)
			if err != nil {
				return item, err
			}
			v, ok := item.Lookup(m, key)
			if !ok {
				v = mirror.ZeroOf(item.T.Elem)
			}
			item = v
		default:
			return item, fmt.Errorf("can't index item of type %s", item.T.Str)
		}
	}
	return item, nil
}

func outOfRange(v mirror.Val) string {
	return map[reflect.Kind]string{reflect.Slice: "slice", reflect.Array: "array", reflect.String: "string"}[v.Kind()] + " index out of range"
}

func tmplSlice(e *tmplExec, in []mirror.Val) (mirror.Val, error) {
	m := e.m
	item, indexes := concrete(m, in[0]), in[1:]
	if !item.Valid() {
		return item, errors.New("slice of untyped nil")
	}
	item, isNil := indirect(m, item)
	if isNil {
		return item, errors.New("slice of nil pointer")
	}
	if len(indexes) > 3 {
		return item, fmt.Errorf("too many slice indexes: %d", len(indexes))
	}
	max := 0
	switch item.Kind() {
	case reflect.String:
		if len(indexes) == 3 {
			return item, errors.New("cannot 3-index slice a string")
		}
		max = item.Len()
	case reflect.Array, reflect.Slice:
		max = item.Cap()
	default:
		return item, fmt.Errorf("can't slice item of type %s", item.T.Str)
	}
	idx := [3]int{0, item.Len(), max}
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
	case item.Kind() == reflect.Array && !item.IsVar():
		return item, errors.New("reflect.Value.Slice: slice of unaddressable array")
	}
	return item.Slice(m, idx[0], idx[1], idx[2]), nil
}
