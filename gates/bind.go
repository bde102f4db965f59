package gates

import (
	"errors"
	"fmt"
	"reflect"
)

// Recover is the gate around recover(): a stop that reached a deferred call of the script
// continues, every other panic is returned to it.
func Recover(v any) any {
	if s, ok := v.(*Stop); ok {
		panic(s)
	}
	return v
}

// Bind holds the bound values of one run, by number of the binding: host
// functions and readers of host values as reflect.Values, host types as
// reflect.Types. A Bind is filled before the run and then only read.
type Bind struct {
	values []reflect.Value
	bodies []Body
	types  []reflect.Type
}

// A Body implements a function, in the form of reflect.MakeFunc. It keeps none of the arguments, and copies structs among
// them, as a call does, before the script continues.
type Body = func(args []reflect.Value) []reflect.Value

// NewBind returns a table for n bindings.
func NewBind(n int) *Bind {
	return &Bind{values: make([]reflect.Value, n), bodies: make([]Body, n), types: make([]reflect.Type, n)}
}

// Grow makes room for n bindings in all. Between the runs of a session a table may be
// extended, and free numbers bound again.
func (b *Bind) Grow(n int) {
	for len(b.values) < n {
		b.values, b.bodies, b.types = append(b.values, reflect.Value{}), append(b.bodies, nil), append(b.types, nil)
	}
}

// Free removes the binding of number i.
func (b *Bind) Free(i int) { b.values[i], b.bodies[i], b.types[i] = reflect.Value{}, nil, nil }

var errBound = errors.New("bound twice")

// Func binds number i to f, which must be a function.
func (b *Bind) Func(i int, f reflect.Value) error {
	switch {
	case !f.IsValid() || f.Kind() != reflect.Func || f.IsNil():
		return fmt.Errorf("gate %d: not a function", i)
	case b.values[i].IsValid() || b.types[i] != nil:
		return fmt.Errorf("gate %d: %w", i, errBound)
	}
	b.values[i] = f
	return nil
}

// Body sets the body of the function that number i is bound to: a caller by reflection may call body
// instead.
func (b *Bind) Body(i int, body Body) { b.bodies[i] = body }

// Type binds number i to the host type t.
func (b *Bind) Type(i int, t reflect.Type) error {
	switch {
	case t == nil:
		return fmt.Errorf("gate %d: no type", i)
	case b.values[i].IsValid() || b.types[i] != nil:
		return fmt.Errorf("gate %d: %w", i, errBound)
	}
	b.types[i] = t
	return nil
}

// Values returns the functions, by number; missing ones are zero.
func (b *Bind) Values() []reflect.Value { return b.values }

// Bodies returns the bodies, by number; missing ones are nil.
func (b *Bind) Bodies() []Body { return b.bodies }

// Types returns the types, by number; missing ones are nil.
func (b *Bind) Types() []reflect.Type { return b.types }
