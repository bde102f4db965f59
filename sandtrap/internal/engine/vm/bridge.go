package vm

import (
	"fmt"
	"go/types"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// hostIface is a value of the host as an interface of the script holds it.
func hostIface(v any) any {
	if w, ok := v.(wrapped); ok {
		return w.script()
	}
	return v
}

// toHost makes a Go value of type rt from cells.
func toHost(m *machine, t *Type, b bank, k int, rt reflect.Type) reflect.Value {
	if rt.Kind() == reflect.Interface {
		var v any
		if t.kind == reflect.Interface {
			v = b.R[k]
		} else {
			v = box(t, b, k)
		}
		if m != nil {
			v = m.exportTo(v, rt)
		}
		r := reflect.New(rt).Elem()
		if v != nil {
			if !reflect.TypeOf(v).AssignableTo(rt) {
				panic(fmt.Sprintf("vm: a %s cannot be given to the host as %s", t.str, rt))
			}
			r.Set(reflect.ValueOf(v))
		}
		return r
	}
	r := reflect.New(rt).Elem()
	switch rt.Kind() {
	case reflect.Bool:
		r.SetBool(b.I[k] != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.SetInt(b.I[k])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.SetUint(uint64(b.I[k]))
	case reflect.Float32, reflect.Float64:
		r.SetFloat(i2f(b.I[k]))
	case reflect.Complex64, reflect.Complex128:
		r.SetComplex(complex(i2f(b.I[k]), i2f(b.I[k+1])))
	case reflect.String:
		r.SetString(b.S[k])
	case reflect.Slice:
		sliceToHost(m, t, b, k, r)
	case reflect.Array:
		v := b.R[k]
		if v == nil {
			v = newAgg(t)
		}
		if s := storeSlice(v); s.IsValid() && s.Type().Elem() == r.Type().Elem() {
			reflect.Copy(r, s)
			return r
		}
		for i := range t.n {
			r.Index(i).Set(toHost(m, t.elem, elemCells(t.elem, v, i), 0, rt.Elem()))
		}
	case reflect.Map:
		mapToHost(m, t, b, k, r)
	case reflect.Pointer:
		ptrToHost(m, t, b, k, r)
	case reflect.Func:
		if c, ok := b.R[k].(*Closure); ok && c != nil {
			r.Set(funcToHost(m, c, t, rt))
		}
	case reflect.Struct:
		if t.kind == kindHost {
			return hostDeref(t, b.R[k])
		}
		panic("vm: a " + t.str + " cannot be given to the host")
	default:
		panic("vm: a " + t.str + " cannot be given to the host")
	}
	return r
}

func storeSlice(o any) reflect.Value {
	if _, ok := o.(*Obj); ok {
		return reflect.Value{}
	}
	return reflect.ValueOf(o).Elem().Field(0)
}

func sliceToHost(m *machine, t *Type, b bank, k int, r reflect.Value) {
	o := b.R[k]
	if o == nil {
		return
	}
	n, off, c := int(b.I[k]), int(b.I[k+1]>>32), int(b.I[k+1]&0xffffffff)
	if v := storeSlice(o); v.IsValid() && v.Type().Elem() == r.Type().Elem() {
		r.Set(v.Slice3(off, off+n, off+c).Convert(r.Type()))
		return
	}
	s := reflect.MakeSlice(r.Type(), n, n)
	for i := range n {
		s.Index(i).Set(toHost(m, t.elem, elemCells(t.elem, o, off+i), 0, r.Type().Elem()))
	}
	r.Set(s)
}

func mapToHost(m *machine, t *Type, b bank, k int, r reflect.Value) {
	h, _ := b.R[k].(*Map)
	if h == nil {
		return
	}
	r.Set(reflect.MakeMapWithSize(r.Type(), h.count))
	kw, vw := t.key.w(), t.elem.w()
	for row := range h.rows {
		if h.alive[row] {
			r.SetMapIndex(toHost(m, t.key, h.keys, row*kw, r.Type().Key()), toHost(m, t.elem, h.vals, row*vw, r.Type().Elem()))
		}
	}
}

func ptrToHost(m *machine, t *Type, b bank, k int, r reflect.Value) {
	switch o := b.R[k].(type) {
	case nil:
	case mem:
		p := reflect.New(r.Type().Elem())
		cells, at := o, int(b.I[k])
		var loc *Obj
		read := func() *Obj {
			loc = newObj(t.elem.w(), mI|mS|mR, 1)
			for i, c := range t.elem.cells {
				loadCell(loc, i, cells, at+i, c.m)
			}
			return loc
		}
		if t.elem.agg {
			panic("vm: a " + t.str + " cannot be given to the host")
		}
		p.Elem().Set(toHost(m, t.elem, read(), 0, p.Type().Elem()))
		m.backs = append(m.backs, func() {
			fromHost(m, p.Elem(), t.elem, loc, 0)
			copyCells(t.elem.cells, cells, at, loc, 0)
		})
		r.Set(p)
	default:
		r.Set(reflect.ValueOf(o))
	}
}

// funcToHost wraps a script function for host code.
func funcToHost(m *machine, c *Closure, t *Type, rt reflect.Type) reflect.Value {
	if c.fn == nil {
		return c.host
	}
	sig := t.in
	return reflect.MakeFunc(rt, func(in []reflect.Value) []reflect.Value {
		args := newObj(c.fn.params+1, mI|mS|mR, 1)
		at := 0
		for i, v := range in {
			pt := sig.fields[i].typ
			fromHost(m, v, pt, args, at)
			at += pt.w()
		}
		res := m.callback(c.fn, c, args, c.fn.params)
		var out []reflect.Value
		for i := range rt.NumOut() {
			f := c.fn.results.fields[i]
			out = append(out, toHost(m, f.typ, res, f.off, rt.Out(i)))
		}
		return out
	})
}

// at gives the tuple of parameters of a function type, from those made when
// compiling.
// fromHost puts a Go value into cells as type t.
func fromHost(m *machine, v reflect.Value, t *Type, b bank, k int) {
	switch t.kind {
	case reflect.Interface:
		b.R[k] = nil
		if v.Kind() != reflect.Interface || !v.IsNil() {
			b.R[k] = hostIface(v.Interface())
		}
	case reflect.Bool:
		b.I[k] = b2i(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.I[k] = v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.I[k] = int64(v.Uint())
	case reflect.Float32, reflect.Float64:
		b.I[k] = int64(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		b.I[k], b.I[k+1] = f2i(real(c)), f2i(imag(c))
	case reflect.String:
		b.S[k] = v.String()
	case reflect.Slice:
		sliceFromHost(m, v, t, b, k)
	case reflect.Array:
		st := newAgg(t)
		for i := range t.n {
			setElem(m, st, t.elem, i, v.Index(i))
		}
		b.R[k] = st
	case reflect.Map:
		mapFromHost(m, v, t, b, k)
	case reflect.Pointer:
		b.R[k], b.I[k] = nil, 0
		if v.IsNil() {
			return
		}
		if t.w() == 2 {
			panic("vm: pointer to array from the host")
		}
		b.R[k] = v.Interface()
	case reflect.Func:
		b.R[k] = nil
		if !v.IsNil() {
			b.R[k] = &Closure{host: v, sig: t}
		}
	case kindHost:
		p := reflect.New(t.host)
		p.Elem().Set(v)
		b.R[k] = p.Interface()
	default:
		panic("vm: cannot take a " + v.Type().String() + " from the host")
	}
}

func setElem(m *machine, st any, t *Type, i int, v reflect.Value) {
	o := newObj(t.w(), mI|mS|mR, 1)
	fromHost(m, v, t, o, 0)
	copyCells(t.cells, memOf(st), i*t.w(), o, 0)
}

func wrapStore(v any) any {
	switch v := v.(type) {
	case []byte:
		return &Num[uint8]{v}
	case []int:
		return &Num[int]{v}
	case []int32:
		return &Num[int32]{v}
	case []int64:
		return &Num[int64]{v}
	case []string:
		return &Strs{v}
	case []float64:
		return &Flt[float64]{v}
	case []bool:
		return &Bools{v}
	}
	return nil
}

func sliceFromHost(m *machine, v reflect.Value, t *Type, b bank, k int) {
	b.R[k], b.I[k], b.I[k+1] = nil, 0, 0
	if v.IsNil() {
		return
	}
	n, c := v.Len(), v.Cap()
	if v.Type().Name() == "" {
		if st := wrapStore(v.Slice(0, n).Interface()); st != nil && isNative(t.elem) {
			b.R[k], b.I[k], b.I[k+1] = wrapStore(v.Slice(0, c).Interface()), int64(n), int64(c)
			return
		}
	}
	st := newStore(t.elem, n)
	for i := range n {
		setElem(m, st, t.elem, i, v.Index(i))
	}
	b.R[k], b.I[k], b.I[k+1] = st, int64(n), int64(n)
}

func mapFromHost(m *machine, v reflect.Value, t *Type, b bank, k int) {
	b.R[k] = nil
	if v.IsNil() {
		return
	}
	h := newMap(t)
	o := newObj(max(1, t.key.w(), t.elem.w()), mI|mS|mR, 1)
	for it := v.MapRange(); it.Next(); {
		fromHost(m, it.Key(), t.key, o, 0)
		row := h.insert(m.keys(), o, 0)
		fromHost(m, it.Value(), t.elem, o, 0)
		rawCopy(t.elem.cells, h.vals, row*t.elem.w(), o, 0)
	}
	b.R[k] = h
}

// callHost calls f. What panics in host code is a panic of the script.
func (m *machine) callHost(f reflect.Value, in []reflect.Value, variadic bool) []reflect.Value {
	backs := m.backs
	m.backs = nil
	defer func() { m.backs = backs }()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic, haltPanic:
			panic(r)
		case *gates.Stop:
			m.halt(&stopped{gate: r})
		case engine.Wait:
			panic(retryPanic{r.What})
		default:
			throw(r)
		}
	}()
	pending := backs
	var res []reflect.Value
	if variadic {
		res = f.CallSlice(in)
	} else {
		res = f.Call(in)
	}
	for _, b := range pending {
		b()
	}
	backs = nil
	return res
}

// callHostClosure calls a host function value with the arguments in cells.
func (m *machine) callHostClosure(c *Closure, args *Obj) hostResult {
	variadic := c.sig.t.Underlying().(*types.Signature).Variadic()
	pt, rt := c.sig.in, c.sig.out
	ft := c.host.Type()
	in := make([]reflect.Value, len(pt.fields))
	for i, f := range pt.fields {
		in[i] = toHost(m, f.typ, args, f.off, ft.In(i))
	}
	out := newObj(rt.w(), mI|mS|mR, 1)
	for i, v := range m.callHost(c.host, in, variadic) {
		fromHost(m, v, rt.fields[i].typ, out, rt.fields[i].off)
	}
	return hostResult{rt, out}
}

// hostMethod is method id of a host value in an interface.
func (m *machine) hostMethod(v any, id int) *Closure {
	f := m.p.mids[id]
	mv := reflect.ValueOf(v).MethodByName(f.Name())
	if !mv.IsValid() {
		panic("vm: no method " + f.Name() + " on " + reflect.TypeOf(v).String())
	}
	return &Closure{host: mv, sig: m.p.midSigs[id]}
}

// A wrapped value is a script value as host code sees it.
type wrapped interface{ script() any }

type plainVal struct {
	m *machine
	f *Iface
}

func (w *plainVal) script() any                   { return w.f }
func (w *plainVal) Format(s fmt.State, verb rune) { w.m.formatTop(s, verb, w.f) }

type (
	errVal    struct{ plainVal }
	unwrapVal struct{ errVal }
	strVal    struct{ plainVal }
	writeVal  struct{ plainVal }
)

func (w *errVal) Error() string  { return w.m.callString(w.f, "Error") }
func (w *strVal) String() string { return w.m.callString(w.f, "String") }
func (w *unwrapVal) Unwrap() error {
	fn := w.m.p.funcs[w.f.T.methods["Unwrap"]-1]
	f := w.f
	res := w.m.callback(fn, nil, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
	e, _ := w.m.export(res.R[0]).(error)
	return e
}

func (w *writeVal) Write(p []byte) (int, error) {
	fn := w.m.p.funcs[w.f.T.methods["Write"]-1]
	f := w.f
	n := int64(len(p))
	res := w.m.callback(fn, nil, &Obj{I: []int64{f.I, n, n}, S: []string{f.S, "", ""}, R: []any{f.R, &Num[uint8]{p}, nil}}, 3)
	e, _ := w.m.export(res.R[1]).(error)
	return int(res.I[0]), e
}

// sortVal is what package sort wants, heapVal what container/heap does.
type (
	sortVal struct{ plainVal }
	heapVal struct{ sortVal }
)

// method calls a method with the given cells after the receiver.
func (w *plainVal) method(name string, args *Obj, n int) *Obj {
	f := w.f
	all := &Obj{I: append([]int64{f.I}, args.I...), S: append([]string{f.S}, args.S...), R: append([]any{f.R}, args.R...)}
	return w.m.callback(w.m.p.funcs[f.T.methods[name]-1], nil, all, 1+n)
}

func (w *sortVal) Len() int { return int(w.method("Len", &Obj{}, 0).I[0]) }
func (w *sortVal) Less(i, j int) bool {
	return w.method("Less", &Obj{I: []int64{int64(i), int64(j)}}, 2).I[0] != 0
}
func (w *sortVal) Swap(i, j int) { w.method("Swap", &Obj{I: []int64{int64(i), int64(j)}}, 2) }
func (w *heapVal) Push(x any)    { w.method("Push", &Obj{R: []any{hostIface(x)}}, 1) }
func (w *heapVal) Pop() any      { return w.m.export(w.method("Pop", &Obj{}, 0).R[0]) }

// export makes of an interface value what host code may have.
func (m *machine) export(v any) any {
	f, ok := v.(*Iface)
	if !ok {
		return v
	}
	if f.T.host != nil && f.T.kind != reflect.Pointer && f.T.kind != reflect.Func {
		m.deeper()
		defer m.shallower()
		return toHost(m, f.T, ifaceCells(f), 0, f.T.host).Interface()
	}
	key := m.identity(f)
	if w, ok := m.exports[key]; ok && key != nil {
		return w
	}
	var w any
	p := plainVal{m, f}
	has := func(name string) bool { return f.T.methods[name] != 0 }
	switch {
	case has("Error") && has("Unwrap") && m.isErrUnwrap(f):
		w = &unwrapVal{errVal{p}}
	case has("Error"):
		w = &errVal{p}
	case has("Len") && has("Less") && has("Swap") && has("Push") && has("Pop"):
		w = &heapVal{sortVal{p}}
	case has("Len") && has("Less") && has("Swap"):
		w = &sortVal{p}
	case has("Write"):
		w = &writeVal{p}
	case has("String"):
		w = &strVal{p}
	default:
		w = &p
	}
	if key != nil {
		if m.exports == nil {
			m.exports = map[any]any{}
		}
		m.charge(noteBytes)
		m.exports[key] = w
	}
	return w
}

func (m *machine) isErrUnwrap(f *Iface) bool {
	r := m.p.funcs[f.T.methods["Unwrap"]-1].results
	return len(r.fields) == 1 && r.fields[0].typ == universe.error
}

// address is a made-up address for an object: printing a pointer must not show
// the host's memory.
func (m *machine) address(v any) uint64 {
	if v == nil {
		return 0
	}
	if m.addrs == nil {
		m.addrs = map[any]uint64{}
	}
	a, ok := m.addrs[v]
	if !ok {
		a = 0xc000010000 + uint64(len(m.addrs))*64
		m.charge(noteBytes)
		m.addrs[v] = a
	}
	return a
}
