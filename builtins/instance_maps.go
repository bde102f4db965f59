package builtins

import (
	"reflect"
)

func mapsInstance(name string) instance {
	switch name {
	case "All", "Keys", "Values":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			return mapSequence(name, ft.Out(0), a[0])
		}
	case "Clone":
		return mapClone
	case "Copy":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			copyMap(a[0], a[1])
			return nil
		}
	case "Collect":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			m := reflect.MakeMap(ft.Out(0))
			each(a[0], func(kv []reflect.Value) { m.SetMapIndex(kv[0], kv[1]) })
			return []reflect.Value{m}
		}
	case "Insert":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			each(a[1], func(kv []reflect.Value) { a[0].SetMapIndex(kv[0], kv[1]) })
			return nil
		}
	case "DeleteFunc":
		return mapDeleteFunc
	case "Equal":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(equalMaps(a[0], a[1], func(v, w reflect.Value) bool { return equal(e, v, w) }))
		}
	case "EqualFunc":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(equalMaps(a[0], a[1], func(x, y reflect.Value) bool { return holds(a[2], x, y) }))
		}
	}
	return nil
}

func mapSequence(name string, rt reflect.Type, m reflect.Value) []reflect.Value {
	return sequence(rt, func(yield func(...reflect.Value) bool) {
		for it := m.MapRange(); it.Next(); {
			more := false
			switch name {
			case "Keys":
				more = yield(it.Key())
			case "Values":
				more = yield(it.Value())
			default:
				more = yield(it.Key(), it.Value())
			}
			if !more {
				return
			}
		}
	})
}

func mapClone(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
	if a[0].IsNil() {
		return []reflect.Value{reflect.Zero(ft.Out(0))}
	}
	m := reflect.MakeMapWithSize(ft.Out(0), a[0].Len())
	copyMap(m, a[0])
	return []reflect.Value{m}
}

func copyMap(dst, src reflect.Value) {
	for it := src.MapRange(); it.Next(); {
		dst.SetMapIndex(it.Key(), it.Value())
	}
}

func mapDeleteFunc(_ *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
	for it := a[0].MapRange(); it.Next(); {
		if holds(a[1], it.Key(), it.Value()) {
			a[0].SetMapIndex(it.Key(), reflect.Value{})
		}
	}
	return nil
}

func equalMaps(m1, m2 reflect.Value, eq func(x, y reflect.Value) bool) bool {
	if m1.Len() != m2.Len() {
		return false
	}
	for it := m1.MapRange(); it.Next(); {
		v := m2.MapIndex(it.Key())
		if !v.IsValid() || !eq(it.Value(), v) {
			return false
		}
	}
	return true
}
