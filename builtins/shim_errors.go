package builtins

import (
	"errors"
	"reflect"
)

const errorsSource = `
func AsType[E error](err error) (E, bool)
`

// maxJoined bounds the errors one error may be made of. The text of joined
// errors is made when it is asked for, and a search visits all of them: both by
// host code that cannot be interrupted.
const maxJoined = 1 << 16

func errorsJoin(e *Env) func(...error) error {
	return func(errs ...error) error {
		left := maxJoined
		for _, err := range errs {
			countErrors(err, &left)
		}
		if left <= 0 {
			e.charge(huge)
			panic(runtimeError("errors.Join: too many errors in one"))
		}
		return errors.Join(errs...)
	}
}

// countErrors takes from left the number of errors that err is made of. It calls
// no method of the script's.
func countErrors(err error, left *int) {
	for err != nil && *left > 0 {
		*left--
		if !hostError(err) {
			return
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, inner := range many.Unwrap() {
				countErrors(inner, left)
			}
			return
		}
		err = errors.Unwrap(err)
	}
}

// hostError says whether err was made by errors or fmt.
func hostError(err error) bool {
	rt := reflect.TypeOf(err)
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	return rt.PkgPath() == "errors" || rt.PkgPath() == "fmt"
}

// asError is errors.As for a target of any type.
func asError(err, target reflect.Value) bool {
	if err.IsNil() {
		return false
	}
	return errors.As(err.Interface().(error), target.Interface())
}

func errorsAsType(_ *Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	target := reflect.New(ft.Out(0))
	ok := asError(args[0], target)
	return []reflect.Value{target.Elem(), reflect.ValueOf(ok)}
}
