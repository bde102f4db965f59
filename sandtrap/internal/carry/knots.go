package carry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A struct of the host's may hold itself, by pointers, slices and maps of it, and by other structs.
// The worker has a knot for these: see package made. To both sides that is a matter of types: a
// value of a knot crosses as what it stands for.

// A KnotText is a knot as the worker is told of it, with the struct that holds itself.
type KnotText struct {
	Number int
	Type   []byte // what it stands for
}

// ties are the knots of a worker.
type ties struct {
	stands map[reflect.Type]reflect.Type // what a knot stands for
	knots  map[reflect.Type]reflect.Type // what stands for a type
}

// within is the struct type that is added, if a value of rt leads straight to ones of it.
func (t *Types) within(rt reflect.Type) (of reflect.Type, ok bool) {
	if k := rt.Kind(); t == nil || k != reflect.Pointer && k != reflect.Slice && k != reflect.Map {
		return nil, false
	}
	return rt.Elem(), t.making[rt.Elem()]
}

// appendKnot writes rt, which leads to what is being added, as the knot for it.
func (t *Types) appendKnot(b []byte, rt reflect.Type, path string) ([]byte, error) {
	rt = nameless(rt)
	n, ok := t.tied[rt]
	if !ok {
		n = len(t.tied)
		t.tied[rt] = n
	}
	if made.Knot(n) == nil {
		return nil, &KindError{path, rt.String(), fmt.Sprintf("cannot be copied between host and worker: it is one more than the %d ways in which types may hold themselves there; exclude some", n)}
	}
	return head(head(head(b, majorArray, 2), majorUint, typeKnot), majorUint, uint64(n)), nil
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

// knotsOf are the texts of the knots that lead to s, which has been added.
func (t *Types) knotsOf(s *structType, path string) (list []KnotText, err error) {
	for _, rt := range slices.SortedFunc(maps.Keys(t.tied), func(a, b reflect.Type) int { return t.tied[a] - t.tied[b] }) {
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
		list = append(list, KnotText{t.tied[rt], text})
	}
	return list, nil
}

// tie makes the worker's knots that lead to s.
func (t *Types) tie(s *structType, list []KnotText) {
	for _, text := range list {
		r := &reader{handles: t.handles(), data: text.Type}
		knot, rt := made.Knot(text.Number), r.part()
		if k := rt.Kind(); knot == nil || t.stands[knot] != nil || k != reflect.Pointer && k != reflect.Slice && k != reflect.Map || rt.Elem() != s.typ {
			fail("a knot %d for %v", text.Number, rt)
		}
		t.stands[knot], t.knots[rt] = rt, knot
	}
}

// knotOf is the knot that stands for rt, or rt.
func (t *Types) knotOf(rt reflect.Type) reflect.Type {
	if t != nil && t.knots[rt] != nil {
		return t.knots[rt]
	}
	return rt
}

// behind is what a knot stands for, nil for all else.
func (t *Types) behind(rt reflect.Type) reflect.Type {
	if t == nil || t.stands == nil {
		return nil
	}
	return t.stands[rt]
}

// Knots are those that lead to the struct type with number n, each as a nil pointer to the knot with
// one to what it stands for.
func (t *Types) Knots(n int) map[any]any {
	list := map[any]any{}
	for knot, rt := range t.stands {
		if rt.Elem() == t.list[n].typ {
			list[reflect.Zero(reflect.PointerTo(knot)).Interface()] = reflect.Zero(reflect.PointerTo(rt)).Interface()
		}
	}
	return list
}

// untieReceiver is a method whose receiver is a knot as one of what that stands for.
func (t *Types) untieReceiver(fn reflect.Value) (reflect.Value, bool) {
	ft := fn.Type()
	rt := t.behind(ft.In(0))
	if rt == nil {
		return fn, false
	}
	typ := reflect.FuncOf(append([]reflect.Type{rt}, engine.Ins(ft)[1:]...), engine.Outs(ft), ft.IsVariadic())
	return reflect.MakeFunc(typ, func(args []reflect.Value) []reflect.Value {
		recv := reflect.New(ft.In(0)).Elem()
		made.Tie(recv, args[0])
		args[0] = recv
		return callWith(fn, args)
	}), true
}
