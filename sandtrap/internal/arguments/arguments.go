// Package arguments shows the arguments of calls: as an object of JSON by the names of parameters, within bounds.
//
// It may not keep a value that a script shares.
package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// Object is the object of arguments. One that encoding/json does not write is the text of its type. It reports false, and gives a text
// that says so, if they are too large, or nested too deep, to be shown.
func Object(params []string, args []reflect.Value) (text json.RawMessage, shown bool) {
	if !fits(args) {
		return json.RawMessage(`"(too large to be shown)"`), false
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, arg := range args {
		if i > 0 {
			b.WriteByte(',')
		}
		name := "p" + strconv.Itoa(i)
		if i < len(params) {
			name = params[i]
		}
		key, _ := marshal(name)
		b.Write(key)
		b.WriteByte(':')
		text, err := marshal(arg.Interface())
		if err != nil {
			text, _ = marshal(fmt.Sprintf("(%v)", arg.Type()))
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), true
}

// marshal is v in JSON, with no letter escaped for HTML.
func marshal(v any) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // a method of v
			err = fmt.Errorf("a method panics with a %T", p)
		}
	}()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Bounds of arguments that are shown. Scripts share parts of values, so that a few of them can be as many as 2^40 in JSON, and
// make lists that are too deep for the stack.
const (
	mostNodes = 100_000
	mostBytes = 16 << 20
	mostDepth = 500
)

// A size is how much of the bounds is left.
type size struct{ nodes, bytes int }

// takes takes a value, and reports that there was room for it.
func (s *size) takes(v reflect.Value, depth int) bool {
	if s.nodes--; s.nodes < 0 || s.bytes < 0 || depth > mostDepth {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		s.bytes -= v.Len()
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || s.takes(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k <= reflect.Complex128 && k != reflect.Invalid {
			s.bytes -= 4 * v.Len()
			break
		}
		for i := range v.Len() {
			if !s.takes(v.Index(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !s.takes(it.Key(), depth+1) || !s.takes(it.Value(), depth+1) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !s.takes(v.Field(i), depth+1) {
				return false
			}
		}
	}
	return s.bytes >= 0
}

// fits reports that arguments are within the bounds.
func fits(args []reflect.Value) bool {
	s := &size{mostNodes, mostBytes}
	for _, v := range args {
		if !s.takes(v, 0) {
			return false
		}
	}
	return true
}
