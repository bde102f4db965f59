package engine

import "reflect"

// Differs reports that a script has given an input another value than the host did. What it has changed in a slice, a
// map or behind a pointer is in both, unless given is a copy. Pointers are handed out as what they point to. Where the
// types are not the same, as those of structs that are handed out as maps, it cannot tell, and says no.
func Differs(given, got any) bool {
	v := reflect.ValueOf(given)
	for v.Kind() == reflect.Pointer && v.Type() != reflect.TypeOf(got) {
		if v.IsNil() {
			return got != nil
		}
		v = v.Elem()
	}
	if !v.IsValid() || v.Type() != reflect.TypeOf(got) || v.Kind() == reflect.Func || !v.CanInterface() {
		return v.IsValid() && v.Comparable() && v.CanInterface() && v.Interface() != got
	}
	return !reflect.DeepEqual(v.Interface(), got)
}
