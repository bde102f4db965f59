// Package made is about types that a worker has in place of those of its host. Structs are made
// while it runs, so Go gives them neither a name nor methods: what they are called,
// and what of a value is not in this process, is in their last field, which no script sees.
// Others come from a stock.
//
// It may not reach a value of a script: it is about types.
package made

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
)

// A State says which value of the other process has what of this one does not cross. The
// zero State is that of a zero value.
type State struct {
	ID      uint64
	Version uint64
}

// stateField has a State; its tag is the type's name, after what keeps it from package encoding/json.
// never comes before it where values cannot be compared.
const (
	stateField = "State_"
	noJSON     = `json:"-" `
	never      = "Never_"
)

var (
	stateType = reflect.TypeFor[State]()
	neverType = reflect.TypeFor[[0]func()]()
)

// Struct makes a type. One that hides something has values that cannot be compared: what
// they hide cannot be looked at.
func Struct(name string, fields []reflect.StructField, hides bool) (t reflect.Type, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be made: %v", name, p)
		}
	}()
	if hides {
		fields = append(fields, reflect.StructField{Name: never, Type: neverType, Tag: noJSON})
	}
	fields = append(fields, reflect.StructField{Name: stateField, Type: stateType, Tag: reflect.StructTag(noJSON + name)})
	return reflect.StructOf(fields), nil
}

// Name is that of a type that Struct made: a path, a dot, and a name.
func Name(t reflect.Type) (name string, ok bool) {
	if t.Kind() != reflect.Struct || t.Name() != "" || t.NumField() == 0 {
		return "", false
	}
	last := t.Field(t.NumField() - 1)
	return strings.TrimPrefix(string(last.Tag), noJSON), last.Type == stateType
}

// Hides reports that the other process has more of a value of t than is here.
func Hides(t reflect.Type) bool {
	n := t.NumField()
	return n > 1 && t.Field(n-2).Name == never && t.Field(n-2).Type == neverType
}

// NumField is how many fields the type of the host has: of one that Struct made, without what only this process knows.
func NumField(t reflect.Type) int {
	n := t.NumField()
	if _, ok := Name(t); ok {
		if n--; n > 0 && Hides(t) {
			n--
		}
	}
	return n
}

// Fields are the first NumField of a struct.
func Fields(t reflect.Type) iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) {
		for i := range NumField(t) {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// StateOf is the state in v, which can be set if v can.
func StateOf(v reflect.Value) *State { return v.Field(v.NumField() - 1).Addr().Interface().(*State) }
