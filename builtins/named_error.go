package builtins

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// retype gives members that are errors of types that scripts do not know the type error: they compare others with them.
func (t *Table) retype(p *Package) {
	for i := range p.Members {
		if row := &p.Members[i]; t.IsSentinel(row) {
			err := row.Own.Error
			row.Value = &err
		}
	}
}

// IsSentinel reports the row of such a member.
func (t *Table) IsSentinel(row *Member) bool {
	if row.Own == nil || row.Own.Error == nil {
		return false
	}
	base := reflect.TypeOf(row.Own.Error)
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, listed := t.rowOf(base)
	return listed == nil
}

// A hostError is a variable of the host's that holds an error. Programs compare errors with it.
type hostError struct {
	name     string // after the path of its package
	variable reflect.Value
}

// holds is the error, nil if there is none.
func (h hostError) holds() error {
	err, _ := h.variable.Interface().(error)
	return err
}

// errorsOfHost are they, by name. They are listed when they are first asked for.
func (t *Table) errorsOfHost() []hostError {
	t.errorsOnce.Do(func() { t.hostErrors = t.listHostErrors() })
	return t.hostErrors
}

func (t *Table) listHostErrors() (list []hostError) {
	for _, path := range slices.Sorted(maps.Keys(t.pkgs)) {
		p := t.pkgs[path]
		for i := range p.Members {
			row := &p.Members[i]
			if !p.OfHost || row.Deny || row.IsType() || row.Value == nil {
				continue
			}
			v := reflect.ValueOf(row.Value)
			if v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Implements(shim.ErrorType) {
				list = append(list, hostError{path + "." + row.Name, v.Elem()})
			}
		}
	}
	return list
}

// errorNamed is the name of the host's variable that holds err itself.
func (t *Table) errorNamed(err error) (name string, ok bool) {
	if !reflect.TypeOf(err).Comparable() {
		return "", false
	}
	for _, h := range t.errorsOfHost() {
		if held := h.holds(); held != nil && reflect.TypeOf(held) == reflect.TypeOf(err) && held == err {
			return h.name, true
		}
	}
	return "", false
}

// namedError is the error that errorNamed has named so.
func (t *Table) namedError(name string) (error, error) {
	for _, h := range t.errorsOfHost() {
		if held := h.holds(); held != nil && h.name == name {
			return held, nil
		}
	}
	return nil, fmt.Errorf("the policy has no error %s", name)
}
