// Package inspect is how encoders see the values of a program that runs: as package
// reflect shows those of Go. They need nothing else of the engine, which implements
// it, and the engine asks them for nothing but texts.
//
// What an encoder does is a part of the run: it pays for each step, and any call of a
// Machine or a Value may end the run by a panic that is not to be recovered from. So
// may a call of a method of the script's.
//
// It may not know an encoder or the machine.
package inspect

import (
	"go/types"
	"reflect"
	"sync/atomic"
)

// A Machine is a run of a program.
type Machine interface {
	// Tick pays for a step, and Spend for n of them that cannot be stopped.
	Tick()
	Spend(n int)

	// Look ends the run if it has to end; Check looks at the clock, too.
	Look()
	Check()

	// Charge pays for bytes before they are allocated, Make for those it gives.
	Charge(bytes int64)
	Make(bytes int) []byte

	// Deeper and Shallower bracket one level of a walk that may go round.
	Deeper()
	Shallower()

	// Of is what an interface of the program holds, nil if that is nothing.
	Of(held any) Value

	// New is a new variable, and Zero a value that is none.
	New(t Type) Value

	// Type is that of values of the host's.
	Type(t reflect.Type) Type

	// Fields are those of a struct, of one of the host's those that scripts see.
	Fields(t Type) []*Field

	// Assignable reports that values of from can be assigned to to.
	Assignable(from, to Type) bool

	// Notes are what encoders have noted of a type.
	Notes(t Type) *Notes

	// Reflect is a type as scripts have it.
	Reflect(t Type) reflect.Type

	// Panic panics as code of the script that panics with v, and Fail as a run-time
	// error with this text.
	Panic(v any)
	Fail(text string)
}

// A Type is a type of the program's, or of the host's. Equal types are equal.
type Type interface {
	Kind() reflect.Kind
	Elem() Type
	Key() Type
	Len() int
	String() string     // as Go writes it: main.T
	Name() string       // without its package, empty if it has none
	Types() types.Type  // as go/types has it
	Host() reflect.Type // that of the host it is, nil if it has something of the script's in it
}

// A Field is a field of a struct.
type Field struct {
	Name     string
	Tag      string
	Type     Type
	Index    int // among those that scripts see
	Embedded bool
	Exported bool
	Engine   any // what the engine knows of it
}

// Notes are what encoders keep of a type, each for itself. They may be those of many
// runs of a program at once.
type Notes struct{ JSON, XML Note }

// A Note is made when it is first asked for.
type Note struct{ v atomic.Pointer[any] }

// Get gives the note, which make makes. Two runs may make it at once; one of them wins.
func (n *Note) Get(make func() any) any {
	if v := n.v.Load(); v != nil {
		return *v
	}
	v := make()
	n.v.CompareAndSwap(nil, &v)
	return *n.v.Load()
}

// Method gives the signature of a method that values of t have for the script, nil if
// there is none.
func Method(t types.Type, name string) *types.Signature {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	f, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	return f.Signature()
}
