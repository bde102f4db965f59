package builtins

import (
	"reflect"
	"slices"
)

// embedded lists the types that rt embeds, at any depth.
func embedded(rt reflect.Type, list []reflect.Type) []reflect.Type {
	if rt.Kind() != reflect.Struct {
		return list
	}
	for i := range rt.NumField() {
		f := rt.Field(i)
		base := f.Type
		if base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		if f.Anonymous && !slices.Contains(list, base) {
			list = embedded(base, append(list, base))
		}
	}
	return list
}

// isGoSync reports a type of Go's package sync.
func isGoSync(rt reflect.Type) bool { return rt.PkgPath() == "sync" }
