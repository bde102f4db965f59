package builtins

import (
	"go/types"
	"iter"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// InputType returns the type that a value of the host has for a script. It is not nil, which has none. An error of
// a type that scripts do not know is an error for them.
func (t *Table) InputType(v any) types.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.typ(t.inputType(v))
}

// inputType is the Go type of InputType. The lock is held.
func (t *Table) inputType(v any) reflect.Type {
	rt := reflect.TypeOf(v)
	if _, is := v.(error); !is {
		return rt
	}
	named := rt
	if rt.Kind() == reflect.Pointer {
		named = rt.Elem()
	}
	if _, row := t.rowOf(named); row != nil {
		return rt
	}
	return shim.ErrorType
}

// InputReader returns a func() T that returns v, for T the type of InputType.
func (t *Table) InputReader(v any) reflect.Value {
	t.mu.Lock()
	rt := t.inputType(v)
	t.mu.Unlock()
	rv := reflect.ValueOf(v)
	if rt != rv.Type() {
		rv = rv.Convert(rt)
	}
	ft := reflect.FuncOf(nil, []reflect.Type{rt}, false)
	return reflect.MakeFunc(ft, func([]reflect.Value) []reflect.Value { return []reflect.Value{rv} })
}

// Knows reports a type of the host's that scripts see something of by its name.
func (t *Table) Knows(rt reflect.Type) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return rt.PkgPath() != "" && !InStd(rt.PkgPath()) && t.lists(rt)
}

// lists reports a type that scripts see something of. The lock is held.
func (t *Table) lists(rt reflect.Type) bool {
	_, row := t.rowOf(rt)
	return row != nil || t.inBase(rt)
}

// HasNewData reports whether v is plain data that scripts cannot see, because its type, or that of a part of it, is a
// named type of the host that they do not know.
func (t *Table) HasNewData(v any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := newData{table: t, types: map[reflect.Type]newness{}, places: map[place]bool{}}
	return d.value(reflect.ValueOf(v), 0)
}

// A newness says what of a type scripts do not know. It is a set.
type newness uint8

const (
	named   newness = 1 << iota // types of plain data by their names
	dynamic                     // it depends on the value
	noData                      // it is no plain data
)

// A place is one that a value leads to.
type place struct {
	at uintptr
	t  reflect.Type
}

// newData looks for types that scripts do not know.
type newData struct {
	table  *Table
	types  map[reflect.Type]newness
	places map[place]bool // looked at
}

// typ is what t is. A type that holds itself is taken for known there.
func (d *newData) typ(t reflect.Type) newness {
	if t.PkgPath() == "" && t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String && t.PkgPath() == "" {
		return 0
	}
	if was, ok := d.types[t]; ok {
		return was
	}
	d.types[t] = 0
	is := d.look(t)
	d.types[t] = is
	return is
}

func (d *newData) look(t reflect.Type) (is newness) {
	switch ofHost := t.PkgPath() != ""; {
	case t == shim.ErrorType:
		return 0
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return dynamic
	case t.Kind() == reflect.Interface, unwritable.Has(t.Kind()):
		return noData
	case made.Is(t), d.table.placeholders[t] != nil: // in a worker
		return noData
	case ofHost && d.table.lists(t): // it is the same in a copy
		return 0
	case ofHost && t.Kind() == reflect.Struct && !showsFields(t):
		return noData
	case ofHost:
		is = named
	}
	if t.Kind() != reflect.Struct {
		for part := range kinds.Parts(t) {
			is |= d.typ(part)
		}
		return is
	}
	for f := range t.Fields() {
		if f.IsExported() {
			is |= d.typ(f.Type)
		}
	}
	return is
}

// showsFields reports a struct that others can read, or that is empty.
func showsFields(t reflect.Type) bool {
	for f := range t.Fields() {
		if f.IsExported() {
			return true
		}
	}
	return t.NumField() == 0
}

// maxInputDepth is how deep values in interfaces are looked for. No copy is made of what is deeper.
const maxInputDepth = 100

// value reports new data in v.
func (d *newData) value(v reflect.Value, depth int) bool {
	if !v.IsValid() || depth > maxInputDepth {
		return false
	}
	if v.Kind() == reflect.Interface {
		return d.value(v.Elem(), depth+1)
	}
	switch is := d.typ(v.Type()); {
	case is&noData != 0:
		return false
	case is&named != 0:
		return true
	case is&dynamic == 0 || !d.first(v):
		return false
	}
	for part := range valueParts(v) {
		if d.value(part, depth+1) {
			return true
		}
	}
	return false
}

// first reports that v is no place, or one that was not looked at.
func (d *newData) first(v reflect.Value) bool {
	if k := v.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Map {
		return true
	}
	at := place{v.Pointer(), v.Type()}
	was := d.places[at]
	d.places[at] = true
	return !was
}

// valueParts are the values that v is made of, or leads to.
func valueParts(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		switch k := v.Kind(); {
		case k == reflect.Pointer:
			yield(v.Elem())
		case k == reflect.Map:
			for it := v.MapRange(); it.Next(); {
				if !yield(it.Key()) || !yield(it.Value()) {
					return
				}
			}
		case kinds.Indexable.Has(k):
			for i := 0; i < v.Len() && yield(v.Index(i)); i++ {
			}
		case k == reflect.Struct:
			for f, part := range v.Fields() {
				if f.IsExported() && !yield(part) {
					return
				}
			}
		}
	}
}
