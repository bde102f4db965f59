package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// ToHost makes a Go value of type rt from cells.
func ToHost(m *Machine, t *ir.Type, b Bank, k int, rt reflect.Type) reflect.Value {
	if rt.Kind() == reflect.Interface {
		if t.Kind != reflect.Interface && made.IsRecursive(rt) {
			placeholder := reflect.New(rt).Elem()
			made.Resolve(placeholder, ToHost(m, t, b, k, t.Host))
			return placeholder
		}
		return ifaceToHost(m, t, b, k, rt)
	}
	m.Copying(rt)
	if t.Kind == ir.KindHost && rt.Kind() == reflect.Struct {
		return HostDeref(t, b.R[k])
	}
	r := reflect.New(rt).Elem()
	if cellToHost(r, b.I, b.S, k) {
		return r
	}
	switch rt.Kind() {
	case reflect.Complex64, reflect.Complex128:
		r.SetComplex(complex(ir.BitsFloat(b.I[k]), ir.BitsFloat(b.I[k+1])))
	case reflect.Slice:
		sliceToHost(m, t, b, k, r)
	case reflect.Array:
		arrayToHost(m, t, b.R[k], r)
	case reflect.Map:
		mapToHost(m, t, b, k, r)
	case reflect.Pointer:
		ptrToHost(m, t, b, k, r)
	case reflect.Func:
		if c, ok := b.R[k].(*ir.Closure); ok && c != nil {
			r.Set(funcToHost(m, c, t, rt))
		}
	case reflect.Chan:
		return chanToHost(m, b, k, rt)
	case reflect.Struct:
		if rt.NumField() > 0 {
			CannotGive(t, rt)
		}
	default:
		CannotGive(t, rt)
	}
	return r
}

// cellToHost sets r to what cell k of the banks holds. It reports false, and does nothing, if r is of a
// type that takes another bank, or more.
func cellToHost(r reflect.Value, I []int64, S []string, k int) bool {
	switch kind := r.Kind(); {
	case kind == reflect.Bool:
		r.SetBool(I[k] != 0)
	case kind <= reflect.Int64:
		r.SetInt(I[k])
	case kind <= reflect.Uintptr:
		r.SetUint(uint64(I[k]))
	case kind <= reflect.Float64:
		r.SetFloat(ir.BitsFloat(I[k]))
	case kind == reflect.String:
		r.SetString(S[k])
	default:
		return false
	}
	return true
}

// cellFromHost puts v into cell k of the banks. It reports false, and does nothing, if it takes another
// bank, or more.
func cellFromHost(v reflect.Value, I []int64, S []string, k int) bool {
	switch kind := v.Kind(); {
	case kind == reflect.Bool:
		I[k] = ir.BoolBits(v.Bool())
	case kind <= reflect.Int64:
		I[k] = v.Int()
	case kind <= reflect.Uintptr:
		I[k] = int64(v.Uint())
	case kind <= reflect.Float64:
		I[k] = ir.FloatBits(v.Float())
	case kind == reflect.String:
		S[k] = v.String()
	default:
		return false
	}
	return true
}

// Copying pays for a copy of an array or a struct that the host is about to have. Small ones are
// part of what holds them.
func (m *Machine) Copying(rt reflect.Type) {
	if k := rt.Kind(); m != nil && (k == reflect.Array || k == reflect.Struct) && rt.Size() > NativeBytes {
		m.Charge(int64(rt.Size()))
	}
}

// CannotGive is the panic of a script that hands the host what has no Go form.
func CannotGive(t *ir.Type, rt reflect.Type) {
	ThrowPlain("a value of type %s cannot be given to the host as %s", t.Str, rt)
}

// ifaceToHost is a value for a place in the host with an interface type.
func ifaceToHost(m *Machine, t *ir.Type, b Bank, k int, rt reflect.Type) reflect.Value {
	var v any
	if t.Kind == reflect.Interface {
		v = b.R[k]
	} else {
		v = Box(m, t, b, k)
	}
	if m != nil {
		v = m.ExportTo(v, rt)
	}
	if rt == reflect.TypeFor[any]() {
		held := v
		return reflect.ValueOf(&held).Elem()
	}
	r := reflect.New(rt).Elem()
	if v != nil {
		if !reflect.TypeOf(v).AssignableTo(rt) {
			CannotGive(t, rt)
		}
		r.Set(reflect.ValueOf(v))
	}
	return r
}

// StoreSlice is the Go slice of a store, invalid if it has none.
func StoreSlice(o any) reflect.Value {
	switch o := o.(type) {
	case *ir.Obj:
		if to := EscapedTo(o); to != nil {
			return to.V
		}
		return reflect.Value{}
	case *HostVals:
		return o.V
	}
	return reflect.ValueOf(o).Elem().Field(0)
}

func arrayToHost(m *Machine, t *ir.Type, v any, r reflect.Value) {
	if v == nil {
		return
	}
	if s := StoreSlice(v); s.IsValid() && s.Type().Elem() == r.Type().Elem() {
		reflect.Copy(r, s)
		return
	}
	for i := range t.N {
		m.crossed()
		r.Index(i).Set(ToHost(m, t.Elem, ElemCells(t.Elem, v, i), 0, r.Type().Elem()))
	}
}

func sliceToHost(m *Machine, t *ir.Type, b Bank, k int, r reflect.Value) {
	o := b.R[k]
	if o == nil {
		return
	}
	n, off, c := int(b.I[k]), int(b.I[k+1]>>32), int(b.I[k+1]&0xffffffff)
	if obj, ok := o.(*ir.Obj); ok && (m.Sharing || r.Type().Name() != "") {
		m.escape(obj, t.Elem, r.Type().Elem())
	}
	if h, ok := o.(*HostVals); ok && h.fixed && h.V.Type().Elem() == r.Type().Elem() {
		r.Set(m.cloned(h.V.Slice(off, off+n)).Convert(r.Type()))
		return
	}
	if ir.SliceInto(r.Addr().Interface(), o, off, n, c) {
		m.noteSlice(r, t, o, off)
		return
	}
	if v := StoreSlice(o); v.IsValid() && v.Type().Elem() == r.Type().Elem() {
		r.Set(v.Slice3(off, off+n, off+c).Convert(r.Type()))
		m.noteSlice(r, t, o, off)
		return
	}
	m.Charge(int64(n) * int64(r.Type().Elem().Size()))
	s := reflect.MakeSlice(r.Type(), n, n)
	for i := range n {
		m.crossed()
		s.Index(i).Set(ToHost(m, t.Elem, ElemCells(t.Elem, o, off+i), 0, r.Type().Elem()))
	}
	r.Set(s)
	m.noteSlice(r, t, o, off)
}

func mapToHost(m *Machine, t *ir.Type, b Bank, k int, r reflect.Value) {
	h, _ := b.R[k].(*Map)
	if h == nil {
		return
	}
	if h.View == nil && (m.Sharing || r.Type().Name() != "") {
		m.promote(h, reflect.MapOf(r.Type().Key(), r.Type().Elem()))
	}
	if h.View != nil && !h.View.fixed && h.View.V.CanConvert(r.Type()) {
		r.Set(h.View.V.Convert(r.Type()))
		return
	}
	h = h.Solid()
	m.Charge(int64(h.Count) * entryBytes(r.Type()))
	r.Set(reflect.MakeMapWithSize(r.Type(), h.Count))
	m.note(r, b.R[k], 0)
	kw, vw := t.Key.W(), t.Elem.W()
	for row := range h.Rows {
		m.crossed()
		if h.Alive[row] {
			r.SetMapIndex(ToHost(m, t.Key, h.Keys, row*kw, r.Type().Key()), ToHost(m, t.Elem, h.Vals, row*vw, r.Type().Elem()))
		}
	}
}

// ptrToHost is a pointer for the host: to the same memory, if that can be had as
// the host has it, else to a variable that is written back after the call.
func ptrToHost(m *Machine, t *ir.Type, b Bank, k int, r reflect.Value) {
	at := int(b.I[k])
	switch o := b.R[k].(type) {
	case nil:
	case HostVar:
		m.mustWrite(reflect.ValueOf(o.p).Elem(), false)
		r.Set(reflect.ValueOf(o.p).Convert(r.Type()))
	case ir.Mem:
		if obj, ok := o.(*ir.Obj); ok && m.Sharing {
			m.escapeVariable(obj, t, r.Type().Elem())
		}
		s := StoreSlice(o)
		elem := r.Type().Elem()
		switch {
		case !s.IsValid():
			m.sharePointer(t, b, k, r)
		case t.W() == 2 && s.Type().Elem() == elem.Elem():
			if h, ok := o.(*HostVals); ok && h.fixed && elem.Name() == "" {
				m.refuseWrite(elem)
			}
			off := int(b.I[k+1] >> 32)
			r.Set(s.Slice(off, off+elem.Len()).Convert(r.Type()))
		case t.W() == 1 && s.Type().Elem() == elem:
			if h, ok := o.(*HostVals); ok && h.fixed {
				m.refuseWrite(elem)
			}
			r.Set(s.Index(at / t.Elem.W()).Addr())
			m.sharedSame(t, o, at, r)
		default:
			CannotGive(t, r.Type())
		}
	default:
		r.Set(reflect.ValueOf(o).Convert(r.Type()))
	}
}

// FromHost puts a Go value into cells as type t.
func FromHost(m *Machine, v reflect.Value, t *ir.Type, b Bank, k int) {
	if v.Kind() == reflect.Interface && t.Kind != reflect.Interface {
		v = made.Resolved(v, t.Host)
	}
	if ir.InOneCell(t.Kind) && cellFromHost(v, b.I, b.S, k) {
		return
	}
	switch t.Kind {
	case reflect.Interface:
		b.R[k] = IfaceFromHost(m, v.Interface())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		b.I[k], b.I[k+1] = ir.FloatBits(real(c)), ir.FloatBits(imag(c))
	case reflect.Slice:
		sliceFromHost(m, v, t, b, k)
	case reflect.Array:
		b.R[k] = arrayFromHost(m, t, v)
	case reflect.Map:
		mapFromHost(m, v, t, b, k)
	case reflect.Pointer:
		PointTo(m, t.Elem, v, b, k)
	case reflect.Func:
		b.R[k] = nil
		if !v.IsNil() {
			b.R[k] = &ir.Closure{Host: v, Sig: t}
		}
	case reflect.Chan:
		chanFromHost(m, v, t, b, k)
	case ir.KindHost:
		p := reflect.New(t.Mem)
		p.Elem().Set(v)
		b.R[k] = p.Interface()
	default:
		if t.W() > 0 {
			ThrowPlain("a value of type %s of the host cannot be taken as %s", v.Type(), t.Str)
		}
	}
}

// IfaceFromHost is a value of the host's in an interface as the script has it, nil if that is nil.
func IfaceFromHost(m *Machine, v any) any {
	x := HostIface(v)
	if rt, ok := x.(reflect.Type); ok && m != nil {
		return Above.ShownType(m, rt)
	}
	return x
}

func arrayFromHost(m *Machine, t *ir.Type, v reflect.Value) any {
	st := NewAgg(t)
	if s := StoreSlice(st); s.IsValid() && s.Type().Elem() == v.Type().Elem() {
		reflect.Copy(s, v)
		return st
	}
	for i := range t.N {
		m.crossed()
		setElem(m, st, t.Elem, i, v.Index(i))
	}
	return st
}

func setElem(m *Machine, st any, t *ir.Type, i int, v reflect.Value) {
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	FromHost(m, v, t, o, 0)
	CopyValue(t, MemOf(st), i*t.W(), o, 0)
}

// sliceFromHost shares the memory of a slice.
func sliceFromHost(m *Machine, v reflect.Value, t *ir.Type, b Bank, k int) {
	b.R[k], b.I[k], b.I[k+1] = nil, 0, 0
	if v.IsNil() {
		return
	}
	n, c := v.Len(), min(v.Cap(), MaxElems)
	if n > c {
		ThrowPlain("a slice of the host has %d elements: a script can have %d", n, c)
	}
	b.R[k], b.I[k], b.I[k+1] = storeOf(m, t.Elem, v.Slice(0, c)), int64(n), int64(c)
}

func mapFromHost(m *Machine, v reflect.Value, t *ir.Type, b Bank, k int) {
	b.R[k] = nil
	if v.IsNil() {
		return
	}
	b.R[k] = viewOf(m, t, v)
}

// CallHost calls f, or its body if that is known. What panics in host code is a panic of the script.
func (m *Machine) CallHost(f reflect.Value, body gates.Body, in []reflect.Value, variadic bool) []reflect.Value {
	backs := m.sharedForCall
	m.sharedForCall = nil
	defer func() {
		m.sharedForCall, m.Keeping = backs, false
		m.ToScriptSide()
	}()
	defer func() {
		if m.Stop != nil {
			return
		}
		switch r := recover().(type) {
		case nil:
		case *ScriptPanic, HaltPanic:
			panic(r)
		case *gates.Stop:
			m.Halt(&Stopped{Gate: r})
		default:
			Throw(r)
		}
	}()
	pending := backs
	var res []reflect.Value
	switch {
	case body != nil:
		res = body(in)
	case variadic:
		res = callSlice(f, in)
	default:
		res = f.Call(in)
	}
	for _, l := range pending {
		m.fetch(l)
	}
	backs = nil
	return res
}

// callSlice calls f, whose last argument is a list. What scripts call most, and what prints
// values in each other, it calls without reflection, which takes 1.5 KB of the Go stack.
func callSlice(f reflect.Value, in []reflect.Value) []reflect.Value {
	switch f := f.Interface().(type) {
	case func(...any) (int, error):
		n, err := f(in[0].Interface().([]any)...)
		return []reflect.Value{reflect.ValueOf(n), reflect.ValueOf(&err).Elem()}
	case func(...any) string:
		return []reflect.Value{reflect.ValueOf(f(in[0].Interface().([]any)...))}
	case func(string, ...any) string:
		return []reflect.Value{reflect.ValueOf(f(in[0].String(), in[1].Interface().([]any)...))}
	case func(string, ...any) error:
		err := f(in[0].String(), in[1].Interface().([]any)...)
		return []reflect.Value{reflect.ValueOf(&err).Elem()}
	}
	return f.CallSlice(in)
}

// A MadeFunc is a function that reflection made, of a type that the host has not.
type MadeFunc func(args *ir.Obj) *ir.Obj

// CallHostClosure calls a host function value with the arguments in cells.
func (m *Machine) CallHostClosure(c *ir.Closure, args *ir.Obj) hostResult {
	pt, rt := c.Sig.In, c.Sig.Out
	if made, ok := c.Host.Interface().(MadeFunc); ok {
		return hostResult{rt, made(args)}
	}
	ft := c.Host.Type()
	var in []reflect.Value
	if c.Recv.IsValid() {
		in = append(in, c.Recv)
	}
	m.Sharing = !c.Recv.IsValid()
	for _, f := range pt.Fields {
		in = append(in, m.Giving(f.Typ, args, f.Off, ft.In(len(in))))
	}
	out := ir.NewObj(rt.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	m.Entering()
	res := m.CallHost(c.Host, nil, in, ft.IsVariadic())
	m.Ended()
	for i, v := range res {
		m.Charge(MadeBytes(v))
		FromHost(m, v, rt.Fields[i].Typ, out, rt.Fields[i].Off)
	}
	return hostResult{rt, out}
}
