package engine

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
)

// JSON is v, a value as Var has it, in JSON. What JSON has no form for is a text: errors their
// message, numbers that are none their name, all else its type, typ.
func JSON(v any, typ string) (out json.RawMessage) {
	defer func() {
		if recover() != nil { // a method of a host type
			out = quoted("(" + typ + ")")
		}
	}()
	switch v := v.(type) {
	case error:
		return quoted(v.Error())
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return quoted(strconv.FormatFloat(v, 'g', -1, 64))
		}
	case complex128:
		return quoted(strconv.FormatComplex(v, 'g', -1, 128))
	}
	text, err := json.Marshal(v)
	if err != nil {
		text, err = json.Marshal(withTexts(v, 0))
	}
	if err != nil {
		return quoted("(" + typ + ")")
	}
	return text
}

// maxTexts is how deep withTexts goes: a value may hold itself.
const maxTexts = 100

// withTexts is v with texts for the numbers in it that JSON has no form for, such as NaN, which are not to lose what is
// around them.
func withTexts(v any, depth int) any {
	rv := reflect.ValueOf(v)
	if depth++; v == nil || depth > maxTexts {
		return nil
	}
	if _, ok := v.(json.Marshaler); ok {
		return v
	}
	if rv.CanFloat() && (math.IsNaN(rv.Float()) || math.IsInf(rv.Float(), 0)) {
		return strconv.FormatFloat(rv.Float(), 'g', -1, 64)
	}
	if rv.CanComplex() {
		return strconv.FormatComplex(rv.Complex(), 'g', -1, 128)
	}
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		list := make([]any, rv.Len())
		for i := range list {
			list[i] = withTexts(rv.Index(i).Interface(), depth)
		}
		return list
	case reflect.Map:
		if rv.Type().Key().Kind() == reflect.String && !rv.IsNil() {
			object := map[string]any{}
			for it := rv.MapRange(); it.Next(); {
				object[it.Key().String()] = withTexts(it.Value().Interface(), depth)
			}
			return object
		}
	}
	return v
}

func quoted(s string) json.RawMessage {
	text, _ := json.Marshal(s) // a string always has a form
	return text
}
