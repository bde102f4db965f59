package engine

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Differs reports that a script has given an input another value than the host did. What it has changed in a slice, a
// map or behind a pointer is in both, unless given is a Copy. Pointers are handed out as what they point to. Where the
// types are not the same, as those of structs that are handed out as maps, it cannot tell, and says no.
func Differs(given, got any) bool {
	v := reflect.ValueOf(given)
	for v.Kind() == reflect.Pointer && v.Type() != reflect.TypeOf(got) {
		if v.IsNil() {
			return got != nil
		}
		v = v.Elem()
	}
	if !v.IsValid() || v.Type() != reflect.TypeOf(got) || v.Kind() == reflect.Func {
		return v.IsValid() && v.Comparable() && v.Interface() != got
	}
	return !reflect.DeepEqual(v.Interface(), got)
}

// Copies are copies of inputs, apart from errors.
func Copies(inputs map[string]any) map[string]any {
	own := make(map[string]any, len(inputs))
	for name, v := range inputs {
		if _, isError := v.(error); !isError {
			v = Copy(v)
		}
		own[name] = v
	}
	return own
}

// Copy is a copy of v, of the same type, that shares no variable with it which scripts can assign to: it tells later what
// they have changed in v. Pointers to one variable, also in circles, are that in the copy too.
func Copy(v any) any {
	if v == nil {
		return nil
	}
	return copied(reflect.ValueOf(v), map[any]reflect.Value{}, 0).Interface()
}

// maxCopied is how deep a Copy goes: what is below is shared. Data that may cross to a worker is not as deep.
const maxCopied = 10_000

// copied makes a copy; seen are the variables of which it has made one, by the pointers to them.
func copied(v reflect.Value, seen map[any]reflect.Value, depth int) reflect.Value {
	if depth > maxCopied {
		return v
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return kinds.Rebuilt(v, func(part reflect.Value) reflect.Value { return copied(part, seen, depth+1) })
	}
	if own, ok := seen[v.Interface()]; ok {
		return own
	}
	own := reflect.New(v.Type().Elem())
	if v.Type() != own.Type() { // it has a name
		own = own.Convert(v.Type())
	}
	seen[v.Interface()] = own
	own.Elem().Set(copied(v.Elem(), seen, depth+1))
	return own
}
