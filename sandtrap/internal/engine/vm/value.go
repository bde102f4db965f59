package vm

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// Iface is a value of a script type inside an interface. One-cell values are in
// the fields themselves, others in an object of their own.
type Iface struct {
	T *Type
	I int64
	S string
	R any
}

// Closure is a function value.
type Closure struct {
	fn   *Func
	caps *Obj
	host reflect.Value // a host function, if fn is nil
	recv reflect.Value // its first argument, if it is a method
	sig  *Type
}

// bank is a row of cells: a window of registers, or an object.
type bank = *Obj

func sub(b bank, k int) *Obj {
	o := &Obj{}
	if len(b.I) > k {
		o.I = b.I[k:]
	}
	if len(b.S) > k {
		o.S = b.S[k:]
	}
	if len(b.R) > k {
		o.R = b.R[k:]
	}
	return o
}

// rawCopy copies cells without copying what they refer to: for values in
// registers, which never change in place.
func rawCopy(cs []cell, d bank, di int, s bank, si int) {
	for k, c := range cs {
		if c.m&mI != 0 {
			d.I[di+k] = s.I[si+k]
		}
		if c.m&mS != 0 {
			d.S[di+k] = s.S[si+k]
		}
		if c.m&mR != 0 {
			d.R[di+k] = s.R[si+k]
		}
	}
}

func snapshot(t *Type, s bank, si int) *Obj {
	banks := mask(0)
	for _, c := range t.cells {
		banks |= c.m
	}
	o := newObj(t.w(), banks, 1)
	rawCopy(t.cells, o, 0, s, si)
	return o
}

// box makes the interface value of the cells at k.
func box(m *machine, t *Type, b bank, k int) any {
	if t.native {
		if v := boxCommon(t, b, k); v != nil {
			return v
		}
		return toHost(m, t, b, k, t.host).Interface()
	}
	if t.kind == reflect.Interface {
		return b.R[k]
	}
	f := &Iface{T: t}
	if t.w() != 1 {
		f.R = snapshot(t, b, k)
		return f
	}
	switch c := t.cells[0]; {
	case c.m == mI:
		f.I = b.I[k]
	case c.m == mS:
		f.S = b.S[k]
	case c.m == mR:
		f.R = b.R[k]
	default:
		f.I, f.R = b.I[k], b.R[k]
	}
	return f
}

var (
	hostBool    = reflect.TypeFor[bool]()
	hostInt     = reflect.TypeFor[int]()
	hostByte    = reflect.TypeFor[byte]()
	hostRune    = reflect.TypeFor[rune]()
	hostFloat64 = reflect.TypeFor[float64]()
	hostString  = reflect.TypeFor[string]()
)

// boxCommon is box without reflection for the types that are met most, nil for others.
func boxCommon(t *Type, b bank, k int) any {
	switch t.host {
	case hostInt:
		return int(b.I[k])
	case hostString:
		return b.S[k]
	case hostBool:
		return b.I[k] != 0
	case hostFloat64:
		return i2f(b.I[k])
	case hostByte:
		return byte(b.I[k])
	case hostRune:
		return rune(b.I[k])
	}
	return nil
}

// unboxCommon is unbox for these.
func unboxCommon(v any, b bank, k int) bool {
	switch v := v.(type) {
	case int:
		b.I[k] = int64(v)
	case string:
		b.S[k] = v
	case bool:
		b.I[k] = b2i(v)
	case float64:
		b.I[k] = f2i(v)
	case byte:
		b.I[k] = int64(v)
	case rune:
		b.I[k] = int64(v)
	default:
		return false
	}
	return true
}

// unbox puts the content of an interface value, whose dynamic type is t, into
// cells.
func unbox(m *machine, v any, t *Type, b bank, k int) {
	f, ok := v.(*Iface)
	if !ok {
		if !unboxCommon(v, b, k) {
			fromHost(m, reflect.ValueOf(v), t, b, k)
		}
		return
	}
	if t.w() != 1 {
		rawCopy(t.cells, b, k, f.R.(*Obj), 0)
		return
	}
	c := t.cells[0].m
	if c&mI != 0 {
		b.I[k] = f.I
	}
	if c&mS != 0 {
		b.S[k] = f.S
	}
	if c&mR != 0 {
		b.R[k] = f.R
	}
}

func zeroCells(t *Type, b bank, k int) {
	for i, c := range t.cells {
		if c.m&mI != 0 {
			b.I[k+i] = 0
		}
		if c.m&mS != 0 {
			b.S[k+i] = ""
		}
		if c.m&mR != 0 {
			b.R[k+i] = nil
		}
	}
}

// equalCells is == on two values of type t.
func equalCells(p *nest, t *Type, a bank, ai int, b bank, bi int) bool {
	switch t.kind {
	case reflect.Float32, reflect.Float64:
		return i2f(a.I[ai]) == i2f(b.I[bi])
	case reflect.Complex64, reflect.Complex128:
		return i2f(a.I[ai]) == i2f(b.I[bi]) && i2f(a.I[ai+1]) == i2f(b.I[bi+1])
	case reflect.String:
		return p.same(a.S[ai], b.S[bi])
	case reflect.Pointer, reflect.UnsafePointer:
		if t.elem != nil && t.elem.zeroSize() {
			return (a.R[ai] == nil) == (b.R[bi] == nil)
		}
		return equalPtr(a.R[ai], a.I[ai], t.w() == 2, b.R[bi], b.I[bi], func() (int64, int64) { return a.I[ai+1], b.I[bi+1] })
	case reflect.Interface:
		return equalIface(p, a.R[ai], b.R[bi])
	case reflect.Map, reflect.Chan, reflect.Func, reflect.Slice:
		return a.R[ai] == b.R[bi]
	case reflect.Struct:
		if t.agg {
			return equalStruct(p, t, asObj(t, a.R[ai]), 0, asObj(t, b.R[bi]), 0)
		}
		return equalStruct(p, t, a, ai, b, bi)
	case reflect.Array:
		return equalArray(p, t, a.R[ai], b.R[bi])
	case kindHost:
		return equalHost(hostDeref(t, a.R[ai]).Interface(), hostDeref(t, b.R[bi]).Interface())
	case reflect.Invalid:
		return true
	}
	return a.I[ai] == b.I[bi]
}

func asObj(t *Type, v any) *Obj {
	if v == nil {
		return newAgg(t).(*Obj)
	}
	return v.(*Obj)
}

func hostDeref(t *Type, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(t.mem)
	}
	return reflect.ValueOf(v).Elem()
}

func equalStruct(p *nest, t *Type, a bank, ai int, b bank, bi int) bool {
	for _, f := range t.fields {
		if f.name != "_" && !equalCells(p, f.typ, a, ai+f.off, b, bi+f.off) {
			return false
		}
	}
	return true
}

func equalArray(p *nest, t *Type, a, b any) bool {
	if a == nil {
		a = newAgg(t)
	}
	if b == nil {
		b = newAgg(t)
	}
	for i := range t.n {
		p.step()
		x, y := elemCells(t.elem, a, i), elemCells(t.elem, b, i)
		if !equalCells(p, t.elem, x, 0, y, 0) {
			return false
		}
	}
	return true
}

// elemCells gives element i of a store as cells.
func elemCells(t *Type, store any, i int) *Obj {
	switch o := store.(type) {
	case *Obj:
		if to := o.moved(); to != nil {
			return to.elem(i).cells()
		}
		return sub(o, i*t.w())
	case *hostVals:
		return o.elem(i).cells()
	}
	banks := t.cells[0].m
	o := newObj(1, banks, 1)
	m := memOf(store)
	if banks&mI != 0 {
		o.I[0] = m.ldI(i)
	} else {
		o.S[0] = m.ldS(i)
	}
	return o
}

func equalPtr(ra any, ia int64, array bool, rb any, ib int64, offs func() (int64, int64)) bool {
	if array && ra != nil && rb != nil {
		x, y := offs()
		ia, ib = x>>32, y>>32
	}
	if ra == nil || rb == nil {
		return ra == nil && rb == nil
	}
	return ra == rb && ia == ib
}

// equalIface is == on interface values; it panics as Go does on types that
// cannot be compared.
func equalIface(p *nest, a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	fa, ok1 := a.(*Iface)
	fb, ok2 := b.(*Iface)
	if ok1 != ok2 {
		return false
	}
	if !ok1 {
		if x, ok := a.(string); ok {
			y, ok := b.(string)
			return ok && p.same(x, y)
		}
		return equalHost(a, b)
	}
	if fa.T != fb.T {
		return false
	}
	if bad := uncomparable(fa.T); bad != nil {
		throwf("comparing uncomparable type %s", bad.str)
	}
	x, y := ifaceCells(fa), ifaceCells(fb)
	p.in()
	equal := equalCells(p, fa.T, x, 0, y, 0)
	p.out()
	return equal
}

func ifaceCells(f *Iface) *Obj {
	if f.T.w() != 1 {
		return f.R.(*Obj)
	}
	return &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}
}

// equalHost is == on two values of the host's.
func equalHost(a, b any) bool {
	defer func() {
		if err, ok := recover().(runtime.Error); ok { // what they hold cannot be compared
			throw(err)
		}
	}()
	return a == b
}

// uncomparable gives the type to blame, or nil.
func uncomparable(t *Type) *Type {
	switch t.kind {
	case reflect.Slice, reflect.Map, reflect.Func:
		return t
	case kindHost:
		if !t.mem.Comparable() {
			return t
		}
	case reflect.Array:
		if uncomparable(t.elem) != nil {
			return t
		}
	case reflect.Struct:
		for _, f := range t.fields {
			if uncomparable(f.typ) != nil {
				return t
			}
		}
	}
	return nil
}

// hostType is the Type of a Go type, nil if the program has none.
func (p *Program) hostType(rt reflect.Type) *Type {
	if t := universe.byHost[rt]; t != nil {
		return t
	}
	return p.byHost[rt]
}

// dynType is the dynamic type of a non-nil interface value.
func (p *Program) dynType(v any) *Type {
	if f, ok := v.(*Iface); ok {
		return f.T
	}
	return p.hostType(reflect.TypeOf(v))
}

// dynName is the name of the type of what an interface holds.
func (m *machine) dynName(v any) string {
	if f, ok := v.(*Iface); ok {
		return f.T.str
	}
	if g, ok := v.(goNamed); ok {
		return g.goName()
	}
	return m.seam.TypeName(reflect.TypeOf(v))
}

func normFloat(f float64) any {
	if f == 0 {
		return float64(0)
	}
	return f
}

// mapKey gives a comparable Go value that is equal for equal keys.
func mapKey(p *nest, t *Type, b bank, k int) any {
	switch t.kind {
	case reflect.Float32, reflect.Float64:
		if p.exactly() {
			return b.I[k]
		}
		return normFloat(i2f(b.I[k]))
	case reflect.Complex64, reflect.Complex128:
		if p.exactly() {
			return pairKey{b.I[k], b.I[k+1]}
		}
		return complex(i2f(b.I[k]), i2f(b.I[k+1]))
	case reflect.String:
		p.read(len(b.S[k]))
		return b.S[k]
	case reflect.Pointer, reflect.UnsafePointer:
		if b.R[k] == nil {
			return nil
		}
		i := b.I[k]
		if t.w() == 2 {
			i = b.I[k+1] >> 32
		}
		return ptrKey{b.R[k], i}
	case reflect.Interface:
		return ifaceKey(p, b.R[k])
	case reflect.Map, reflect.Chan, reflect.Func:
		return b.R[k]
	case reflect.Struct:
		if t.agg {
			b, k = asObj(t, b.R[k]), 0
		}
		var keys []any
		for _, f := range t.fields {
			if f.name != "_" {
				keys = append(keys, mapKey(p, f.typ, b, k+f.off))
			}
		}
		return joinKeys(keys)
	case reflect.Array:
		keys := make([]any, t.n)
		st := b.R[k]
		if st == nil {
			st = newAgg(t)
		}
		for i := range t.n {
			p.step()
			keys[i] = mapKey(p, t.elem, elemCells(t.elem, st, i), 0)
		}
		return joinKeys(keys)
	case kindHost:
		return p.hashable(hostDeref(t, b.R[k]))
	case reflect.Slice:
		panic("vm: slice as key")
	}
	return b.I[k]
}

// hashable is a value of the host's as a key.
func (p *nest) hashable(v reflect.Value) any {
	if !v.Comparable() {
		p.unhashable(v.Type().String())
	}
	return v.Interface()
}

// unhashable panics for a key with something of a type that has no equality.
func (p *nest) unhashable(name string) {
	if p != nil && p.absent {
		throwPlain("hash of unhashable type: %s", name)
	}
	throwf("hash of unhashable type %s", name)
}

type (
	ptrKey struct {
		r any
		i int64
	}
	pairKey  struct{ a, b any }
	typedKey struct {
		t *Type
		k any
	}
)

// joinKeys makes one key of many, as a tree: hashing goes down it on the Go stack.
func joinKeys(keys []any) any {
	switch n := len(keys); n {
	case 0:
		return nil
	case 1:
		return keys[0]
	default:
		return pairKey{joinKeys(keys[:n/2]), joinKeys(keys[n/2:])}
	}
}

func ifaceKey(p *nest, v any) any {
	f, ok := v.(*Iface)
	if !ok {
		switch v := v.(type) {
		case nil:
			return nil
		case string:
			p.read(len(v))
			return v
		}
		return p.hashable(reflect.ValueOf(v))
	}
	if bad := uncomparable(f.T); bad != nil {
		p.unhashable(bad.str)
	}
	p.in()
	key := typedKey{f.T, mapKey(p, f.T, ifaceCells(f), 0)}
	p.out()
	return key
}

// A runtimeError is one of Go's own run-time panics.
type runtimeError struct{ msg string }

func (e *runtimeError) Error() string { return "runtime error: " + e.msg }
func (e *runtimeError) RuntimeError() {}
func (e *runtimeError) goName() string {
	for _, bounds := range []string{"index out of range", "slice bounds out of range", "cannot convert slice"} {
		if strings.HasPrefix(e.msg, bounds) {
			return "runtime.boundsError"
		}
	}
	return "runtime.errorString"
}

// goNamed are values of the engine that in compiled Go are of a type of that name.
type goNamed interface{ goName() string }

// A typeAssertError has no prefix.
type typeAssertError struct{ msg string }

func (e *typeAssertError) Error() string  { return e.msg }
func (e *typeAssertError) RuntimeError()  {}
func (e *typeAssertError) goName() string { return "*runtime.TypeAssertionError" }

// scriptPanic carries a panic of the script through the slow paths up to the
// loop.
type scriptPanic struct {
	val    any
	goexit bool
	trace  []int // where it was first raised, if not here
}

func throw(v any)                   { panic(&scriptPanic{val: v}) }
func throwf(f string, a ...any)     { throw(&runtimeError{fmt.Sprintf(f, a...)}) }
func throwPlain(f string, a ...any) { throw(&plainError{fmt.Sprintf(f, a...)}) }
func throwNil()                     { throwf("invalid memory address or nil pointer dereference") }

// plainError is a runtime.Error without the prefix.
type plainError struct{ msg string }

func (e *plainError) Error() string { return e.msg }
func (e *plainError) RuntimeError() {}
func (e *plainError) goName() string {
	if strings.HasPrefix(e.msg, "hash of unhashable type") {
		return "maps.unhashableTypeError"
	}
	return "runtime.plainError"
}

// zeroSize reports a type without memory: pointers to it are all equal.
func (t *Type) zeroSize() bool {
	return t.kind == reflect.Array && (t.n == 0 || t.elem.zeroSize()) || t.kind == reflect.Struct && len(t.inner) == 0
}
