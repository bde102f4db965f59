package shim

import (
	"reflect"
	"slices"
)

// Embedded lists the types that rt embeds, at any depth.
func Embedded(rt reflect.Type, list []reflect.Type) []reflect.Type {
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
			list = Embedded(base, append(list, base))
		}
	}
	return list
}

// IsGoSync reports a type of Go's package sync.
func IsGoSync(rt reflect.Type) bool { return rt.PkgPath() == "sync" }
