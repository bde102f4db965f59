package vm

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
)

// Values of the script for encoding/binary. What they are as bytes is made here; what
// becomes of the bytes is the host function's part.

// binarySize is how many bytes v has, -1 if its type has no fixed size.
func (m *machine) binarySize(v val) int {
	switch v.kind() {
	case reflect.Slice, reflect.Array:
		if n := m.binaryTypeSize(v.t.elem); n >= 0 {
			return times(n, v.length())
		}
		return -1
	case reflect.Invalid:
		return -1
	}
	return m.binaryTypeSize(v.t)
}

func (m *machine) binaryTypeSize(t *Type) int {
	switch kind := kindOf(t); kind {
	case reflect.Array:
		if n := m.binaryTypeSize(t.elem); n >= 0 {
			return times(n, t.n)
		}
	case reflect.Struct:
		sum := 0
		for _, f := range m.structFields(t) {
			n := m.binaryTypeSize(f.typ)
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	case reflect.Int, reflect.Uint, reflect.Uintptr, reflect.String:
	default:
		if rt := kindTypes[kind]; rt != nil {
			return int(rt.Size())
		}
	}
	return -1
}

// times is n of size bytes, or more than can be had.
func times(size, n int) int {
	if n > 0 && size > math.MaxInt/n {
		return math.MaxInt
	}
	return size * n
}

// A binaryCoder goes through the bytes of a value.
type binaryCoder struct {
	m     *machine
	order binary.ByteOrder
	buf   []byte // what is left of them
}

// next are the next n bytes.
func (c *binaryCoder) next(n int) []byte {
	b := c.buf[:n]
	c.buf = c.buf[n:]
	return b
}

// each goes through the parts of an array, slice or struct; fields without a name
// are skipped.
func (c *binaryCoder) each(v val, f func(val)) {
	c.m.deeper()
	defer c.m.shallower()
	if v.kind() != reflect.Struct {
		for i := range v.length() {
			if i&0xfff == 0 {
				c.m.check()
			}
			f(v.index(c.m, i))
		}
		return
	}
	for _, field := range c.m.structFields(v.t) {
		if field.Name == "_" {
			clear(c.next(c.m.binaryTypeSize(field.typ)))
			continue
		}
		f(v.field(c.m, field))
	}
}

func (c *binaryCoder) encode(v val) {
	switch kind := v.kind(); kind {
	case reflect.Slice, reflect.Array, reflect.Struct:
		c.each(v, c.encode)
	case reflect.Complex64, reflect.Complex128:
		o := v.load(c.m)
		c.putFloat(kind == reflect.Complex64, i2f(o.I[0]))
		c.putFloat(kind == reflect.Complex64, i2f(o.I[1]))
	case reflect.Float32, reflect.Float64:
		c.putFloat(kind == reflect.Float32, v.float())
	default:
		c.putInt(int(kindTypes[kind].Size()), uint64(v.int()))
	}
}

func (c *binaryCoder) putInt(size int, x uint64) {
	switch b := c.next(size); size {
	case 1:
		b[0] = byte(x)
	case 2:
		c.order.PutUint16(b, uint16(x))
	case 4:
		c.order.PutUint32(b, uint32(x))
	default:
		c.order.PutUint64(b, x)
	}
}

func (c *binaryCoder) putFloat(short bool, f float64) {
	if short {
		c.putInt(4, uint64(math.Float32bits(float32(f))))
		return
	}
	c.putInt(8, math.Float64bits(f))
}

func (c *binaryCoder) decode(v val) {
	switch kind := v.kind(); kind {
	case reflect.Slice, reflect.Array, reflect.Struct:
		c.each(v, c.decode)
		return
	case reflect.Complex64, reflect.Complex128:
		re := c.float(kind == reflect.Complex64)
		o := &Obj{I: []int64{f2i(re), f2i(c.float(kind == reflect.Complex64))}}
		c.settable(v).set(c.m, o, 0)
	case reflect.Float32, reflect.Float64:
		c.settable(v).setFloat(c.float(kind == reflect.Float32))
	case reflect.Bool:
		c.settable(v).setInt(b2i(c.int(1) != 0))
	default:
		size := int(kindTypes[kind].Size())
		x := int64(c.int(size))
		if kind <= reflect.Int64 { // with a sign
			shift := 64 - 8*size
			x = x << shift >> shift
		}
		c.settable(v).setInt(x)
	}
}

// settable is v, which must not have been reached through a field of another package.
func (c *binaryCoder) settable(v val) val {
	if !v.settable() {
		throwPlain("reflect: reflect.Value.Set using value obtained using unexported field")
	}
	return v
}

func (c *binaryCoder) int(size int) uint64 {
	switch b := c.next(size); size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(c.order.Uint16(b))
	case 4:
		return uint64(c.order.Uint32(b))
	default:
		return c.order.Uint64(b)
	}
}

func (c *binaryCoder) float(short bool) float64 {
	if short {
		return float64(math.Float32frombits(uint32(c.int(4))))
	}
	return math.Float64frombits(c.int(8))
}

// doBinarySize is binary.Size.
func doBinarySize(m *machine, x *ext) {
	n := 0
	v := m.R[x.regs[0]]
	m.own(func() { n = m.binarySize(m.direct(v)) })
	m.I[x.a] = int64(n)
}

// direct is what v holds, or what the pointer in it leads to.
func (m *machine) direct(v any) val {
	w := m.valOf(v)
	if w.valid() && w.kind() == reflect.Pointer {
		return w.elem(m)
	}
	return w
}

// sameBytes says that the host sees v as the script does: a number, or a slice of
// them.
func sameBytes(v any) bool {
	f, ok := v.(*Iface)
	return !ok || f.T.kind == reflect.Slice && f.T.host != nil && isNative(f.T.elem)
}

// doBinaryOut is a function that takes the value in its last parameter apart: the host
// gets the bytes in its place.
func doBinaryOut(m *machine, x *ext) {
	data := m.R[x.regs[2]]
	if sameBytes(data) {
		doGate(m, x)
		return
	}
	f, in := m.binaryCall(x)
	var problem error
	m.own(func() {
		v := m.direct(data)
		n := m.binarySize(v)
		if n < 0 {
			problem = errors.New(binaryName(x) + ": some values are not fixed-sized in type " + m.typeString(data))
			return
		}
		m.charge(int64(n))
		b := make([]byte, n)
		(&binaryCoder{m: m, order: orderOf(in[1]), buf: b}).encode(v)
		in[2].Set(reflect.ValueOf(b))
	})
	m.binaryDone(f, x, in, problem)
}

// doBinaryIn is a function that stores through its last parameter: the host fills as
// many bytes as that has.
func doBinaryIn(m *machine, x *ext) {
	data := m.R[x.regs[2]]
	if sameBytes(data) {
		doGate(m, x)
		return
	}
	f, in := m.binaryCall(x)
	var problem error
	var target val
	var b []byte
	m.own(func() {
		v := m.valOf(data)
		n := -1
		switch {
		case v.valid() && v.kind() == reflect.Pointer && !v.isNil():
			target = v.elem(m)
			n = m.binarySize(target)
		case v.valid() && v.kind() == reflect.Slice:
			target = v
			n = m.binarySize(v)
		}
		if n < 0 {
			problem = errors.New(binaryName(x) + ": invalid type " + m.typeString(data))
			return
		}
		m.charge(int64(n))
		b = make([]byte, n)
		in[2].Set(reflect.ValueOf(b))
	})
	m.binaryDone(f, x, in, problem)
	failed := x.a + len(x.t.cells) - 1 // the error is the last result
	if problem == nil && m.R[failed] == nil {
		m.own(func() { (&binaryCoder{m: m, order: orderOf(in[1]), buf: b}).decode(target) })
	}
}

// binaryCall are the bound function and its arguments, of which the last one is
// replaced.
func (m *machine) binaryCall(x *ext) (reflect.Value, []reflect.Value) {
	f := m.seam.Bind[x.n]
	w := &Obj{m.I, m.S, m.R}
	in := make([]reflect.Value, 3)
	for i, r := range x.regs[:2] {
		in[i] = toHost(m, x.types[i], w, r, f.Type().In(i))
	}
	in[2] = reflect.New(f.Type().In(2)).Elem()
	return f, in
}

// binaryDone calls the bound function, unless there is a problem, which is its error.
func (m *machine) binaryDone(f reflect.Value, x *ext, in []reflect.Value, problem error) {
	if problem == nil {
		m.called(f, x, in)
		return
	}
	for i, field := range x.t.fields[:len(x.t.fields)-1] {
		fromHost(m, reflect.Zero(f.Type().Out(i)), field.typ, &Obj{m.I, m.S, m.R}, x.a+field.off)
	}
	m.failed(x.a+x.t.fields[len(x.t.fields)-1].off, problem)
}

func binaryName(x *ext) string { return strings.TrimPrefix(x.s, "encoding/") }

func orderOf(v reflect.Value) binary.ByteOrder {
	order, ok := v.Interface().(binary.ByteOrder)
	if !ok {
		throwNil()
	}
	return order
}

// typeString is the name of the type of what an interface holds.
func (m *machine) typeString(v any) string {
	if w := m.valOf(v); w.valid() {
		return w.t.str
	}
	return "<nil>"
}
