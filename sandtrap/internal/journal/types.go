package journal

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// typeText is a type as scripts write it.
func typeText(t reflect.Type) string {
	if name, ok := made.Name(t); ok {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	if t.Name() != "" {
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Interface:
		return "any"
	case reflect.Pointer:
		return "*" + typeText(t.Elem())
	case reflect.Slice:
		return "[]" + typeText(t.Elem())
	case reflect.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	}
	return t.Kind().String()
}

// unread is an error of encoding/json without the types of this process.
func unread(err error) error {
	bad, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case ok && bad.Field != "":
		return fmt.Errorf("%s: a %s does not fit %s", bad.Field, bad.Value, typeText(bad.Type))
	case ok:
		return fmt.Errorf("a %s does not fit %s", bad.Value, typeText(bad.Type))
	}
	return err
}

// storable is the error for a type whose values JSON does not keep. JSON makes numbers in values of type any float64.
func storable(t reflect.Type, within []reflect.Type) error {
	if slices.Contains(within, t) {
		return nil
	}
	within = append(within, t)
	if own := reflect.PointerTo(t); own.Implements(reflect.TypeFor[json.Marshaler]()) && own.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		own.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && own.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("a journal cannot hold a value of type %v", t)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return fmt.Errorf("a journal cannot hold a value of type %v", t)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return storable(t.Elem(), within)
	case reflect.Map:
		if k := t.Key().Kind(); k != reflect.String && !(reflect.Int <= k && k <= reflect.Uintptr) {
			return fmt.Errorf("a journal cannot hold a map with keys of type %v", t.Key())
		}
		return storable(t.Elem(), within)
	case reflect.Struct:
		for f := range made.Fields(t) {
			if !f.IsExported() || f.Tag.Get("json") == "-" {
				return fmt.Errorf("a journal cannot hold a value of type %v: JSON has no field %s", t, f.Name)
			}
			if err := storable(f.Type, within); err != nil {
				return err
			}
		}
	}
	return nil
}
