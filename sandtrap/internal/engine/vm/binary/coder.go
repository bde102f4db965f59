// Package binary makes bytes of the values of a program, and values of bytes, as
// encoding/binary does.
//
// It may not import the machine: it sees values through inspect.
package binary

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Size is how many bytes a value has, -1 if its type has no fixed size. A nil v is none.
func Size(m inspect.Machine, v inspect.Value) int {
	if v == nil {
		return -1
	}
	if t := v.Type(); t.Kind() == reflect.Slice {
		if n := typeSize(m, t.Elem()); n >= 0 {
			return times(n, v.Len())
		}
		return -1
	}
	return typeSize(m, v.Type())
}

func typeSize(m inspect.Machine, t inspect.Type) int {
	switch kind := t.Kind(); kind {
	case reflect.Array:
		if n := typeSize(m, t.Elem()); n >= 0 {
			return times(n, t.Len())
		}
	case reflect.Struct:
		sum := 0
		for _, f := range m.Fields(t) {
			n := typeSize(m, f.Type)
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	case reflect.Int, reflect.Uint, reflect.Uintptr: // not the same on each machine
	default:
		if n := kinds.Size(kind); n > 0 {
			return n
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

// Encode writes v into b, which has its size.
func Encode(m inspect.Machine, order binary.ByteOrder, b []byte, v inspect.Value) {
	(&coder{m, order, b}).encode(v)
}

// Decode makes v, a variable or a slice, what b says, which has its size.
func Decode(m inspect.Machine, order binary.ByteOrder, b []byte, v inspect.Value) {
	(&coder{m, order, b}).decode(v)
}

// A coder goes through the bytes of a value.
type coder struct {
	m     inspect.Machine
	order binary.ByteOrder
	buf   []byte // what is left of them
}

// next are the next n bytes.
func (c *coder) next(n int) []byte {
	b := c.buf[:n]
	c.buf = c.buf[n:]
	return b
}

// each goes through the parts of an array, slice or struct; fields without a name
// are skipped.
func (c *coder) each(v inspect.Value, f func(inspect.Value)) {
	c.m.Deeper()
	defer c.m.Shallower()
	if v.Kind() != reflect.Struct {
		for i := range v.Len() {
			if i&0xfff == 0 {
				c.m.Check()
			}
			x := v.Index(i)
			f(x)
			x.Done()
		}
		return
	}
	for _, field := range c.m.Fields(v.Type()) {
		if field.Name == "_" {
			clear(c.next(typeSize(c.m, field.Type)))
			continue
		}
		f(v.Field(field))
	}
}

func (c *coder) encode(v inspect.Value) {
	switch kind := v.Kind(); {
	case kinds.Composite.Has(kind): // none is a map
		c.each(v, c.encode)
	case kinds.Complex.Has(kind):
		x := v.Complex()
		c.putFloat(kind == reflect.Complex64, real(x))
		c.putFloat(kind == reflect.Complex64, imag(x))
	case kinds.Float.Has(kind):
		c.putFloat(kind == reflect.Float32, v.Float())
	default:
		c.putInt(kinds.Size(kind), uint64(v.Int()))
	}
}

func (c *coder) putInt(size int, x uint64) {
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

func (c *coder) putFloat(short bool, f float64) {
	if short {
		c.putInt(4, uint64(math.Float32bits(float32(f))))
		return
	}
	c.putInt(8, math.Float64bits(f))
}

// setter is the method of reflect.Value that Go sets values of a kind by.
func setter(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "SetBool"
	case inspect.IsUnsigned(k):
		return "SetUint"
	case inspect.IsFloat(k):
		return "SetFloat"
	case inspect.IsComplex(k):
		return "SetComplex"
	}
	return "SetInt"
}

func (c *coder) decode(v inspect.Value) {
	kind := v.Kind()
	if kinds.Composite.Has(kind) {
		c.each(v, c.decode)
		return
	}
	if !v.CanSet() { // a field of another package
		c.m.Fail("reflect: reflect.Value." + setter(kind) + " using value obtained using unexported field")
	}
	switch {
	case kinds.Complex.Has(kind):
		re := c.float(kind == reflect.Complex64)
		v.SetComplex(complex(re, c.float(kind == reflect.Complex64)))
	case kinds.Float.Has(kind):
		v.SetFloat(c.float(kind == reflect.Float32))
	case kind == reflect.Bool:
		v.SetBool(c.int(1) != 0)
	default:
		size := kinds.Size(kind)
		x := int64(c.int(size))
		if kind <= reflect.Int64 { // with a sign
			shift := 64 - 8*size
			x = x << shift >> shift
		}
		v.SetInt(x)
	}
}

func (c *coder) int(size int) uint64 {
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

func (c *coder) float(short bool) float64 {
	if short {
		return float64(math.Float32frombits(uint32(c.int(4))))
	}
	return math.Float64frombits(c.int(8))
}
