package toolfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// read reads the results of f without an error.
func (f *function) read(n names, result json.RawMessage) ([]reflect.Value, error) {
	data := bytes.TrimSpace(result)
	switch {
	case f.out == nil && (len(data) == 0 || string(data) == "null"):
		return nil, nil
	case f.out == nil:
		return nil, fmt.Errorf("%s: it has no result, and %s is one: answer null", f.name, formOf(data))
	case len(data) == 0:
		return nil, fmt.Errorf("%s: there is no result, which is of type %s", f.name, n.of(f.out))
	case string(data) == "null" && !kinds.Nilable.Has(f.out.Kind()):
		return nil, fmt.Errorf("%s: result: null does not fit %s", f.name, n.withKind(f.out))
	}
	into := reflect.New(f.out).Elem()
	if err := decode(data, into.Addr().Interface()); err != nil {
		path, err := n.find(f.out, data, err)
		return nil, fmt.Errorf("%s: result%s: %s", f.name, short(path), short(n.told(err)))
	}
	if !f.many {
		return []reflect.Value{into}, nil
	}
	var list []reflect.Value
	for field, v := range into.Fields() {
		if name, _ := jsonName(field.Name, field.Tag); !hasKey(data, name) {
			return nil, fmt.Errorf("%s: result: there is no %q", f.name, name)
		}
		list = append(list, v)
	}
	return list, nil
}

// hasKey reports that an object has a key, which encoding/json knows by letters of any case.
func hasKey(object []byte, key string) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(object, &keys) != nil {
		return false
	}
	for k := range keys {
		if strings.EqualFold(k, key) {
			return true
		}
	}
	return false
}

// decode reads JSON that has nothing but what fits.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("there is more after its end, at byte %d", d.InputOffset())
	}
	return nil
}

// find looks for the part of data that is no t, which err is about: package encoding/json says where it is of some errors
// alone. It returns the path to it and its own error.
func (n names) find(t reflect.Type, data []byte, err error) (string, error) {
	if !json.Valid(data) {
		return "", err
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for name, part := range parts(t, data) {
		if one := decode(part.alone, reflect.New(t).Interface()); one != nil {
			if part.typ == nil {
				return name, one
			}
			if inner := decode(part.text, reflect.New(part.typ).Interface()); inner != nil {
				path, inner := n.find(part.typ, part.text, inner)
				return name + path, inner
			}
			return name, one
		}
	}
	return "", err
}

// A part is an element of a list or an object.
type part struct {
	text, alone []byte       // it, and what has it alone
	typ         reflect.Type // nil if it has none
}

// parts are those of data, by their paths.
func parts(t reflect.Type, data []byte) func(func(string, part) bool) {
	return func(yield func(string, part) bool) {
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			for i, text := range list {
				if !yield(fmt.Sprintf("[%d]", i), part{text, slices.Concat([]byte("["), text, []byte("]")), t.Elem()}) {
					return
				}
			}
			return
		}
		var object map[string]json.RawMessage
		if k := t.Kind(); k != reflect.Map && k != reflect.Struct || json.Unmarshal(data, &object) != nil {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			p := part{text: object[key], alone: alone(key, object[key])}
			path := fmt.Sprintf("[%q]", key)
			if t.Kind() == reflect.Map {
				p.typ = t.Elem()
			} else {
				p.typ, path = fieldType(t, key), "."+key
			}
			if !yield(path, p) {
				return
			}
		}
	}
}

// alone is an object with one member.
func alone(key string, value json.RawMessage) []byte {
	name, _ := marshal(key) // a text always has a form
	return slices.Concat([]byte("{"), name, []byte(":"), value, []byte("}"))
}

// fieldType is the type of the field with a name in JSON, nil if there is none.
func fieldType(t reflect.Type, key string) (found reflect.Type) {
	for f := range made.Fields(t) {
		switch name, _ := jsonName(f.Name, f.Tag); {
		case name == key:
			return f.Type
		case strings.EqualFold(name, key) && found == nil:
			found = f.Type
		}
	}
	return found
}

// told is err without the names that Go gives types that are made at run time.
func (n names) told(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s does not fit %s", article(e.Value), n.withKind(e.Type))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// maxTold is how many bytes of a result get into an error: names in it may be long.
const maxTold = 500

func short(text string) string {
	if len(text) <= maxTold {
		return text
	}
	return strings.ToValidUTF8(text[:maxTold], "") + "…"
}

// article puts one before what encoding/json calls a value.
func article(what string) string {
	if strings.HasPrefix(what, "a") || strings.HasPrefix(what, "o") {
		return "an " + what
	}
	return "a " + what
}

// formOf is what a text in JSON is, for an error.
func formOf(data []byte) string {
	switch data[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a bool"
	}
	return "a number"
}
