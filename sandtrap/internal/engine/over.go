package engine

import (
	"reflect"
	"slices"
)

// OverResults are what a function of a script with results of these types gives code of the host
// that calls it after the run: zero values, and ErrOver for an error that comes last.
func OverResults(types []reflect.Type) []reflect.Value { return FailedResults(types, ErrOver) }

// FailedResults are zero values, and err for an error that comes last.
func FailedResults(types []reflect.Type, err error) []reflect.Value {
	results := make([]reflect.Value, len(types))
	for i, t := range types {
		results[i] = reflect.New(t).Elem()
	}
	if LastIsError(types) {
		results[len(types)-1].Set(reflect.ValueOf(err))
	}
	return results
}

// LastIsError reports that the last of types is that of errors.
func LastIsError(types []reflect.Type) bool {
	return len(types) > 0 && types[len(types)-1] == reflect.TypeFor[error]()
}

// Outs are the types of the results of a function type.
func Outs(t reflect.Type) []reflect.Type { return slices.Collect(t.Outs()) }

// Ins are the types of the parameters of a function type.
func Ins(t reflect.Type) []reflect.Type { return slices.Collect(t.Ins()) }
