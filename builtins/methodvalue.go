package builtins

import (
	"reflect"
	"slices"
)

// keepReceiver turns func(recv, params) results into func(recv) func(params)
// results. Like Go it wants an interface to hold something when the method is
// taken, not only when it is called.
func keepReceiver(method reflect.Value) reflect.Value {
	ft := method.Type()
	bound := reflect.FuncOf(slices.Collect(ft.Ins())[1:], outs(ft), ft.IsVariadic())
	taken := reflect.FuncOf([]reflect.Type{ft.In(0)}, []reflect.Type{bound}, false)
	return reflect.MakeFunc(taken, func(args []reflect.Value) []reflect.Value {
		recv := args[0]
		if recv.Kind() == reflect.Interface && recv.IsNil() {
			panic(nilReceiver())
		}
		return []reflect.Value{reflect.MakeFunc(bound, func(rest []reflect.Value) []reflect.Value {
			return call(method, append([]reflect.Value{recv}, rest...))
		})}
	})
}
