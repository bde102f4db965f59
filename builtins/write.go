package builtins

import "reflect"

// MayWrite answers the one question that is asked before a run writes to memory that it has not made: at
// is the address of a variable of type rt, of the first element of a slice, or of a map. It may write to what it was
// given, by functions of rows and of the host, and not to what the process shares. whole is set if a pointer leads to
// the variable, a struct, and all of it is replaced: fields that scripts do not see too. Of types that no row lists, of those that scripts hold
// behind a pointer only, and of the host's own with such fields, that may not be.
func (e *Env) MayWrite(at uintptr, rt reflect.Type, whole bool) bool {
	if sharedMemory().holds(at) {
		return false
	}
	return !whole || e.rights(rt).replace
}

// MayMake reports whether scripts may have variables of a struct type of the host's: not of those that they
// hold behind a pointer only.
func (e *Env) MayMake(rt reflect.Type) bool { return e.rights(rt).make }

// rights are what a run may do with values of a struct type of the host's.
type rights struct{ make, replace bool }

func (e *Env) rights(rt reflect.Type) rights {
	r, ok := e.known[rt]
	if !ok && e.table != nil {
		r = e.table.rightsOf(rt)
		if e.known == nil {
			e.known = map[reflect.Type]rights{}
		}
		e.known[rt] = r
	}
	return r
}

// rightsOf looks up the rows. mu is not held.
func (t *Table) rightsOf(rt reflect.Type) rights {
	t.mu.Lock()
	defer t.mu.Unlock()
	return rights{make: !t.handleType(rt), replace: t.replaceable(rt)}
}

func (t *Table) handleType(rt reflect.Type) bool {
	_, row := t.decides(rt)
	return row != nil && row.Handle
}

// replaceable reports that scripts may set all of a variable of the type at once.
func (t *Table) replaceable(rt reflect.Type) bool {
	switch {
	case rt.Kind() == reflect.Array:
		return t.replaceable(rt.Elem())
	case rt.Kind() != reflect.Struct:
		return true
	case rt.Name() != "":
		p, row := t.decides(rt)
		if row == nil || row.Deny || row.Handle {
			return false
		}
		if !p.own {
			return true
		}
	}
	shown := t.shownFields(rt, false)
	for _, i := range shown {
		if !t.replaceable(rt.Field(i).Type) {
			return false
		}
	}
	return len(shown) == rt.NumField()
}
