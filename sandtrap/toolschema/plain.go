package toolschema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// unnamed is the type of the same parts as t, which has a name.
func unnamed(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(t.Elem())
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), t.Elem())
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	case reflect.Struct:
		return reflect.StructOf(plainFields(t))
	}
	return t
}

// plainFields are the fields of a struct in JSON, with those that it has from embedded ones, and with the types that they
// have there.
func plainFields(t reflect.Type) (fields []reflect.StructField) {
	var own []int // the way to an embedded struct that is a field of its own
	for _, f := range reflect.VisibleFields(t) {
		if own != nil && len(f.Index) > len(own) && slices.Equal(f.Index[:len(own)], own) {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name != "" {
			own = f.Index
		} else if f.Anonymous && pointed(f.Type).Kind() == reflect.Struct {
			continue
		}
		if isQuoted(f) {
			f.Type, options = quoted(f.Type), strings.ReplaceAll(options, "string", "")
		}
		if behindPointer(t, f.Index) {
			options += ",omitempty"
		}
		if f.IsExported() && f.Tag.Get("json") != "-" {
			tag := fmt.Sprintf("json:%q %s", name+","+options, f.Tag)
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: reflect.StructTag(tag)})
		}
	}
	return fields
}

// isOdd reports a field of which the schema library makes no form, or another one: it is embedded or quoted.
func isOdd(f reflect.StructField) bool { return f.Anonymous || isQuoted(f) }

// isQuoted reports a field that is a string in JSON for its tag.
func isQuoted(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	k := pointed(f.Type).Kind()
	simple := k == reflect.Bool || k == reflect.String || k == reflect.Float32 || k == reflect.Float64 || isInteger(k)
	return slices.Contains(strings.Split(options, ","), "string") && simple && !marshals(f.Type)
}

// quoted is a string, or a pointer to one if t is a pointer.
func quoted(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return reflect.TypeFor[*string]()
	}
	return reflect.TypeFor[string]()
}

// behindPointer reports that the field of t at index is promoted through a pointer: JSON leaves it out if that is nil.
func behindPointer(t reflect.Type, index []int) bool {
	for n := 1; n < len(index); n++ {
		if t.FieldByIndex(index[:n]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// pointed is what t, a type of pointers without a name, points to, and otherwise t.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		return t.Elem()
	}
	return t
}
