package engine

import "reflect"

// Unwrapped are the errors that err wraps; some may be nil. A nil pointer is not asked.
func Unwrapped(err error) []error {
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return []error{u.Unwrap()}
	case interface{ Unwrap() []error }:
		return u.Unwrap()
	}
	return nil
}
