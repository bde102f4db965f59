package shim

import "reflect"

// A Stand says how values of a type of ours print that scripts have in the place of one of Go's.
type Stand struct {
	Value func(v any) any    // a pointer to what Go's has in the same state; nil if ours is printed
	Name  func(v any) string // of the type; nil if the table knows it
}

// stands is written while packages are initialised, and read afterwards.
var stands = map[reflect.Type]Stand{}

// StandsIn says so for values of T. It is for the initialisation of packages.
func StandsIn[T any](s Stand) { stands[reflect.TypeFor[T]()] = s }

// standsFor is what fmt would print of Go's type in the place of v's.
func standsFor(v reflect.Value) (reflect.Value, bool) {
	switch {
	case !v.CanInterface():
		return v, false
	case v.CanAddr():
		v = v.Addr()
	default:
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p
	}
	s := stands[v.Type()]
	if s.Value == nil {
		return v, false
	}
	return reflect.ValueOf(s.Value(v.Interface())).Elem(), true
}

// goTypeName is the name that stands for v's type, or else name of it: %T shows that, and so do the texts of panics.
func goTypeName(v any, name func(reflect.Type) string) string {
	if s := stands[reflect.TypeOf(v)]; s.Name != nil {
		return s.Name(v)
	}
	return name(reflect.TypeOf(v))
}

func init() {
	StandsIn[*Digest](Stand{Name: func(v any) string { return reflect.TypeOf(v.(*Digest).Hash).String() }})
	StandsIn[*Digest32](Stand{Name: func(v any) string { return reflect.TypeOf(v.(*Digest32).Hash32).String() }})
	StandsIn[*Digest64](Stand{Name: func(v any) string { return reflect.TypeOf(v.(*Digest64).Hash64).String() }})
}
