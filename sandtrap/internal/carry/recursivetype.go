package carry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A struct of the host's may hold itself, by pointers, slices and maps of it, and by other structs.
// The worker has a placeholder for these: see package made. To both sides that is a matter of types: a
// value of a placeholder crosses as what it stands for.

// A RecursiveText is a placeholder as the worker is told of it, with the struct that holds itself.
type RecursiveText struct {
	Number int
	Type   []byte // what it stands for
}

// recursion are the placeholders of a worker.
type recursion struct {
	stands       map[reflect.Type]reflect.Type // what a placeholder stands for
	placeholders map[reflect.Type]reflect.Type // what stands for a type
}

// within is the struct type that is added, if a value of rt leads straight to ones of it.
func (t *Types) within(rt reflect.Type) (of reflect.Type, ok bool) {
	if k := rt.Kind(); t == nil || k != reflect.Pointer && k != reflect.Slice && k != reflect.Map {
		return nil, false
	}
	return rt.Elem(), t.making[rt.Elem()]
}

// appendRecursive writes rt, which leads to what is being added, as the placeholder for it.
func (t *Types) appendRecursive(b []byte, rt reflect.Type, path string) ([]byte, error) {
	rt = nameless(rt)
	n, ok := t.tied[rt]
	if !ok {
		n = len(t.tied)
		t.tied[rt] = n
	}
	if made.Recursive(n) == nil {
		return nil, &KindError{path, rt.String(), fmt.Sprintf("cannot be copied between host and worker: it is one more than the %d ways in which types may hold themselves there; exclude some", n)}
	}
	return head(head(head(b, majorArray, 2), majorUint, typeRecursive), majorUint, uint64(n)), nil
}

// nameless is rt without the name that it may have.
func nameless(rt reflect.Type) reflect.Type {
	switch rt.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(rt.Elem())
	case reflect.Map:
		return reflect.MapOf(rt.Key(), rt.Elem())
	}
	return reflect.PointerTo(rt.Elem())
}

// recursiveOf are the texts of the placeholders that lead to s, which has been added.
func (t *Types) recursiveOf(s *structType, path string) (list []RecursiveText, err error) {
	tied := slices.Collect(maps.Keys(t.tied))
	sort.Slice(tied, func(i, j int) bool { return t.tied[tied[i]] < t.tied[tied[j]] })
	for _, rt := range tied {
		if rt.Elem() != s.typ {
			continue
		}
		if rt.Kind() != reflect.Pointer && s.hides {
			return nil, &KindError{path, rt.String(), "cannot be copied to the worker: it has fields that scripts may not see; pass a pointer"}
		}
		text, err := t.handles().appendType(nil, rt, path, 0)
		if err != nil {
			return nil, err
		}
		list = append(list, RecursiveText{t.tied[rt], text})
	}
	return list, nil
}

// resolve makes the worker's placeholders that lead to s.
func (t *Types) resolve(s *structType, list []RecursiveText) {
	for _, text := range list {
		r := &reader{handles: t.handles(), data: text.Type}
		placeholder, rt := made.Recursive(text.Number), r.part()
		if k := rt.Kind(); placeholder == nil || t.stands[placeholder] != nil || k != reflect.Pointer && k != reflect.Slice && k != reflect.Map || rt.Elem() != s.typ {
			fail("a placeholder %d for %v", text.Number, rt)
		}
		t.stands[placeholder], t.placeholders[rt] = rt, placeholder
	}
}

// placeholder is the placeholder that stands for rt, or rt.
func (t *Types) placeholder(rt reflect.Type) reflect.Type {
	if t != nil && t.placeholders[rt] != nil {
		return t.placeholders[rt]
	}
	return rt
}

// behind is what a placeholder stands for, nil for all else.
func (t *Types) behind(rt reflect.Type) reflect.Type {
	if t == nil || t.stands == nil {
		return nil
	}
	return t.stands[rt]
}

// Recursive are those that lead to the struct type with number n, each as a nil pointer to the placeholder with
// one to what it stands for.
func (t *Types) Recursive(n int) map[any]any {
	list := map[any]any{}
	for placeholder, rt := range t.stands {
		if rt.Elem() == t.list[n].typ {
			list[reflect.Zero(reflect.PointerTo(placeholder)).Interface()] = reflect.Zero(reflect.PointerTo(rt)).Interface()
		}
	}
	return list
}

// resolveReceiver is a method whose receiver is a placeholder as one of what that stands for.
func (t *Types) resolveReceiver(fn reflect.Value) (reflect.Value, bool) {
	ft := fn.Type()
	rt := t.behind(ft.In(0))
	if rt == nil {
		return fn, false
	}
	typ := reflect.FuncOf(append([]reflect.Type{rt}, engine.Ins(ft)[1:]...), engine.Outs(ft), ft.IsVariadic())
	return reflect.MakeFunc(typ, func(args []reflect.Value) []reflect.Value {
		recv := reflect.New(ft.In(0)).Elem()
		made.Resolve(recv, args[0])
		args[0] = recv
		return callWith(fn, args)
	}), true
}
