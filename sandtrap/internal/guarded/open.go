package guarded

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Open says what scripts reach through the value of a member without a call of a function, which somebody could take the place of:
// methods, variables or memory of the host. It is empty for a function, a type without methods, an error, and plain values.
func Open(value any) string {
	v := reflect.ValueOf(value)
	switch own := value.(type) {
	case builtins.Function, builtins.Literal:
		return ""
	case builtins.Made:
		if len(own.Methods) == 0 {
			return ""
		}
		return openMethods
	case builtins.Variable, builtins.Read:
		return "a variable of the host"
	case reflect.Type:
		return methodsOf(own)
	}
	switch _, isError := value.(error); {
	case !v.IsValid() || v.Kind() == reflect.Func:
		return ""
	case v.Kind() == reflect.Pointer && v.IsNil():
		return methodsOf(v.Type().Elem())
	case shared(v.Type()) && !isError:
		return "memory of the host"
	}
	return ""
}

// methodsOf says that values of a type of the host have methods. Those of an interface are of values that only functions give.
func methodsOf(t reflect.Type) string {
	if t.Kind() != reflect.Interface && reflect.PointerTo(t).NumMethod() > 0 {
		return openMethods
	}
	return ""
}

const openMethods = "methods of a type of the host"

// shared reports that a copy of a value of type t leads to the same memory, or has a function in it.
func shared(t reflect.Type) bool {
	if kinds.Nilable.Has(t.Kind()) {
		return true
	}
	if t == reflect.TypeFor[time.Time]() { // which leads to its location, that nobody changes
		return false
	}
	for part := range kinds.Parts(t) {
		if shared(part) {
			return true
		}
	}
	return false
}
