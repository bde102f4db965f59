package vm

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// parts is what the machine asks of the packages above it, which know the machine.
type parts struct {
	// exportTo makes of an interface value what the host may have in a place with the interface type it.
	exportTo func(m *machine, v any, it reflect.Type) any

	// opaque is a value of the script that the host can do nothing with but give it back.
	opaque func(m *machine, f *Iface) any

	// shownType is a reflect.Type of the host's as scripts have it.
	shownType func(m *machine, t reflect.Type) reflect.Type

	// reflectMethod is a method of a type of package reflect as scripts have it: a function with the receiver
	// first. It is not valid for types of other packages.
	reflectMethod func(m *machine, recv reflect.Type, name string) reflect.Value

	// valueText is the text of a reflect.Value of the script's.
	valueText func(v reflect.Value) string

	// panicText is what Go prints of a panic, which may call methods of the script.
	panicText func(m *machine, p *panicRec) string

	// formatPanic prints the value of a panic of the script that host code has recovered.
	formatPanic func(p *scriptPanic, s fmt.State, verb rune)
}

// above has them: they are set when the program starts.
var above parts

// does has what each operation does that leaves the loop, by its number. It has a row for each number that there can
// be, so that none is looked at before it is used.
var does [1 << 8]func(*machine, *ir.SlowOp)
