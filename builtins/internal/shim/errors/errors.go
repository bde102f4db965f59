package errors

import (
	"errors"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/vfs"
)

const Source = `
func AsType[E error](err error) (E, bool)
`

// maxJoined bounds the errors one error may be made of. The text of joined
// errors is made when it is asked for, and a search visits all of them: both by
// host code that cannot be interrupted.
const maxJoined = 1 << 16

func Join(e *shim.Env) func(...error) error {
	return func(errs ...error) error {
		e.ChargeProduct(int64(len(errs)), 16)
		left := maxJoined
		for _, err := range errs {
			countErrors(err, &left)
		}
		if left <= 0 {
			e.Charge(shim.Huge)
			panic(shim.RuntimeError("errors.Join: too many errors in one"))
		}
		return errors.Join(errs...)
	}
}

// countErrors takes from left the number of errors that err is made of. It calls
// no method of the script's.
func countErrors(err error, left *int) {
	for err != nil && *left > 0 {
		*left--
		if !shim.HostError(err) {
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

// has reports that err has a method that packages look for, and that scripts see.
func has(e *shim.Env, err error, method string) bool {
	return e.Foreign(err) || e.Showing(reflect.TypeOf(err)).Has[method]
}

func Unwrap(e *shim.Env) func(error) error {
	return func(err error) error {
		if err == nil || !has(e, err, "Unwrap") {
			return nil
		}
		next := errors.Unwrap(err)
		if p, ok := next.(shim.PrintedError); ok {
			return p.Value.(error)
		}
		return next
	}
}

// search asks found of each error in a tree of them, until one says yes.
func search(e *shim.Env, err error, found func(error) bool) bool {
	for err != nil {
		e.Check()
		if found(err) {
			return true
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok && has(e, err, "Unwrap") {
			for _, inner := range many.Unwrap() {
				if search(e, inner, found) {
					return true
				}
			}
			return false
		}
		err = Unwrap(e)(err)
	}
	return false
}

func Is(e *shim.Env) func(err, target error) bool {
	return func(err, target error) bool {
		if target == nil {
			return err == nil
		}
		same := reflect.TypeOf(target).Comparable()
		return search(e, err, func(err error) bool {
			if same && err == target {
				return true
			}
			own, ok := err.(interface{ Is(error) bool })
			return ok && has(e, err, "Is") && own.Is(target)
		})
	}
}

func As(e *shim.Env) func(err error, target any) bool {
	return func(err error, target any) bool {
		v := reflect.ValueOf(target)
		switch {
		case err == nil:
			return false
		case target == nil:
			panic("errors: target cannot be nil")
		case v.Kind() != reflect.Pointer || v.IsNil():
			panic("errors: target must be a non-nil pointer")
		}
		if to := v.Type().Elem(); to.Kind() != reflect.Interface && !to.Implements(reflect.TypeFor[error]()) {
			panic("errors: *target must be interface or implement error")
		}
		return asError(e, err, v)
	}
}

// asError is errors.As for a pointer to any type.
func asError(e *shim.Env, err error, target reflect.Value) bool {
	to := target.Type().Elem()
	return search(e, err, func(err error) bool {
		if v := reflect.ValueOf(err); v.Type().AssignableTo(to) && implements(e, v.Type(), to) {
			target.Elem().Set(v)
			return true
		}
		own, ok := err.(interface{ As(any) bool })
		return ok && has(e, err, "As") && own.As(target.Interface())
	})
}

// implements reports that a script sees the methods of the interface it on values of rt.
func implements(e *shim.Env, rt, it reflect.Type) bool {
	if it.Kind() == reflect.Interface && e.Rules != nil {
		for m := range it.Methods() {
			if !e.Rules.Shows(rt, m.Name) {
				return false
			}
		}
	}
	return true
}

func AsType(e *shim.Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	target := reflect.New(ft.Out(0))
	err, _ := args[0].Interface().(error)
	return []reflect.Value{target.Elem(), reflect.ValueOf(asError(e, err, target))}
}

const errorsTooDeep = shim.RuntimeError("errors are nested too deeply, or in a circle")

// TimeoutOf and TemporaryOf are methods of errors that ask the error in them in the same way.
func TimeoutOf[E interface {
	error
	Timeout() bool
}](*shim.Env) func(E) bool {
	return func(err E) bool { shim.Linked(err, errorsTooDeep); return err.Timeout() }
}

func TemporaryOf[E interface {
	error
	Temporary() bool
}](*shim.Env) func(E) bool {
	return func(err E) bool { shim.Linked(err, errorsTooDeep); return err.Temporary() }
}

func OsIsTimeout(*shim.Env) func(error) bool {
	return func(err error) bool { shim.Linked(err, errorsTooDeep); return vfs.IsTimeout(err) }
}
