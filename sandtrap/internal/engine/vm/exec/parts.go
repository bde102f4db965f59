package exec

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Parts is what the machine asks of the packages above it, which know the machine.
type Parts struct {
	// ExportTo makes of an interface value what the host may have in a place with the interface type it.
	ExportTo func(m *Machine, v any, it reflect.Type) any

	// Opaque is a value of the script that the host can do nothing with but give it back.
	Opaque func(m *Machine, f *Iface) any

	// ShownType is a reflect.Type of the host's as scripts have it.
	ShownType func(m *Machine, t reflect.Type) reflect.Type

	// ReflectMethod is a method of a type of package reflect as scripts have it: a function with the receiver
	// first. It is not valid for types of other packages.
	ReflectMethod func(m *Machine, recv reflect.Type, name string) reflect.Value

	// ValueText is the text of a reflect.Value of the script's.
	ValueText func(v reflect.Value) string

	// PanicText is what Go prints of a panic, which may call methods of the script.
	PanicText func(m *Machine, p *PanicRec) string

	// FormatPanic prints the value of a panic of the script that host code has recovered.
	FormatPanic func(p *ScriptPanic, s fmt.State, verb rune)
}

// Above has them: they are set when the program starts.
var Above Parts

// Does has what each operation does that leaves the loop, by its number. It has a row for each number that there can
// be, so that none is looked at before it is used.
var Does [1 << 8]func(*Machine, *ir.SlowOp)
