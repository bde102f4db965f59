package mirror

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// ReflectFuncs are the functions of package reflect that the engine does itself. The
// methods of Value are those of rvalue.
var ReflectFuncs = map[string]func(m *exec.Machine) any{
	"Zero": func(m *exec.Machine) any {
		return func(t reflect.Type) reflect.Value {
			v := NewVal(m, wanted(m, t, "reflect: Zero(nil)"))
			v.flag = 0
			return reflectValue(m, v)
		}
	},
	"New": func(m *exec.Machine) any {
		return func(t reflect.Type) reflect.Value {
			v := NewVal(m, wanted(m, t, "reflect: New(nil)"))
			return reflectValue(m, Val{T: made1(m, types.NewPointer(v.T.T)), O: v.Addr(m).O, flag: toOwn})
		}
	},
	"Indirect": func(m *exec.Machine) any {
		return func(v reflect.Value) reflect.Value {
			if r := RvalueIn(v); r.Kind() == reflect.Pointer {
				return r.Elem()
			}
			return v
		}
	},
	"PointerTo": func(m *exec.Machine) any {
		return func(t reflect.Type) reflect.Type { return pointerTo(m, t) }
	},
	"PtrTo": func(m *exec.Machine) any {
		return func(t reflect.Type) reflect.Type { return pointerTo(m, t) }
	},
	"SliceOf": func(m *exec.Machine) any {
		return func(t reflect.Type) reflect.Type { return ReflectType(m, sliceOf(m, typeIn(m, t))) }
	},
	"MapOf": func(m *exec.Machine) any {
		return func(k, e reflect.Type) reflect.Type {
			key := typeIn(m, k)
			if !types.Comparable(key.T) {
				exec.Throw("reflect.MapOf: invalid key type " + key.Str)
			}
			elem := typeIn(m, e)
			if len(key.Str)+len(elem.Str) > maxMadeName {
				exec.ThrowPlain("reflect: a type is made of too many others")
			}
			return ReflectType(m, made1(m, types.NewMap(key.T, elem.T)))
		}
	},
	"FuncOf": func(m *exec.Machine) any {
		return func(in, out []reflect.Type, variadic bool) reflect.Type {
			return reflectFuncOf(m, in, out, variadic)
		}
	},
	"MakeFunc": func(m *exec.Machine) any {
		return func(t reflect.Type, body func([]reflect.Value) []reflect.Value) reflect.Value {
			return reflectMakeFunc(m, t, body)
		}
	},
	"MakeSlice": func(m *exec.Machine) any {
		return func(t reflect.Type, n, c int) reflect.Value { return reflectMakeSlice(m, t, n, c) }
	},
	"MakeMap": func(m *exec.Machine) any { return func(t reflect.Type) reflect.Value { return reflectMakeMap(m, t) } },
	"MakeMapWithSize": func(m *exec.Machine) any {
		return func(t reflect.Type, _ int) reflect.Value { return reflectMakeMap(m, t) }
	},
	"Append": func(m *exec.Machine) any {
		return func(s reflect.Value, x ...reflect.Value) reflect.Value { return reflectAppend(m, s, x...) }
	},
	"AppendSlice": func(m *exec.Machine) any {
		return func(s, t reflect.Value) reflect.Value { return reflectAppendSlice(m, s, t) }
	},
	"Copy": func(m *exec.Machine) any {
		return func(dst, src reflect.Value) int { return reflectCopy(m, dst, src) }
	},
}

// wanted is the type that t stands for; nil is a panic.
func wanted(m *exec.Machine, t reflect.Type, text string) *ir.Type {
	if t == nil {
		exec.Throw(text)
	}
	return typeIn(m, t)
}

// maxMade bounds the types that reflection makes: each takes time to be told from the
// others.
const maxMade = 2000

// maxMadeName bounds their names: a map of maps has its type twice in it, and so on.
const maxMadeName = 1 << 16

// made1 is the Type of t, which a script may have thought up at run time.
func made1(m *exec.Machine, t types.Type) *ir.Type {
	x := m.TypeOf(t)
	if n := len(m.Types.All); n > made(m).paid {
		m.Charge(int64(n-made(m).paid) * infoBytes)
		made(m).paid = n
		if n > maxMade {
			exec.ThrowPlain("reflect: too many types are made")
		}
	}
	return x
}

func sliceOf(m *exec.Machine, t *ir.Type) *ir.Type { return made1(m, types.NewSlice(t.T)) }

func pointerTo(m *exec.Machine, t reflect.Type) reflect.Type {
	return ReflectType(m, made1(m, types.NewPointer(typeIn(m, t).T)))
}

func reflectMakeSlice(m *exec.Machine, t reflect.Type, n, c int) reflect.Value {
	st := wanted(m, t, "reflect.MakeSlice of non-slice type")
	switch {
	case st.Kind != reflect.Slice:
		exec.Throw("reflect.MakeSlice of non-slice type")
	case n < 0:
		exec.Throw("reflect.MakeSlice: negative len")
	case c < 0:
		exec.Throw("reflect.MakeSlice: negative cap")
	case n > c:
		exec.Throw("reflect.MakeSlice: len > cap")
	}
	m.MustMake(st)
	m.RefuseHuge(int64(c), st.Elem)
	if c > exec.MaxElems {
		exec.Throwf("makeslice: cap out of range")
	}
	m.Alloc(ir.StoreBytes(st.Elem, int64(c)))
	return reflectValue(m, Val{T: st, O: SliceCells(m.FollowAny(exec.NewStore(st.Elem, c)), 0, n, c)})
}

func reflectMakeMap(m *exec.Machine, t reflect.Type) reflect.Value {
	mt := wanted(m, t, "reflect.MakeMapWithSize of non-map type")
	if mt.Kind != reflect.Map {
		exec.Throw("reflect.MakeMapWithSize of non-map type")
	}
	m.MustMake(mt)
	m.Alloc(exec.MapBytes)
	return reflectValue(m, Val{T: mt, O: &ir.Obj{R: []any{exec.Follow(m, exec.NewMap(mt))}}})
}

// reflectAppend is reflect.Append, which leaves s as it is.
func reflectAppend(m *exec.Machine, s reflect.Value, x ...reflect.Value) reflect.Value {
	r := RvalueIn(s)
	r.must("Append", reflect.Slice)
	r.mustShow("Append")
	o, off, n, c := r.v.store(m)
	if n+len(x) < 0 {
		exec.Throw("reflect.Value.Grow: slice overflow")
	}
	if n+len(x) > c {
		o, off, c = grown(m, r.v.T.Elem, o, off, n, m.Capacity(r.v.T.Elem, c, n+len(x)))
	}
	out := Val{T: r.v.T, O: SliceCells(o, off, n+len(x), c)}
	for i, e := range x {
		out.Index(m, n+i).Set(m, assigned(m, "reflect.Set", RvalueIn(e), r.v.T.Elem), 0)
	}
	return reflectValue(m, out)
}

func reflectAppendSlice(m *exec.Machine, s, t reflect.Value) reflect.Value {
	r, from := RvalueIn(s), RvalueIn(t)
	r.must("AppendSlice", reflect.Slice)
	from.must("AppendSlice", reflect.Slice)
	r.mustShow("AppendSlice")
	from.mustShow("AppendSlice")
	if !types.AssignableTo(from.v.T.T, r.v.T.T) && from.v.T.Elem != r.v.T.Elem {
		exec.Throw("reflect.AppendSlice: " + r.v.T.Str + " != " + from.v.T.Str)
	}
	o, off, n, c := r.v.store(m)
	src, soff, k, _ := from.v.store(m)
	if n+k < 0 {
		exec.Throw("reflect.Value.Grow: slice overflow")
	}
	if n+k > c {
		o, off, c = grown(m, r.v.T.Elem, o, off, n, m.Capacity(r.v.T.Elem, c, n+k))
	}
	exec.StoreCopy(r.v.T.Elem, o, off+n, src, soff, k)
	return reflectValue(m, Val{T: r.v.T, O: SliceCells(o, off, n+k, c)})
}

func reflectCopy(m *exec.Machine, dst, src reflect.Value) int {
	d, s := RvalueIn(dst), RvalueIn(src)
	d.must("Copy", reflect.Array, reflect.Slice)
	if d.Kind() == reflect.Array {
		d.settable("Copy")
	}
	d.mustShow("Copy")
	s.mustShow("Copy")
	if s.Kind() == reflect.String && d.v.T.Elem.Kind == reflect.Uint8 {
		text := s.v.Str()
		n := min(len(text), d.v.Len())
		if o, off, _, _ := d.v.store(m); n > 0 {
			exec.CopyString(o, off, text[:n])
		}
		return n
	}
	s.must("Copy", reflect.Array, reflect.Slice)
	if d.v.T.Elem != s.v.T.Elem {
		exec.Throw("reflect.Copy: " + d.v.T.Elem.Str + " != " + s.v.T.Elem.Str)
	}
	o, off, n, _ := d.v.store(m)
	from, foff, k, _ := s.v.store(m)
	n = min(n, k)
	exec.StoreCopy(d.v.T.Elem, o, off, from, foff, n)
	return n
}

func DoTypeOf(m *exec.Machine, x *ir.SlowOp) {
	m.R[x.A] = nil
	if v := m.R[x.Regs[0]]; v != nil {
		m.R[x.A] = ReflectType(m, ValOf(m, v).T)
	}
}

func DoValueOf(m *exec.Machine, x *ir.SlowOp) {
	p := ValOf(m, m.R[x.Regs[0]])
	if x.Vars&1 != 0 {
		p.flag |= toOwn
	}
	v := reflectValue(m, p)
	exec.FromHost(m, reflect.ValueOf(v), x.T.Fields[0].Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func DoDeepEqual(m *exec.Machine, x *ir.SlowOp) {
	m.I[x.A] = ir.BoolBits(deepEqual(m, m.R[x.Regs[0]], m.R[x.Regs[1]]))
}

func DoSwapper(m *exec.Machine, x *ir.SlowOp) {
	m.R[x.A] = &ir.Closure{Host: reflect.ValueOf(reflectSwapper(m, m.R[x.Regs[0]])), Sig: x.T.Fields[0].Typ}
}

func reflectSwapper(m *exec.Machine, list any) func(i, j int) {
	r := &Rvalue{m: m, v: ValOf(m, list)}
	if r.Kind() != reflect.Slice {
		exec.Throw(&reflect.ValueError{Method: "Swapper", Kind: r.Kind()})
	}
	o, off, n, _ := r.v.store(m)
	swap := Swapper(r.v.T.Elem, o, off, n)
	return func(i, j int) {
		if uint(i) >= uint(n) || uint(j) >= uint(n) {
			exec.Throw("reflect: slice index out of range")
		}
		swap(i, j)
	}
}

// Swapper swaps elements of a slice.
func Swapper(elem *ir.Type, store any, off, n int) func(i, j int) {
	switch s := store.(type) {
	case *ir.Obj:
		if elem.Plain() && exec.EscapedTo(s) == nil {
			return objSwapper(s, elem.W(), off)
		}
	case *ir.Num[int]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *ir.Flt[float64]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *ir.Strs:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	}
	tmp := exec.NewStore(elem, 1)
	return func(i, j int) {
		exec.StoreCopy(elem, tmp, 0, store, off+i, 1)
		exec.StoreCopy(elem, store, off+i, store, off+j, 1)
		exec.StoreCopy(elem, store, off+j, tmp, 0, 1)
	}
}

func objSwapper(o *ir.Obj, w, off int) func(i, j int) {
	return func(i, j int) {
		i, j = (off+i)*w, (off+j)*w
		if o.I != nil {
			swapCells(o.I, i, j, w)
		}
		if o.S != nil {
			swapCells(o.S, i, j, w)
		}
		if o.R != nil {
			swapCells(o.R, i, j, w)
		}
	}
}

func swapCells[T any](v []T, i, j, w int) {
	for k := range w {
		v[i+k], v[j+k] = v[j+k], v[i+k]
	}
}
