package vm

import (
	"fmt"
	"go/types"
	"reflect"
)

// A check is a value in cells that has to be one of type t.
type check struct {
	t  *Type
	at *Obj
	k  int
}

// A stretch is elements of a store that have to be of type t.
type stretch struct {
	t      *Type
	store  any
	off, n int
}

// A verifier goes from variables to all that they lead to. What it lets through is what
// compiled code expects to find there.
type verifier struct {
	*restorer
	seen  map[check]bool
	lists map[stretch]bool
	ifs   map[any]bool // maps, and values in interfaces, that were looked at
	todo  []check
	bytes int64 // of what is made when it is used
}

// wrong is the panic of a verifier.
func wrong(t *Type) { panic(fmt.Sprintf("a value that is no %s", t.str)) }

func (v *verifier) all() (err error) {
	v.lists, v.ifs = map[stretch]bool{}, map[any]bool{}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errSaved, r)
		}
	}()
	for len(v.todo) > 0 {
		c := v.todo[len(v.todo)-1]
		v.todo = v.todo[:len(v.todo)-1]
		v.cells(c.t, c.at, c.k)
	}
	return nil
}

func (v *verifier) later(t *Type, at *Obj, k int) {
	c := check{t, at, k}
	if !v.seen[c] {
		v.seen[c] = true
		v.todo = append(v.todo, c)
	}
}

// fits checks that there are cells for a row of them.
func fits(cs []cell, o *Obj, k int) bool {
	if k < 0 {
		return false
	}
	for i, c := range cs {
		if c.m&mI != 0 && k+i >= len(o.I) || c.m&mS != 0 && k+i >= len(o.S) || c.m&mR != 0 && k+i >= len(o.R) {
			return false
		}
	}
	return true
}

// cells checks the value of type t in cell k of o and those after.
func (v *verifier) cells(t *Type, o *Obj, k int) {
	if !fits(t.cells, o, k) {
		wrong(t)
	}
	switch t.kind {
	case reflect.Pointer:
		v.pointer(t, o, k)
	case reflect.Slice:
		off, capacity, n := o.I[k+1]>>32, o.I[k+1]&(1<<32-1), o.I[k]
		if n < 0 || n > capacity || off < 0 || o.R[k] == nil && capacity != 0 {
			wrong(t)
		}
		v.store(t.elem, o.R[k], off, capacity)
	case reflect.Array:
		if o.R[k] == nil {
			v.bytes += valueBytes(t)
		}
		v.store(t.elem, o.R[k], 0, int64(t.n))
	case reflect.Struct:
		v.structure(t, o, k)
	case reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, kindHost:
		if o.R[k] != nil {
			v.reference(t, o.R[k])
		}
	case reflect.UnsafePointer, reflect.Invalid, kindTuple:
		wrong(t)
	case reflect.String, reflect.Complex64, reflect.Complex128:
	default:
		if !inRange(t.kind, o.I[k]) {
			wrong(t)
		}
	}
}

func (v *verifier) structure(t *Type, o *Obj, k int) {
	if t.agg {
		if o.R[k] == nil {
			v.bytes += valueBytes(t)
			return
		}
		in, ok := o.R[k].(*Obj)
		if !ok || !fits(t.inner, in, 0) {
			wrong(t)
		}
		v.inside(t, in)
		return
	}
	for _, f := range t.fields {
		v.cells(f.typ, o, k+f.off)
	}
}

// inside checks the fields of a struct that is an object of its own.
func (v *verifier) inside(t *Type, o *Obj) {
	for _, f := range t.fields {
		v.later(f.typ, o, f.off)
	}
}

func (v *verifier) pointer(t *Type, o *Obj, k int) {
	p, i, e := o.R[k], o.I[k], t.elem
	switch {
	case p == nil:
	case t.w() == 2:
		if i != int64(e.n) || o.I[k+1]&(1<<32-1) < i || o.I[k+1] < 0 {
			wrong(t)
		}
		v.store(e.elem, p, o.I[k+1]>>32, i)
	case e.kind == kindHost:
		if reflect.TypeOf(p) != reflect.PointerTo(e.mem) {
			wrong(t)
		}
	case e.agg:
		in, ok := p.(*Obj)
		if !ok || i != 0 || !fits(e.inner, in, 0) {
			wrong(t)
		}
		v.inside(e, in)
	default:
		if in, ok := p.(*Obj); ok {
			if i < 0 || i > int64(in.cellCount()) {
				wrong(t)
			}
			v.later(e, in, int(i))
			return
		}
		v.store(e, p, i, 1)
	}
}

// store checks n elements of a store.
func (v *verifier) store(t *Type, store any, off, n int64) {
	if store == nil {
		return
	}
	count, ok := elementsOf(t, store)
	if !ok || off < 0 || n < 0 || off+n > count {
		wrong(t)
	}
	o, ok := store.(*Obj)
	s := stretch{t, store, int(off), int(n)}
	if !ok || t.w() == 0 || v.lists[s] {
		return
	}
	v.lists[s] = true
	for i := int(off); i < int(off+n); i++ {
		if k := i * t.w(); hasReferences(t) {
			v.later(t, o, k)
		} else {
			v.cells(t, o, k)
		}
	}
}

func hasReferences(t *Type) bool {
	for _, c := range t.cells {
		if c.m&mR != 0 {
			return true
		}
	}
	return false
}

// elementsOf is how many elements of type t a store has, if it can have such.
func elementsOf(t *Type, store any) (int64, bool) {
	switch o := store.(type) {
	case *Obj:
		if t.w() == 0 {
			return 1 << 40, true
		}
		n := int64(1 << 40)
		for _, bank := range []struct {
			m mask
			n int
		}{{mI, len(o.I)}, {mS, len(o.S)}, {mR, len(o.R)}} {
			for _, c := range t.cells {
				if c.m&bank.m != 0 {
					n = min(n, int64(bank.n/t.w()))
				}
			}
		}
		return n, !isNative(t) && !t.heldByHost()
	case *hostVals:
		return int64(o.v.Len()), o.t == t
	}
	kind, n := nativeKind(store)
	return int64(n), isNative(t) && !t.heldByHost() && t.kind == kind
}

// reference checks what is neither nil nor a place in memory.
func (v *verifier) reference(t *Type, r any) {
	switch t.kind {
	case kindHost:
		if reflect.TypeOf(r) != reflect.PointerTo(t.mem) {
			wrong(t)
		}
	case reflect.Map:
		v.mapping(t, r)
	case reflect.Chan:
		c, ok := r.(*Chan)
		if !ok || c.elem != t.elem {
			wrong(t)
		}
		v.rows(c.elem, c.buf.cells, c.buf.n)
	case reflect.Func:
		v.function(t, r)
	default:
		v.dynamic(t, r)
	}
}

func (v *verifier) mapping(t *Type, r any) {
	h, ok := r.(*Map)
	if !ok || h.t.key != t.key || h.t.elem != t.elem || h.rows < 0 {
		wrong(t)
	}
	if v.ifs[h] {
		return
	}
	v.ifs[h] = true
	if t.key.w()+t.elem.w() == 0 && h.rows > 1 || h.rows > 1<<31-1 {
		wrong(t)
	}
	v.rows(t.key, h.keys, h.rows)
	v.rows(t.elem, h.vals, h.rows)
}

// rows checks n values that lie behind each other.
func (v *verifier) rows(t *Type, o *Obj, n int) {
	if t.w() == 0 {
		return
	}
	for i := range n {
		v.later(t, o, i*t.w())
		if !fits(t.cells, o, i*t.w()) {
			wrong(t)
		}
	}
}

func (v *verifier) function(t *Type, r any) {
	c, ok := r.(*Closure)
	if !ok || c.fn == nil || c.fn.sig != v.program.types.of(t.t.Underlying()) || c.fn.params != c.fn.sig.in.w() || c.caps == nil && len(c.fn.caps) > 0 {
		wrong(t)
	}
	off := 0
	for _, ct := range c.fn.caps {
		v.later(ct, c.caps, off)
		off += ct.w()
	}
}

// dynamic checks a value in an interface.
func (v *verifier) dynamic(t *Type, r any) {
	it, ok := t.t.Underlying().(*types.Interface)
	if !ok {
		wrong(t)
	}
	f, ok := r.(*Iface)
	if !ok {
		v.hostDynamic(t, it, r)
		return
	}
	if it.NumMethods() > 0 && !types.Implements(f.T.t, it) {
		wrong(t)
	}
	if v.ifs[f] {
		return
	}
	v.ifs[f] = true
	if f.T.w() == 1 {
		v.later(f.T, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 0)
		return
	}
	o, ok := f.R.(*Obj)
	if !ok {
		wrong(f.T)
	}
	v.later(f.T, o, 0)
}

func (v *verifier) hostDynamic(t *Type, it *types.Interface, r any) {
	switch r.(type) {
	case *Obj, *Map, *Chan, *Closure, *hostVals, hostVar:
		wrong(t)
	}
	if kind, _ := nativeKind(r); kind != reflect.Invalid {
		wrong(t)
	}
	if it.NumMethods() == 0 {
		return
	}
	if _, ok := r.(error); ok && types.Identical(it, types.Universe.Lookup("error").Type().Underlying()) {
		return
	}
	if ht := v.program.hostType(reflect.TypeOf(r)); ht == nil || !types.Implements(ht.t, it) {
		wrong(t)
	}
}
