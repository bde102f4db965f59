package ir

import "reflect"

// Closure is a function value.
type Closure struct {
	Fn   *Func
	Caps *Obj
	Host reflect.Value // a host function, if fn is nil
	Recv reflect.Value // its first argument, if it is a method
	Sig  *Type
}
