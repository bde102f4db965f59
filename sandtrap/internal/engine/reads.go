package engine

import (
	"encoding"
	"encoding/json"
	"reflect"
)

var (
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// ReadsJSON and ReadsText report that variables of rt read their values themselves: from JSON, or from a text.
func ReadsJSON(rt reflect.Type) bool { return readsBy(rt, jsonReader) }
func ReadsText(rt reflect.Type) bool { return readsBy(rt, textReader) }

func readsBy(rt, by reflect.Type) bool {
	return rt.Kind() != reflect.Interface && rt.Kind() != reflect.Pointer && reflect.PointerTo(rt).Implements(by)
}

// readBy has to, a variable of the host's, read from by a method of its type, as package encoding/json does; ok is false if
// it has none for such a value.
func readBy(from, to reflect.Value, p *place) (ok bool, err error) {
	rt := to.Type()
	if !to.CanAddr() || from.Type() == rt {
		return false, nil
	}
	defer func() {
		if v := recover(); v != nil {
			ok, err = true, p.error("the host's type panics when it reads this: %v", v)
		}
	}()
	switch {
	case ReadsJSON(rt):
		err = to.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(JSON(from.Interface(), shape(from.Type())))
	case ReadsText(rt) && from.Kind() == reflect.String:
		err = to.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(from.String()))
	default:
		return false, nil
	}
	if e, ok := err.(*json.UnmarshalTypeError); ok && e.Field != "" {
		return true, p.field(e.Field).error("%s does not fit %s", e.Value, shape(e.Type))
	}
	if err != nil {
		return true, p.error("%v", err)
	}
	return true, nil
}
