package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What the host has given to a run may be memory of all the process: a table of package unicode, io.EOF, an
// object behind a pointer. Here is where the run asks whether it may write to it, and whether it may make
// values of a type at all. The host decides, by the rows of the policy. All that writes to memory that
// is not the run's own comes by here: places, stores and views of the host's memory, and structs of the host's.
// A store and a view ask when they are made, since they stand for the same memory for good.

// mustWrite panics, as a fault of the script, unless the run may write to the variable v of the host's. whole is
// set where a pointer leads to v, and all of it is replaced.
func (m *Machine) mustWrite(v reflect.Value, whole bool) {
	if !m.Host.MayWrite(v.UnsafeAddr(), v.Type(), whole) {
		m.refuseWrite(v.Type())
	}
}

func (m *Machine) refuseWrite(rt reflect.Type) {
	ThrowPlain("cannot write to a %s of the host's", m.TypeOfHost(rt).Str)
}

// fixed reports that the run may not write to the elements of v, a slice or map of the host's.
func (m *Machine) fixed(v reflect.Value) bool {
	if m == nil || v.Kind() == reflect.Slice && v.Cap() == 0 {
		return false
	}
	return !m.Host.MayWrite(v.Pointer(), v.Type(), false)
}

// Readable is v, a value of the host's that an interface holds, for a function of the host: a copy of a slice
// or map that the run may not write to.
func (m *Machine) Readable(v any) any {
	switch v.(type) {
	case nil, string, int, bool, float64, error:
		return v
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Pointer:
		if e := rv.Type().Elem(); ir.KindTypes[e.Kind()] != nil && !rv.IsNil() {
			m.mustWrite(rv.Elem(), false)
		}
	case reflect.Slice, reflect.Map:
		if !rv.IsNil() && m.fixed(rv) {
			return m.cloned(rv).Interface()
		}
	}
	return v
}

// cloned is a copy of v, a slice or map of the host's.
func (m *Machine) cloned(v reflect.Value) reflect.Value {
	m.Charge(int64(v.Len()) * int64(v.Type().Elem().Size()+rowBytes))
	if v.Kind() == reflect.Slice {
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		return c
	}
	c := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		m.crossed()
		c.SetMapIndex(it.Key(), it.Value())
	}
	return c
}

// MustReplace is mustWrite for the struct that p, a pointer of the host's, leads to.
func (m *Machine) MustReplace(p any, whole bool) { m.mustWrite(reflect.ValueOf(p).Elem(), whole) }

// MustMake panics if a variable of type t were, or had elements, that scripts hold behind a pointer only.
func (m *Machine) MustMake(t *ir.Type) { m.mustMakeWithin(t, 0) }

// maxNames bounds how many types with names are looked into: they may be their own elements.
const maxNames = 16

func (m *Machine) mustMakeWithin(t *ir.Type, names int) {
	if t.Named {
		names++
	}
	if names > maxNames || t.Named && t.Host == nil { // the script's own have no such elements
		return
	}
	if t.Kind == ir.KindHost && !m.Host.MayMake(t.Mem) {
		ThrowPlain("scripts hold a %s behind a pointer only: its value cannot be made or copied", t.Str)
	}
	if t.Kind == reflect.Map {
		m.mustMakeWithin(t.Key, names)
	}
	if kinds.Elements.Has(t.Kind) && t.Kind != reflect.Pointer {
		m.mustMakeWithin(t.Elem, names)
	}
}

// EscapedTo is where the values of o went, nil if they are still here.
func EscapedTo(o *ir.Obj) *HostVals {
	to, _ := o.Escaped().(*HostVals)
	return to
}

// escape makes the values of o, which are of type t, memory of the host's of type rt.
func (m *Machine) escape(o *ir.Obj, t *ir.Type, rt reflect.Type) {
	w := t.W()
	if w == 0 || o.Escaped() != nil || o == m.Globals {
		return
	}
	m.Deeper()
	defer m.Shallower()
	n := max(len(o.I), len(o.S), len(o.R)) / w
	m.Charge(int64(n) * int64(rt.Size()))
	was := *o
	to := &HostVals{M: m, T: t, V: reflect.MakeSlice(reflect.SliceOf(rt), n, n)}
	*o = ir.EscapedObj(to)
	done := false
	defer func() {
		if !done { // a value cannot be given to the host
			*o = was
		}
	}()
	for i := range n {
		m.crossed()
		to.elem(i).V.Set(ToHost(m, t, ir.Sub(&was, i*w), 0, rt))
	}
	done = true
}

// escapeVariable moves a variable that a pointer of type t leads to, if it is all of o.
func (m *Machine) escapeVariable(o *ir.Obj, t *ir.Type, rt reflect.Type) {
	if t.W() == 1 && !t.Elem.Agg && max(len(o.I), len(o.S), len(o.R)) == t.Elem.W() {
		m.escape(o, t.Elem, rt)
	}
}
