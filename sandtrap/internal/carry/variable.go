package carry

import "reflect"

// Reader is a function that reads the variable that pointer points to, and its type.
func Reader(pointer any) (fn any, typ reflect.Type) {
	v := reflect.ValueOf(pointer).Elem()
	typ = reflect.FuncOf(nil, []reflect.Type{v.Type()}, false)
	return reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value { return []reflect.Value{v} }).Interface(), typ
}

// Holder is a pointer to a variable that holds v.
func Holder(v any) any {
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface()
}
