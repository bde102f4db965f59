package shim

import "reflect"

// MayWrite answers the one question that is asked before a run writes to memory that it has not made: at
// is the address of a variable of type rt, of the first element of a slice, or of a map. It may write to what it was
// given, by functions of rows and of the host, and not to what the process shares, nor to all of an error that a variable
// of the host points to. whole is set if a pointer leads to the variable, a struct, and all of it is replaced: fields that
// scripts do not see too. Of types that no row lists, of those that scripts hold behind a pointer only, and of the host's
// own with such fields, that may not be.
func (e *Env) MayWrite(at uintptr, rt reflect.Type, whole bool) bool {
	if e.Rules == nil || e.Rules.Shared(at) || e.Rules.HoldsError(at, rt) {
		return false
	}
	return !whole || e.rights(rt).Replace
}

// MayMake reports whether scripts may have variables of a struct type of the host's: not of those that they
// hold behind a pointer only.
func (e *Env) MayMake(rt reflect.Type) bool { return e.rights(rt).Make }

// Rights are what a run may do with values of a struct type of the host's: make variables of it, and replace all of one
// that is there.
type Rights struct{ Make, Replace bool }

func (e *Env) rights(rt reflect.Type) Rights {
	r, ok := e.known[rt]
	if !ok && e.Rules != nil {
		r = e.Rules.Rights(rt)
		if e.known == nil {
			e.known = map[reflect.Type]Rights{}
		}
		e.known[rt] = r
	}
	return r
}
