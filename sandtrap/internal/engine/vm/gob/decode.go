package gob

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// A Decoder reads one stream, which need not be one that an encoder wrote.
type Decoder struct {
	Names *Names                                 // of the types that may be in interfaces
	From  interface{ Message() ([]byte, error) } // gives the next message, without its length

	types map[int]*wireType // that the stream has defined
}

// Decode puts the next value of the stream into what the pointer that an interface holds leads to; nil leaves it out.
func (d *Decoder) Decode(m inspect.Machine, held any) (err error) {
	x := m.Of(held)
	if x != nil && x.Kind() != reflect.Pointer {
		return errors.New("gob: attempt to decode into a non-pointer")
	}
	if x != nil && x.IsNil() {
		return errors.New("gob: DecodeValue of unassignable value")
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.err
		default:
			panic(r)
		}
	}()
	dec := &decoding{Decoder: d, m: m}
	id := dec.next(false)
	if x == nil {
		dec.skipTop(id)
		return nil
	}
	dec.top(id, x.Elem(), x.Type())
	return nil
}

// A decoding is one call of Decode.
type decoding struct {
	*Decoder
	source
	m    inspect.Machine
	good map[typePair]bool // what can be decoded into what, as far as that is known
}

type typePair struct {
	wire int
	t    inspect.Type
}

func (d *decoding) fail(err error)                   { panic(failure{err}) }
func (d *decoding) failf(format string, args ...any) { d.fail(fmt.Errorf("gob: "+format, args...)) }

// next is the number of the type of the next value, after what the stream defines before it: of one in an interface as
// parts of the message.
func (d *decoding) next(inside bool) int {
	for first := true; ; first = false {
		if len(d.b) == 0 {
			text, err := d.From.Message()
			if err == io.EOF && !first {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				d.fail(err)
			}
			d.b = text
		}
		d.m.Tick()
		id := d.int()
		if id >= 0 {
			return int(min(id, math.MaxInt32))
		}
		if id < -math.MaxInt32 {
			d.fail(errBad)
		}
		d.defines(int(-id))
		if len(d.b) > 0 && !inside {
			d.fail(errors.New("extra data in buffer"))
		}
		if len(d.b) > 0 {
			d.uint() // the length of what follows
		}
	}
}

// top reads a value that is no part of another into what a pointer of type t leads to.
func (d *decoding) top(id int, v inspect.Value, t inspect.Type) {
	d.fits(id, t)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Allocate()
		}
		v = v.Elem()
	}
	if d.kind(id) != wireStruct && d.uint() != 0 {
		d.failf("decode: corrupted data: non-zero delta for singleton")
	}
	d.value(id, v, t.String())
}

// value reads a value into v, which it fits.
func (d *decoding) value(id int, v inspect.Value, name string) {
	m := d.m
	m.Tick()
	m.Deeper()
	defer m.Shallower()
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Allocate()
		}
		v = v.Elem()
	}
	switch t := d.types[id]; d.kind(id) {
	case wireBool:
		v.SetBool(d.uint() != 0)
	case wireInt:
		x := d.int()
		if inspect.OverflowsInt(v.Kind(), x) {
			d.outOfRange(name)
		}
		v.SetInt(x)
	case wireUint:
		x := d.uint()
		if inspect.OverflowsUint(v.Kind(), x) {
			d.outOfRange(name)
		}
		v.SetInt(int64(x))
	case wireFloat:
		v.SetFloat(d.floatFor(v.Kind() == reflect.Float32, name))
	case wireComplex:
		small := v.Kind() == reflect.Complex64
		re := d.floatFor(small, name)
		v.SetComplex(complex(re, d.floatFor(small, name)))
	case wireString:
		v.SetText(d.name())
	case wireBytes:
		s := d.text()
		b := m.Make(len(s))
		copy(b, s)
		v.SetBytes(b)
	case wireInterface:
		d.iface(v)
	case wireSlice, wireArray:
		d.list(t, v, name)
	case wireMap:
		d.entries(t, v, name)
	case wireStruct:
		d.structure(t, v)
	default:
		d.own(v)
	}
}

func (d *decoding) floatFor(small bool, name string) float64 {
	f := d.float()
	if a := math.Abs(f); small && a > math.MaxFloat32 && !math.IsInf(f, 0) {
		d.outOfRange(name)
	}
	return f
}

func (d *decoding) outOfRange(name string) {
	d.fail(errors.New(`value for "` + name + `" out of range`))
}

// maxElements is Go's bound for what is in a list.
const maxElements = 1 << 30

// elements is how many elements of a type come. Each has a byte at least, which may be in a later message where there are
// values in interfaces.
func (d *decoding) elements(id int) int {
	n := d.uint()
	k := d.kind(id)
	whole := k < wireInterface || k >= wireGob
	if n > maxElements || whole && n > uint64(len(d.b)) {
		d.fail(errBad)
	}
	return int(n)
}

func (d *decoding) list(t *wireType, v inspect.Value, name string) {
	n := d.elements(t.elem)
	if v.Kind() == reflect.Array {
		if n != v.Len() {
			d.failf("length mismatch in decodeArray")
		}
	} else {
		if v.IsNil() {
			v.Allocate()
		}
		v.SetLen(0)
		v.SetLen(n)
	}
	for i := range n {
		d.value(t.elem, v.Index(i), name)
	}
}

func (d *decoding) entries(t *wireType, v inspect.Value, name string) {
	m := d.m
	if v.IsNil() {
		v.Allocate()
	}
	for range d.elements(t.elem) {
		key, elem := m.New(v.Type().Key()), m.New(v.Type().Elem())
		d.value(t.key, key, name)
		d.value(t.elem, elem, name)
		v.Put(key, elem)
	}
}

// fields calls f for each field that comes, until the end of the struct.
func (d *decoding) fields(t *wireType, f func(wireField)) {
	for last := -1; len(d.b) > 0; {
		if d.b[0] == 0 {
			d.b = d.b[1:]
			return
		}
		last = d.delta(len(t.fields), last)
		f(t.fields[last])
	}
}

func (d *decoding) structure(t *wireType, v inspect.Value) {
	d.matchFields(t, v.Type())
	d.fields(t, func(f wireField) {
		if local := d.localField(v.Type(), f.name); local != nil {
			d.value(f.id, v.Field(local), f.name)
		} else {
			d.skip(f.id)
		}
	})
}

// iface puts a value of a registered type into an interface.
func (d *decoding) iface(v inspect.Value) {
	name := string(d.text())
	if name == "" {
		v.SetHeld(nil)
		return
	}
	if len(name) > 1024 {
		d.failf("name too long (%d bytes): %.20q...", len(name), name)
	}
	t := d.Names.named(d.m, name)
	if t == nil {
		d.failf("name not registered for interface: %q", name)
	}
	id := d.next(true)
	d.uint() // the length of the value
	x := d.m.New(t)
	d.top(id, x, t)
	if !d.m.Assignable(t, v.Type()) {
		d.failf("%s is not assignable to type %s", t.String(), v.Type().String())
	}
	v.SetHeld(x.Held())
}

// own lets the value take what it made of itself.
func (d *decoding) own(v inspect.Value) {
	name, _ := decodes(v.Type())
	text := d.text()
	own := d.m.Make(len(text))
	copy(own, text)
	if err := inspect.Unmarshal(v.Addr(), name, own); err != nil {
		d.fail(err)
	}
}
