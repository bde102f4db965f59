package vm

import (
	"fmt"
	"go/types"
	"reflect"
)

// A madeError is a value of a made type as code of the host sees it that knows errors.
type madeError struct {
	m *machine
	v any
}

// exportMade is v, a value of the host's, as an error if it is of a made type that is one.
func (m *machine) exportMade(v any) any {
	if v != nil && isMade(reflect.TypeOf(v)) && m.hostShows(v, errorMethod) {
		return madeError{m, v}
	}
	return v
}

func (e madeError) Error() string {
	return e.m.method(reflect.TypeOf(e.v), "Error").Call([]reflect.Value{reflect.ValueOf(e.v)})[0].String()
}

// FormatAt prints the value as Go prints one that is an error.
func (e madeError) FormatAt(s fmt.State, verb rune, depth int) {
	e.m.seam.Show(s, verb, reflect.ValueOf(e.v), depth, false, "")
}

func (e madeError) HostError() any { return e.v }

// HostValue is what the script has.
func (e madeError) HostValue() any { return e.v }

func (e madeError) goName() string { return e.m.seam.TypeName(e.v) }

// The methods that the package looks for in an error.

var errorGoType = types.Universe.Lookup("error").Type()
