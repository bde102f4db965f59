package builtins

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// errorNamed is the name of the host's variable, by the path of its package, that holds err itself: programs compare
// errors with it.
func (t *Table) errorNamed(err error) (name string, ok bool) {
	if !reflect.TypeOf(err).Comparable() {
		return "", false
	}
	for _, path := range slices.Sorted(maps.Keys(t.pkgs)) {
		p := t.pkgs[path]
		for i := range p.Members {
			if held := heldError(p, &p.Members[i]); held != nil && reflect.TypeOf(held) == reflect.TypeOf(err) && held == err {
				return path + "." + p.Members[i].Name, true
			}
		}
	}
	return "", false
}

// namedError is the error that errorNamed has named so.
func (t *Table) namedError(name string) (error, error) {
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		if p := t.pkgs[name[:dot]]; p != nil {
			if row := p.rowsByName()[name[dot+1:]]; row != nil {
				if held := heldError(p, row); held != nil {
					return held, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("the policy has no error %s", name)
}

// heldError is what a variable of the host's holds that is an error; nil for any other member.
func heldError(p *pkg, row *Member) error {
	if !p.OfHost || row.Deny || row.IsType() || row.Value == nil {
		return nil
	}
	v := reflect.ValueOf(row.Value)
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.Type().Elem().Implements(shim.ErrorType) {
		return nil
	}
	err, _ := v.Elem().Interface().(error)
	return err
}
