package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A seen is a val as encoders see it.
type seen struct {
	l *lens
	v val
}

func (s *seen) Type() inspect.Type     { return typeToSee(s.v.t) }
func (s *seen) Kind() reflect.Kind     { return s.v.kind() }
func (s *seen) Int() int64             { return s.v.int() }
func (s *seen) Float() float64         { return s.v.float() }
func (s *seen) Text() string           { return s.v.str() }
func (s *seen) Len() int               { return s.v.length() }
func (s *seen) IsNil() bool            { return s.v.isNil() }
func (s *seen) IsZero() bool           { return s.l.m.zero(s.v) }
func (s *seen) Elem() inspect.Value    { return s.l.see(s.v.elem(s.l.m)) }
func (s *seen) Addr() inspect.Value    { return s.l.see(s.v.addr(s.l.m)) }
func (s *seen) Held() any              { return s.v.iface(s.l.m) }
func (s *seen) Identity() any          { return s.v.identity(s.l.m) }
func (s *seen) Reflect() reflect.Value { return s.l.m.reflectValue(s.v) }
func (s *seen) IsVar() bool            { return s.v.flag&isVar != 0 }
func (s *seen) Hidden() bool           { return s.v.flag&hidden != 0 }
func (s *seen) CanSet() bool           { return s.v.settable() }

func (s *seen) Done() { s.l.spare = append(s.l.spare, s) }

func (s *seen) Complex() complex128 {
	return complex(s.v.float(), ir.BitsFloat(s.v.o.LdI(s.v.k+1)))
}

func (s *seen) Bytes() []byte {
	o, off, n, _ := s.v.store(s.l.m)
	if o == nil {
		return nil
	}
	return bytesOf(o, off, n)
}

func (s *seen) Index(i int) inspect.Value {
	o, off, n, _ := s.v.store(s.l.m)
	if i < 0 || i >= n { // a method of the script's may have cut it
		throw("reflect: slice index out of range")
	}
	return s.l.see(s.v.at(o, off+i))
}

func (s *seen) Field(f *inspect.Field) inspect.Value {
	return s.l.see(s.v.field(s.l.m, f.Engine.(*structField)))
}

func (s *seen) Pairs() []inspect.Pair {
	pairs := s.v.pairs(s.l.m)
	s.l.m.charge(int64(len(pairs)) * noteBytes)
	out := make([]inspect.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = inspect.Pair{Key: s.l.see(p.key), Elem: s.l.see(p.elem)}
	}
	return out
}

func (s *seen) Host() any {
	v := s.v
	return toHost(s.l.m, v.t, v.load(s.l.m), 0, v.t.Host).Interface()
}

func (s *seen) SetBool(x bool)     { s.v.setInt(ir.BoolBits(x)) }
func (s *seen) SetInt(x int64)     { s.v.setInt(x) }
func (s *seen) SetFloat(x float64) { s.v.setFloat(x) }
func (s *seen) SetText(x string)   { s.v.setStr(x) }
func (s *seen) SetZero()           { s.v.setZero(s.l.m) }
func (s *seen) SetHeld(x any)      { s.v.setRef(x) }

func (s *seen) Set(x inspect.Value) {
	b, k := x.(*seen).v.cells(s.l.m)
	s.v.set(s.l.m, b, k)
}

func (s *seen) SetComplex(x complex128) {
	o := s.l.m.newCells(s.v.t)
	o.I[0], o.I[1] = ir.FloatBits(real(x)), ir.FloatBits(imag(x))
	s.v.set(s.l.m, o, 0)
}

func (s *seen) SetBytes(b []byte) {
	m := s.l.m
	s.v.mustBeSettable("SetBytes")
	if b == nil {
		s.v.setZero(m)
		return
	}
	o, n, c := any(&ir.Num[uint8]{V: b[:cap(b)]}), len(b), cap(b)
	if _, ok := newStore(s.v.t.Elem, 0).(*ir.Num[uint8]); !ok { // of a named type
		o = newStore(s.v.t.Elem, n)
		for i, x := range b {
			memOf(o).StI(i, int64(x))
		}
		c = n
	}
	s.v.set(m, sliceCells(m.followAny(o), 0, n, c), 0)
}

func (s *seen) SetHost(x any) {
	s.v.mustBeSettable("Set")
	o := s.l.m.newCells(s.v.t)
	fromHost(s.l.m, reflect.ValueOf(x), s.v.t, o, 0)
	s.v.set(s.l.m, o, 0)
}

func (s *seen) SetLen(n int) {
	s.v.mustBeSettable("SetLen")
	o, off, _, c := s.v.store(s.l.m)
	cells, ok := s.v.o.(*ir.Obj)
	switch {
	case n > c:
		s.l.m.growSlice(s.v, n)
	case ok && movedTo(cells) == nil:
		cells.I[s.v.k] = int64(n)
	default:
		s.v.set(s.l.m, sliceCells(o, off, n, c), 0)
	}
}

func (s *seen) Allocate() {
	m := s.l.m
	s.v.mustBeSettable("Set")
	switch s.v.t.Kind {
	case reflect.Map:
		m.alloc(mapBytes)
		s.v.setRef(follow(m, newMap(s.v.t)))
	case reflect.Slice:
		s.v.set(m, sliceCells(newStore(s.v.t.Elem, 0), 0, 0, 0), 0)
	default:
		s.v.set(m, m.newVal(s.v.t.Elem).addr(m).o, 0)
	}
}

func (s *seen) Put(key, elem inspect.Value) {
	m := s.l.m
	h, _ := s.v.ref().(*Map)
	if h == nil {
		throwPlain("assignment to entry in nil map")
	}
	kb, k := key.(*seen).v.cells(m)
	eb, e := elem.(*seen).v.cells(m)
	m.putEntry(h, kb, k, eb, e)
}

func (s *seen) Call(method string, args ...any) []any {
	m := s.l.m
	sig := inspect.Method(s.v.t.T, method)
	in, out := m.typeOf(sig.Params()), m.typeOf(sig.Results())
	cells := m.newCells(in)
	for i, f := range in.Fields {
		if text, ok := args[i].([]byte); ok { // of which the method keeps a copy
			m.charge(int64(len(text)))
		}
		fromHost(m, reflect.ValueOf(args[i]), f.Typ, cells, f.Off)
	}
	res := m.callMethod(s.v, method, cells, in.W())
	results := make([]any, len(out.Fields))
	for i, f := range out.Fields {
		if f.Typ.Kind == reflect.Interface {
			results[i] = m.exportTo(res.R[f.Off], f.Typ.Host)
		} else {
			results[i] = toHost(m, f.Typ, res, f.Off, f.Typ.Host).Interface()
		}
	}
	return results
}
