package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// JSON says what is wrong with a text of JSON, in the terms of JSON where encoding/json has those of Go, and which field it is about, if it is
// about one. to is the pointer that err is the error of decoding into.
func JSON(err error, to any) (text, field string) {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		text = fmt.Sprintf("want %s, got %s", kind(e.Type), e.Value)
		if e.Field != "" {
			text = e.Field + ": " + text
		}
		return text, e.Field
	}
	text = strings.TrimPrefix(err.Error(), "json: ")
	if quoted, ok := strings.CutPrefix(text, "unknown field "); ok {
		field, _ = strconv.Unquote(quoted)
		list := names(reflect.TypeOf(to), nil)
		if len(list) == 0 {
			return text + "; there are none", field
		}
		return text + "; the fields are " + strings.Join(list, ", "), field
	}
	return text, ""
}

// kind is what values of t are in JSON.
func kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	if reflect.Int <= t.Kind() && t.Kind() <= reflect.Uint64 {
		return "an integer"
	}
	return "another value"
}

// FieldOf is the field of a body that a text begins with, as in "policy: there is none"; empty if it begins with none.
func FieldOf(text string, body any) string {
	name, _, ok := strings.Cut(text, ": ")
	if !ok || body == nil || !slices.Contains(names(reflect.TypeOf(body), nil), name) {
		return ""
	}
	return name
}

// names adds the fields of an object to list, and those of objects within it.
func names(t reflect.Type, list []string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return list
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" && !slices.Contains(list, name) {
			list = names(f.Type, append(list, name))
		}
	}
	return list
}
