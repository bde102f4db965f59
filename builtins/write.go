package builtins

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// rightsOf looks up the rows. mu is not held.
func (t *Table) rightsOf(rt reflect.Type) shim.Rights {
	t.mu.Lock()
	defer t.mu.Unlock()
	return shim.Rights{Make: !t.handleType(rt), Replace: t.replaceable(rt)}
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
		if !p.OfHost {
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
