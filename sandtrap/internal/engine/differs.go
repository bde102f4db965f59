package engine

import "reflect"

// Differs reports that a script has given an input another value than the host did. What it has changed in a slice, a
// map or behind a pointer is in both. Where the types are not the same, as those of structs that are handed out as maps,
// it cannot tell, and says no.
func Differs(given, got any) bool {
	t := reflect.TypeOf(given)
	if t == nil || t != reflect.TypeOf(got) || t.Kind() == reflect.Func {
		return t != nil && t.Comparable() && given != got
	}
	return !reflect.DeepEqual(given, got)
}
