package vm

import (
	"context"
	"fmt"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A check is a value in cells that has to be one of type t.
type check struct {
	t  *ir.Type
	at *ir.Obj
	k  int
}

// A stretch is elements of a store that have to be of type t.
type stretch struct {
	t      *ir.Type
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
func wrong(t *ir.Type) { panic(fmt.Sprintf("a value that is no %s", t.Str)) }

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

func (v *verifier) later(t *ir.Type, at *ir.Obj, k int) {
	c := check{t, at, k}
	if !v.seen[c] {
		v.seen[c] = true
		v.todo = append(v.todo, c)
	}
}

// fits checks that there are cells for a row of them.
func fits(cs []ir.Cell, o *ir.Obj, k int) bool {
	if k < 0 {
		return false
	}
	for i, c := range cs {
		if c.M&ir.BankI != 0 && k+i >= len(o.I) || c.M&ir.BankS != 0 && k+i >= len(o.S) || c.M&ir.BankR != 0 && k+i >= len(o.R) {
			return false
		}
	}
	return true
}

// cells checks the value of type t in cell k of o and those after.
func (v *verifier) cells(t *ir.Type, o *ir.Obj, k int) {
	if !fits(t.Cells, o, k) {
		wrong(t)
	}
	switch t.Kind {
	case reflect.Pointer:
		v.pointer(t, o, k)
	case reflect.Slice:
		off, capacity, n := o.I[k+1]>>32, o.I[k+1]&(1<<32-1), o.I[k]
		if n < 0 || n > capacity || off < 0 || o.R[k] == nil && capacity != 0 {
			wrong(t)
		}
		v.store(t.Elem, o.R[k], off, capacity)
	case reflect.Array:
		if o.R[k] == nil {
			v.bytes += ir.ValueBytes(t)
		}
		v.store(t.Elem, o.R[k], 0, int64(t.N))
	case reflect.Struct:
		v.structure(t, o, k)
	case reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, ir.KindHost:
		if o.R[k] != nil {
			v.reference(t, o.R[k])
		}
	case reflect.UnsafePointer, reflect.Invalid, ir.KindTuple:
		wrong(t)
	case reflect.String, reflect.Complex64, reflect.Complex128:
	default:
		if !inRange(t.Kind, o.I[k]) {
			wrong(t)
		}
	}
}

func (v *verifier) structure(t *ir.Type, o *ir.Obj, k int) {
	if t.Agg {
		if o.R[k] == nil {
			v.bytes += ir.ValueBytes(t)
			return
		}
		in, ok := o.R[k].(*ir.Obj)
		if !ok || !fits(t.Inner, in, 0) {
			wrong(t)
		}
		v.inside(t, in)
		return
	}
	for _, f := range t.Fields {
		v.cells(f.Typ, o, k+f.Off)
	}
}

// inside checks the fields of a struct that is an object of its own.
func (v *verifier) inside(t *ir.Type, o *ir.Obj) {
	for _, f := range t.Fields {
		v.later(f.Typ, o, f.Off)
	}
}

func (v *verifier) pointer(t *ir.Type, o *ir.Obj, k int) {
	p, i, e := o.R[k], o.I[k], t.Elem
	switch {
	case p == nil:
	case t.W() == 2:
		if i != int64(e.N) || o.I[k+1]&(1<<32-1) < i || o.I[k+1] < 0 {
			wrong(t)
		}
		v.store(e.Elem, p, o.I[k+1]>>32, i)
	case e.Kind == ir.KindHost:
		if reflect.TypeOf(p) != reflect.PointerTo(e.Mem) {
			wrong(t)
		}
	case e.Agg:
		in, ok := p.(*ir.Obj)
		if !ok || i != 0 || !fits(e.Inner, in, 0) {
			wrong(t)
		}
		v.inside(e, in)
	default:
		if in, ok := p.(*ir.Obj); ok {
			if i < 0 || i > int64(in.CellCount()) {
				wrong(t)
			}
			v.later(e, in, int(i))
			return
		}
		v.store(e, p, i, 1)
	}
}

// store checks n elements of a store.
func (v *verifier) store(t *ir.Type, store any, off, n int64) {
	if store == nil {
		return
	}
	count, ok := elementsOf(t, store)
	if !ok || off < 0 || n < 0 || off+n > count {
		wrong(t)
	}
	o, ok := store.(*ir.Obj)
	s := stretch{t, store, int(off), int(n)}
	if !ok || t.W() == 0 || v.lists[s] {
		return
	}
	v.lists[s] = true
	for i := int(off); i < int(off+n); i++ {
		if k := i * t.W(); hasReferences(t) {
			v.later(t, o, k)
		} else {
			v.cells(t, o, k)
		}
	}
}

func hasReferences(t *ir.Type) bool {
	for _, c := range t.Cells {
		if c.M&ir.BankR != 0 {
			return true
		}
	}
	return false
}

// elementsOf is how many elements of type t a store has, if it can have such.
func elementsOf(t *ir.Type, store any) (int64, bool) {
	switch o := store.(type) {
	case *ir.Obj:
		if t.W() == 0 {
			return 1 << 40, true
		}
		n := int64(1 << 40)
		for _, bank := range []struct {
			m ir.Mask
			n int
		}{{ir.BankI, len(o.I)}, {ir.BankS, len(o.S)}, {ir.BankR, len(o.R)}} {
			for _, c := range t.Cells {
				if c.M&bank.m != 0 {
					n = min(n, int64(bank.n/t.W()))
				}
			}
		}
		return n, !ir.IsNative(t) && !exec.HeldByHost(t)
	case *exec.HostVals:
		return int64(o.V.Len()), o.T == t
	}
	kind, n := nativeKind(store)
	return int64(n), ir.IsNative(t) && !exec.HeldByHost(t) && t.Kind == kind
}

// reference checks what is neither nil nor a place in memory.
func (v *verifier) reference(t *ir.Type, r any) {
	switch t.Kind {
	case ir.KindHost:
		if reflect.TypeOf(r) != reflect.PointerTo(t.Mem) {
			wrong(t)
		}
	case reflect.Map:
		v.mapping(t, r)
	case reflect.Chan:
		c, ok := r.(*exec.Chan)
		if !ok || c.Elem != t.Elem {
			wrong(t)
		}
		v.rows(c.Elem, c.Buf.Cells, c.Buf.N)
	case reflect.Func:
		v.function(t, r)
	default:
		v.dynamic(t, r)
	}
}

func (v *verifier) mapping(t *ir.Type, r any) {
	h, ok := r.(*exec.Map)
	if !ok || h.T.Key != t.Key || h.T.Elem != t.Elem || h.Rows < 0 {
		wrong(t)
	}
	if v.ifs[h] {
		return
	}
	v.ifs[h] = true
	if t.Key.W()+t.Elem.W() == 0 && h.Rows > 1 || h.Rows > 1<<31-1 {
		wrong(t)
	}
	v.rows(t.Key, h.Keys, h.Rows)
	v.rows(t.Elem, h.Vals, h.Rows)
}

// rows checks n values that lie behind each other.
func (v *verifier) rows(t *ir.Type, o *ir.Obj, n int) {
	if t.W() == 0 {
		return
	}
	for i := range n {
		v.later(t, o, i*t.W())
		if !fits(t.Cells, o, i*t.W()) {
			wrong(t)
		}
	}
}

func (v *verifier) function(t *ir.Type, r any) {
	c, ok := r.(*ir.Closure)
	if !ok || c.Fn == nil || c.Fn.Sig != v.Program.Types.Of(t.T.Underlying()) || c.Fn.Params != c.Fn.Sig.In.W() || c.Caps == nil && len(c.Fn.Caps) > 0 {
		wrong(t)
	}
	off := 0
	for _, ct := range c.Fn.Caps {
		v.later(ct, c.Caps, off)
		off += ct.W()
	}
}

// dynamic checks a value in an interface.
func (v *verifier) dynamic(t *ir.Type, r any) {
	it, ok := t.T.Underlying().(*types.Interface)
	if !ok {
		wrong(t)
	}
	f, ok := r.(*exec.Iface)
	if !ok {
		v.hostDynamic(t, it, r)
		return
	}
	if it.NumMethods() > 0 && !types.Implements(f.T.T, it) {
		wrong(t)
	}
	if v.ifs[f] {
		return
	}
	v.ifs[f] = true
	if f.T.W() == 1 {
		v.later(f.T, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 0)
		return
	}
	o, ok := f.R.(*ir.Obj)
	if !ok {
		wrong(f.T)
	}
	v.later(f.T, o, 0)
}

func (v *verifier) hostDynamic(t *ir.Type, it *types.Interface, r any) {
	if isOwn(r) {
		wrong(t)
	}
	if it.NumMethods() == 0 {
		return
	}
	if _, ok := r.(error); ok && types.Identical(it, types.Universe.Lookup("error").Type().Underlying()) {
		return
	}
	if _, ok := r.(context.Context); ok && t.Host == reflect.TypeFor[context.Context]() {
		return
	}
	if ht := v.machine.TypeOfHost(reflect.TypeOf(r)); ht == nil || !types.Implements(ht.T, it) {
		wrong(t)
	}
}

// isOwn reports what only the engine has.
func isOwn(r any) bool {
	switch r.(type) {
	case *ir.Obj, *exec.Map, *exec.Chan, *ir.Closure, *exec.HostVals, exec.HostVar, *exec.Iface, part:
		return true
	}
	kind, _ := nativeKind(r)
	return kind != reflect.Invalid
}
