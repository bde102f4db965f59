package carry

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A method may write to its receiver, and of what is no struct the other process has a copy. So
// such a method returns the receiver, too.

// returnsReceiver reports that a method with the receiver rt is one of these.
func (t *Types) returnsReceiver(rt reflect.Type) bool {
	switch {
	case rt.Kind() == reflect.Pointer:
		return t.isNamed(rt.Elem())
	case rt.Kind() == reflect.Slice, rt.Kind() == reflect.Map:
		return t.isNamed(rt)
	}
	return false
}

// Method is a method of one of the types, a function of a context or not and of the receiver, as
// workers call it.
func (t *Types) Method(fn any) any {
	v := reflect.ValueOf(fn)
	ft, at := v.Type(), 0
	if takesContext(ft) {
		at = 1
	}
	if ft.NumIn() == at {
		return fn
	}
	if s := t.find(ft.In(at)); s != nil && s.text.Given {
		return ofPointer(v, at)
	}
	if !t.returnsReceiver(ft.In(at)) {
		return fn
	}
	typ := reflect.FuncOf(engine.Ins(ft), append([]reflect.Type{ft.In(at)}, engine.Outs(ft)...), ft.IsVariadic())
	return reflect.MakeFunc(typ, func(args []reflect.Value) []reflect.Value {
		recv := args[at]
		return append([]reflect.Value{recv}, callWith(v, args)...)
	}).Interface()
}

// ofPointer is a method whose receiver, argument number at, is a value of a type that a worker has behind pointers
// alone: of the pointer, which the host knows, and not of a copy, which it does not take.
func ofPointer(fn reflect.Value, at int) any {
	ft := fn.Type()
	in := engine.Ins(ft)
	in[at] = reflect.PointerTo(in[at])
	return reflect.MakeFunc(reflect.FuncOf(in, engine.Outs(ft), ft.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		if args[at].IsNil() {
			var none error
			_ = none.Error()
		}
		args[at] = args[at].Elem()
		return callWith(fn, args)
	}).Interface()
}

// StubMethod is a stub of what Method made as the method that scripts have.
func (t *Types) StubMethod(fn any) any {
	v := reflect.ValueOf(fn)
	ft := v.Type()
	if ft.NumIn() == 0 {
		return fn
	}
	if untied, ok := t.resolveReceiver(v); ok {
		return untied.Interface()
	}
	if ft.In(0).Kind() == reflect.Interface {
		return ofInterface(v)
	}
	if !t.returnsReceiver(ft.In(0)) {
		return fn
	}
	typ := reflect.FuncOf(engine.Ins(ft), engine.Outs(ft)[1:], ft.IsVariadic())
	return reflect.MakeFunc(typ, func(args []reflect.Value) []reflect.Value {
		results := callWith(v, args)
		become(args[0], results[0])
		return results[1:]
	}).Interface()
}

// ofInterface is a method of an interface, which panics like any other on nil.
func ofInterface(fn reflect.Value) any {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		if args[0].IsNil() {
			var none error
			_ = none.Error()
		}
		return callWith(fn, args)
	}).Interface()
}

// become makes what recv leads to what the other process has in its place.
func become(recv, now reflect.Value) {
	switch {
	case recv.IsNil() || now.IsNil():
	case recv.Kind() == reflect.Pointer:
		recv.Elem().Set(now.Elem())
	case recv.Kind() == reflect.Map:
		recv.Clear()
		for it := now.MapRange(); it.Next(); {
			recv.SetMapIndex(it.Key(), it.Value())
		}
	default:
		reflect.Copy(recv, now)
	}
}

// callWith calls fn with the arguments that MakeFunc gives.
func callWith(fn reflect.Value, args []reflect.Value) []reflect.Value {
	if fn.Type().IsVariadic() {
		return fn.CallSlice(args)
	}
	return fn.Call(args)
}
