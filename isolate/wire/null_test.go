package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// filled is a value of type t in which nothing is empty.
func filled(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(filled(t.Elem(), depth-1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(filled(t.Field(i).Type, depth))
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.Append(v, filled(t.Elem(), depth-1)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key(), depth), filled(t.Elem(), depth-1))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		v.SetUint(1)
	}
	return v
}

// nulled calls do with v for each node in turn that null is in the place of.
func nulled(v any, do func(path string)) {
	var walk func(path string, n any, set func(any))
	walk = func(path string, n any, set func(any)) {
		set(nil)
		do(path)
		set(n)
		switch n := n.(type) {
		case []any:
			for i, e := range n {
				walk(path+"[]", e, func(v any) { n[i] = v })
			}
		case map[any]any:
			for k, e := range n {
				walk(path+".", e, func(v any) { n[k] = v })
			}
		}
	}
	walk("", *v.(*any), func(n any) { *v.(*any) = n })
}

// TestNoNull: no message has a null anywhere, as a value, an element or itself; nor does the other end
// make one of what is nil.
func TestNoNull(t *testing.T) {
	for _, m := range []any{
		Message{}, Greeting{}, posture.Report{}, jobs.Result{}, jobs.CheckReport{}, jobs.CellResult{}, jobs.PrintOp{}, jobs.StdinOp{}, jobs.FileOp{}, posture.SpawnAnswer{}, // read by a host
		posture.Profile{}, jobs.Task{}, jobs.Plan{}, jobs.Script{}, jobs.FuncCall{}, jobs.StdinResult{}, jobs.FileResult{}, posture.SpawnRequest{},
	} {
		typ := reflect.TypeOf(m)
		data, err := Encode(filled(typ, 3).Interface())
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := cbor.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		found := 0
		nulled(&tree, func(path string) {
			data, err := cbor.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			found++
			if err := Decode(data, reflect.New(typ).Interface()); !errors.Is(err, ErrProtocol) {
				t.Errorf("%v with a null at %s: %v", typ, path, err)
			}
		})
		if fields := typ.NumField(); found < fields {
			t.Errorf("%v: %d nodes for %d fields", typ, found, fields)
		}
		if data, _ := Encode(m); bytes.IndexByte(data, 0xf6) >= 0 {
			t.Errorf("%v is sent with a null: %x", typ, data)
		}
	}
}

// TestUnknownField: a field that the reader does not have is refused, at any depth.
func TestUnknownField(t *testing.T) {
	for _, data := range []map[int]any{
		{1: uint8(Job), 99: 1},
		{1: uint8(Job), 99: []any{}},
	} {
		text, err := cbor.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		var m Message
		if err := Decode(text, &m); !errors.Is(err, ErrProtocol) {
			t.Errorf("%v: %v, %+v", data, err, m)
		}
	}
	type outer struct {
		List []Greeting `cbor:"1,keyasint"`
	}
	text, err := cbor.Marshal(map[int]any{1: []any{map[int]any{1: 7, 2: 7}}})
	if err != nil {
		t.Fatal(err)
	}
	var o outer
	if err := Decode(text, &o); !errors.Is(err, ErrProtocol) {
		t.Errorf("%v, %+v", err, o)
	}
}
