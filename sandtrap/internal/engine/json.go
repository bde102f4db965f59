package engine

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// JSON is v, a value as Var has it, in JSON. What JSON has no form for is a text: errors their
// message, numbers that are none their name, all else its type, typ.
func JSON(v any, typ string) (out json.RawMessage) {
	defer func() {
		if recover() != nil { // a method of a host type
			out = quoted("(" + typ + ")")
		}
	}()
	text, err := json.Marshal((&texts{left: mostTexts}).of(v, 0))
	if err != nil {
		return quoted("(" + typ + ")")
	}
	return text
}

// maxTexts is how deep texts.of goes.
const maxTexts = 100

// texts are put in place of values, as long as there are not too many of these: a value may hold itself.
type texts struct{ left int }

const mostTexts = 1 << 22

// of is v with texts for the errors in it, and for the numbers that JSON has no form for, such as NaN, which are
// not to lose what is around them.
func (t *texts) of(v any, depth int) any {
	rv := reflect.ValueOf(v)
	t.left--
	if depth++; v == nil || depth > maxTexts || t.left < 0 {
		return nil
	}
	switch v := v.(type) {
	case json.Marshaler, encoding.TextMarshaler, []byte:
		return v
	case error:
		return v.Error()
	}
	if rv.CanFloat() && (math.IsNaN(rv.Float()) || math.IsInf(rv.Float(), 0)) {
		return strconv.FormatFloat(rv.Float(), 'g', -1, 64)
	}
	if rv.CanComplex() {
		return strconv.FormatComplex(rv.Complex(), 'g', -1, 128)
	}
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		if e := rv.Type().Elem().Kind(); rv.Kind() == reflect.Slice && rv.IsNil() || e <= reflect.Uintptr || e == reflect.String {
			return v
		}
		list := make([]any, rv.Len())
		for i := range list {
			list[i] = t.of(rv.Index(i).Interface(), depth)
		}
		return list
	case reflect.Map:
		key := rv.Type().Key()
		if rv.IsNil() || key.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return v
		}
		object := map[string]any{}
		for it := rv.MapRange(); it.Next(); {
			if k := it.Key(); k.Kind() == reflect.String {
				object[k.String()] = t.of(it.Value().Interface(), depth)
			} else if hasText(k.Type()) {
				object[fmt.Sprint(k.Interface())] = t.of(it.Value().Interface(), depth)
			} else {
				return noForm(rv, depth)
			}
		}
		return object
	}
	if formless.Has(rv.Kind()) {
		return noForm(rv, depth)
	}
	return v
}

// formless are the kinds without a form in JSON.
var formless = kinds.Of(reflect.Func, reflect.Chan, reflect.UnsafePointer)

// noForm is what stands for a value without a form in JSON. All of the variable it is refused, for who knows its type
// better.
func noForm(rv reflect.Value, depth int) any {
	if depth == 1 {
		return rv.Interface()
	}
	return "(" + rv.Type().String() + ")"
}

// hasText reports that keys of a type can be written down: they are of a basic kind, or lists of such.
func hasText(rt reflect.Type) bool {
	return kindClass(rt.Kind()) != 0 || rt.Kind() == reflect.Array && rt.Name() == "" && hasText(rt.Elem())
}

func quoted(s string) json.RawMessage {
	text, _ := json.Marshal(s) // a string always has a form
	return text
}
