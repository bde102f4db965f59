package vm

import "reflect"

// Closure is a function value.
type Closure struct {
	fn   *Func
	caps *Obj
	host reflect.Value // a host function, if fn is nil
	recv reflect.Value // its first argument, if it is a method
	sig  *Type
}
