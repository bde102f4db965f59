package inspect

import "reflect"

// A Value is a value where it lies. It has the methods of reflect.Value that encoders
// need; like those they are for the kinds that have what they ask for, and panic for
// others.
type Value interface {
	Type() Type
	Kind() reflect.Kind

	Int() int64 // of integers of all kinds, and 0 or 1 of a bool
	Float() float64
	Complex() complex128
	Text() string
	Bytes() []byte // of an array or slice of bytes, whose memory it is if it can be
	Len() int
	IsNil() bool
	IsZero() bool

	// Elem is what a pointer leads to or an interface holds, nil if that is nothing.
	Elem() Value

	// Index is an element of an array or slice; beyond its end it panics as Go does.
	Index(i int) Value

	// Field is a field of a struct.
	Field(*Field) Value

	// Pairs are the entries of a map as it is now, in no order.
	Pairs() []Pair

	// Held is the value as an interface holds it.
	Held() any

	// Host is the value as code of the host has it. It is for types of the host's.
	Host() any

	// Done says that nobody will use the value again, which need not be said: it saves room
	// where there are many.
	Done()

	// Identity is equal for references to the same.
	Identity() any

	// Reflect is the value as scripts have it.
	Reflect() reflect.Value

	// IsVar reports a variable, which has an address; Addr is that.
	IsVar() bool
	Addr() Value

	// Hidden reports a value that was reached through a field that is not exported.
	Hidden() bool

	// CanSet reports a variable that is not hidden. The methods below are for those; some
	// panic for others as package reflect does.
	CanSet() bool

	SetBool(bool)
	SetInt(int64) // the bits of integers of all kinds
	SetFloat(float64)
	SetComplex(complex128)
	SetText(string)
	SetZero()
	Set(Value)

	// SetBytes gives a slice of bytes this memory.
	SetBytes([]byte)

	// SetHeld makes an interface hold what another one held.
	SetHeld(any)

	// SetHost sets a variable of a type of the host's.
	SetHost(any)

	// SetLen changes the length of a slice, which grows as append lets it.
	SetLen(int)

	// Allocate makes a pointer lead to a new variable, and a map or slice a new one that is
	// empty.
	Allocate()

	// Put sets the element of a key of a map. Both are variables that nothing else refers
	// to.
	Put(key, elem Value)

	// Call calls a method in the method set of the value's type with arguments of the
	// host's, and gives the results as the host has them.
	Call(method string, args ...any) []any
}

// A Pair is a key of a map with its element.
type Pair struct{ Key, Elem Value }

// Marshal calls a method of the form func() ([]byte, error).
func Marshal(v Value, method string) ([]byte, error) {
	out := v.Call(method)
	if err, _ := out[1].(error); err != nil {
		return nil, err
	}
	text, _ := out[0].([]byte)
	return text, nil
}

// Unmarshal calls a method of the form func([]byte) error.
func Unmarshal(v Value, method string, text []byte) error {
	err, _ := v.Call(method, text[:len(text):len(text)])[0].(error)
	return err
}
