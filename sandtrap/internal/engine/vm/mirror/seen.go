package mirror

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A seen is a val as encoders see it.
type seen struct {
	l *lens
	v Val
}

func (s *seen) Type() inspect.Type     { return TypeToSee(s.v.T) }
func (s *seen) Kind() reflect.Kind     { return s.v.Kind() }
func (s *seen) Int() int64             { return s.v.Int() }
func (s *seen) Float() float64         { return s.v.Float() }
func (s *seen) Text() string           { return s.v.Str() }
func (s *seen) Len() int               { return s.v.Len() }
func (s *seen) IsNil() bool            { return s.v.isNil() }
func (s *seen) IsZero() bool           { return zero(s.l.m, s.v) }
func (s *seen) Elem() inspect.Value    { return s.l.see(s.v.Elem(s.l.m)) }
func (s *seen) Addr() inspect.Value    { return s.l.see(s.v.Addr(s.l.m)) }
func (s *seen) Held() any              { return s.v.Iface(s.l.m) }
func (s *seen) Identity() any          { return s.v.identity(s.l.m) }
func (s *seen) Reflect() reflect.Value { return reflectValue(s.l.m, s.v) }
func (s *seen) IsVar() bool            { return s.v.flag&isVar != 0 }
func (s *seen) Hidden() bool           { return s.v.flag&hidden != 0 }
func (s *seen) CanSet() bool           { return s.v.settable() }

func (s *seen) Done() { s.l.spare = append(s.l.spare, s) }

func (s *seen) Complex() complex128 {
	return s.v.Complex()
}

func (s *seen) Bytes() []byte {
	o, off, n, _ := s.v.store(s.l.m)
	if o == nil {
		return nil
	}
	return exec.BytesOf(o, off, n)
}

func (s *seen) Index(i int) inspect.Value {
	o, off, n, _ := s.v.store(s.l.m)
	if i < 0 || i >= n { // a method of the script's may have cut it
		exec.Throw("reflect: slice index out of range")
	}
	return s.l.see(s.v.at(o, off+i))
}

func (s *seen) Field(f *inspect.Field) inspect.Value {
	return s.l.see(s.v.Field(s.l.m, f.Engine.(*structField)))
}

func (s *seen) Pairs() []inspect.Pair {
	pairs := s.v.pairs(s.l.m)
	s.l.m.Charge(int64(len(pairs)) * exec.NoteBytes)
	out := make([]inspect.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = inspect.Pair{Key: s.l.see(p.Key), Elem: s.l.see(p.Elem)}
	}
	return out
}

func (s *seen) Host() any {
	v := s.v
	return exec.ToHost(s.l.m, v.T, v.Load(s.l.m), 0, v.T.Host).Interface()
}

func (s *seen) SetBool(x bool)     { s.v.SetInt(ir.BoolBits(x)) }
func (s *seen) SetInt(x int64)     { s.v.SetInt(x) }
func (s *seen) SetFloat(x float64) { s.v.setFloat(x) }
func (s *seen) SetText(x string)   { s.v.SetStr(x) }
func (s *seen) SetZero()           { s.v.setZero(s.l.m) }
func (s *seen) SetHeld(x any)      { s.v.SetRef(x) }

func (s *seen) Set(x inspect.Value) {
	b, k := x.(*seen).v.cells(s.l.m)
	s.v.Set(s.l.m, b, k)
}

func (s *seen) SetComplex(x complex128) {
	o := NewCells(s.l.m, s.v.T)
	o.I[0], o.I[1] = ir.FloatBits(real(x)), ir.FloatBits(imag(x))
	s.v.Set(s.l.m, o, 0)
}

func (s *seen) SetBytes(b []byte) {
	m := s.l.m
	s.v.mustBeSettable("SetBytes")
	if b == nil {
		s.v.setZero(m)
		return
	}
	o, n, c := any(&ir.Num[uint8]{V: b[:cap(b)]}), len(b), cap(b)
	if _, ok := exec.NewStore(s.v.T.Elem, 0).(*ir.Num[uint8]); !ok { // of a named type
		o = exec.NewStore(s.v.T.Elem, n)
		for i, x := range b {
			exec.MemOf(o).StI(i, int64(x))
		}
		c = n
	}
	s.v.Set(m, SliceCells(m.FollowAny(o), 0, n, c), 0)
}

func (s *seen) SetHost(x any) {
	s.v.mustBeSettable("Set")
	o := NewCells(s.l.m, s.v.T)
	exec.FromHost(s.l.m, reflect.ValueOf(x), s.v.T, o, 0)
	s.v.Set(s.l.m, o, 0)
}

func (s *seen) SetLen(n int) {
	s.v.mustBeSettable("SetLen")
	o, off, _, c := s.v.store(s.l.m)
	cells, ok := s.v.O.(*ir.Obj)
	switch {
	case n > c:
		GrowSlice(s.l.m, s.v, n)
	case ok && exec.EscapedTo(cells) == nil:
		cells.I[s.v.k] = int64(n)
	default:
		s.v.Set(s.l.m, SliceCells(o, off, n, c), 0)
	}
}

func (s *seen) Allocate() {
	m := s.l.m
	s.v.mustBeSettable("Set")
	switch s.v.T.Kind {
	case reflect.Map:
		m.Alloc(exec.MapBytes)
		s.v.SetRef(exec.Follow(m, exec.NewMap(s.v.T)))
	case reflect.Slice:
		s.v.Set(m, SliceCells(exec.NewStore(s.v.T.Elem, 0), 0, 0, 0), 0)
	default:
		s.v.Set(m, NewVal(m, s.v.T.Elem).Addr(m).O, 0)
	}
}

func (s *seen) Put(key, elem inspect.Value) {
	m := s.l.m
	h, _ := s.v.Ref().(*exec.Map)
	if h == nil {
		exec.ThrowPlain("assignment to entry in nil map")
	}
	kb, k := key.(*seen).v.cells(m)
	eb, e := elem.(*seen).v.cells(m)
	m.PutEntry(h, kb, k, eb, e)
}

func (s *seen) Call(method string, args ...any) []any {
	m := s.l.m
	sig := inspect.Method(s.v.T.T, method)
	in, out := m.TypeOf(sig.Params()), m.TypeOf(sig.Results())
	cells := NewCells(m, in)
	for i, f := range in.Fields {
		if text, ok := args[i].([]byte); ok { // of which the method keeps a copy
			m.Charge(int64(len(text)))
		}
		exec.FromHost(m, reflect.ValueOf(args[i]), f.Typ, cells, f.Off)
	}
	res := callMethod(m, s.v, method, cells, in.W())
	results := make([]any, len(out.Fields))
	for i, f := range out.Fields {
		if f.Typ.Kind == reflect.Interface {
			results[i] = m.ExportTo(res.R[f.Off], f.Typ.Host)
		} else {
			results[i] = exec.ToHost(m, f.Typ, res, f.Off, f.Typ.Host).Interface()
		}
	}
	return results
}
