package wrap

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Goes reports that the host gets a value of type t in an interface as one of its own.
// A pointer, or a function, is that only to who may keep it: for others it has the
// place in memory that the script sees.
func Goes(m *exec.Machine, t *ir.Type) bool {
	switch {
	case t.Host == nil || t.Kind == reflect.Chan:
		return false
	case t.Elem != nil && t.Elem.Host == exec.ValueType: // fmt would look into each
		return m.Sharing
	case t.Kind == reflect.Func || t.Kind == reflect.Pointer:
		return m.Sharing
	case m.Keeping && GoesAsCopy(t):
		return false
	}
	return true
}

// GoesAsCopy reports that the host's form of a value of type t is a copy, whose elements are not those that the script
// has: what a member of the library keeps for the script has to stay the script's own.
func GoesAsCopy(t *ir.Type) bool {
	switch t.Kind {
	case reflect.Map:
		return true
	case reflect.Slice:
		return !ir.IsNative(t.Elem)
	case reflect.Array:
		return t.Elem.Kind == reflect.Pointer || t.Elem.Kind == reflect.Func || GoesAsCopy(t.Elem)
	}
	return false
}
