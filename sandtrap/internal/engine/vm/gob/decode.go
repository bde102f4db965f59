package gob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Decode puts the value of the message that read gives into what the pointer that an
// interface holds leads to. Nothing is read for what is no pointer.
func Decode(m inspect.Machine, names *Names, read func() ([]byte, error), held any) error {
	x := m.Of(held)
	if x == nil || x.Kind() != reflect.Pointer {
		return errors.New("gob: attempt to decode into a non-pointer")
	}
	if x.IsNil() {
		return errors.New("gob: DecodeValue of unassignable value")
	}
	text, err := read()
	if err != nil {
		return err
	}
	return (&decoder{m: m, names: names, b: text}).message(x)
}

var errBad = errors.New("gob: unknown type id or corrupted data")

// failure carries an error out of a message.
type failure struct{ err error }

// A decoder reads one message, which need not be one that an encoder wrote.
type decoder struct {
	m     inspect.Machine
	names *Names
	b     []byte
	types []wireType
	good  map[typePair]bool // what can be decoded into what, as far as that is known
}

type typePair struct {
	wire int
	t    inspect.Type
}

func (d *decoder) fail(err error)                   { panic(failure{err}) }
func (d *decoder) failf(format string, args ...any) { d.fail(fmt.Errorf("gob: "+format, args...)) }

func (d *decoder) message(v inspect.Value) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.err
		default:
			panic(r)
		}
	}()
	n := d.count(math.MaxInt32)
	d.table()
	d.fits(n, v.Type())
	d.value(n, v.Elem(), v.Type().String())
	return nil
}

// fits refuses a message of another type, in Go's words.
func (d *decoder) fits(n int, t inspect.Type) {
	if n >= len(d.types) {
		d.fail(errBad)
	}
	base, err := base(t)
	if err != nil {
		d.fail(err)
	}
	wire := d.types[n]
	switch {
	case wire.kind == wireStruct && base.Kind() == reflect.Struct && !d.decodesItself(base):
		d.matchFields(wire, base)
	case d.compatible(n, base):
	case base.Kind() == reflect.Struct && !d.decodesItself(base):
		d.failf("type mismatch in decoder: want struct type %s; got non-struct", base.String())
	case base.Kind() == reflect.Interface && wire.kind != wireInterface:
		d.fail(errors.New("gob: local interface type " + t.String() + " can only be decoded from remote interface type; received concrete type " + typeString(d.types, n, 0)))
	default:
		d.fail(errors.New("gob: decoding into local type " + t.String() + ", received remote type " + typeString(d.types, n, 0)))
	}
}

// matchFields wants one field that both have, and none of different types.
func (d *decoder) matchFields(wire wireType, t inspect.Type) {
	matched, sent := 0, len(d.m.Fields(t))
	for _, f := range wire.fields {
		if local := d.localField(t, f.name); local != nil {
			matched++
			if !d.compatible(f.typ, local.Type) {
				d.failf("wrong type (%s) for received field %s.%s", local.Type.String(), wire.name, f.name)
			}
		}
	}
	if matched == 0 && sent > 0 && len(wire.fields) > 0 {
		d.failf("type mismatch: no fields matched compiling decoder for %s", t.Name())
	}
}

func (d *decoder) localField(t inspect.Type, name string) *inspect.Field {
	for _, f := range d.m.Fields(t) {
		if f.Name == name && sent(f) {
			return f
		}
	}
	return nil
}

func (d *decoder) decodesItself(t inspect.Type) bool {
	_, dec := methods(t)
	return dec != ""
}

// compatible reports that a type of the message can become one of the script's.
func (d *decoder) compatible(n int, t inspect.Type) bool {
	d.m.Tick()
	base, err := base(t)
	if err != nil || n >= len(d.types) {
		return false
	}
	key := typePair{n, base}
	if ok, known := d.good[key]; known {
		return ok
	}
	if d.good == nil {
		d.good = map[typePair]bool{}
	}
	d.m.Charge(inspect.NoteBytes)
	d.good[key] = true // as long as nothing speaks against it
	ok := d.alike(n, base)
	d.good[key] = ok
	return ok
}

func (d *decoder) alike(n int, t inspect.Type) bool {
	d.m.Deeper()
	defer d.m.Shallower()
	wire := d.types[n]
	if own := d.decodesItself(t); own || wire.kind == wireOwn {
		return own && wire.kind == wireOwn
	}
	k := t.Kind()
	switch wire.kind {
	case wireBool:
		return k == reflect.Bool
	case wireInt:
		return inspect.IsInteger(k) && !inspect.IsUnsigned(k)
	case wireUint:
		return inspect.IsUnsigned(k)
	case wireFloat:
		return inspect.IsFloat(k)
	case wireComplex:
		return inspect.IsComplex(k)
	case wireString:
		return k == reflect.String
	case wireBytes:
		return inspect.IsBytes(t)
	case wireInterface:
		return k == reflect.Interface
	case wireSlice:
		return k == reflect.Slice && d.compatible(wire.elem, t.Elem())
	case wireArray:
		return k == reflect.Array && t.Len() == wire.n && d.compatible(wire.elem, t.Elem())
	case wireMap:
		return k == reflect.Map && d.compatible(wire.key, t.Key()) && d.compatible(wire.elem, t.Elem())
	}
	return k == reflect.Struct
}

func (d *decoder) uint() uint64 {
	n, k := binary.Uvarint(d.b)
	if k <= 0 {
		d.fail(errBad)
	}
	d.b = d.b[k:]
	return n
}

// count is a number up to max.
func (d *decoder) count(max int) int {
	n := d.uint()
	if n > uint64(max) {
		d.fail(errBad)
	}
	return int(n)
}

// text is a text of the message, which it shares.
func (d *decoder) text() []byte {
	n := d.count(math.MaxInt32)
	if n > len(d.b) {
		d.fail(errBad)
	}
	s := d.b[:n:n]
	d.b = d.b[n:]
	return s
}

// table reads the types.
func (d *decoder) table() {
	n := d.count(len(d.b))
	d.m.Charge(int64(n) * inspect.NoteBytes)
	d.types = make([]wireType, n)
	for i := range d.types {
		d.m.Tick()
		if len(d.b) == 0 || wireKind(d.b[0]) > wireStruct {
			d.fail(errBad)
		}
		t := wireType{kind: wireKind(d.b[0])}
		d.b = d.b[1:]
		t.name = string(d.text())
		t.elem, t.key, t.n = d.count(n-1), d.count(n-1), d.count(math.MaxInt32)
		for range d.count(len(d.b)) {
			d.m.Charge(inspect.NoteBytes)
			t.fields = append(t.fields, wireField{name: string(d.text()), typ: d.count(n - 1)})
		}
		d.types[i] = t
	}
}

// value puts a value of type n of the message into v, which it fits.
func (d *decoder) value(n int, v inspect.Value, name string) {
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
	t := d.types[n]
	switch t.kind {
	case wireBool:
		v.SetBool(d.uint() != 0)
	case wireInt:
		d.setInt(v, name)
	case wireUint:
		x := d.uint()
		if inspect.OverflowsUint(v.Kind(), x) {
			d.outOfRange(name)
		}
		v.SetInt(int64(x))
	case wireFloat:
		f := math.Float64frombits(d.uint())
		if a := math.Abs(f); v.Kind() == reflect.Float32 && a > math.MaxFloat32 && !math.IsInf(f, 0) {
			d.outOfRange(name)
		}
		v.SetFloat(f)
	case wireComplex:
		re, im := math.Float64frombits(d.uint()), math.Float64frombits(d.uint())
		v.SetComplex(complex(re, im))
	case wireString:
		s := d.text()
		m.Charge(int64(len(s)))
		v.SetText(string(s))
	case wireBytes:
		s := d.text()
		b := m.Make(len(s))
		copy(b, s)
		v.SetBytes(b)
	case wireInterface:
		d.iface(v)
	case wireOwn:
		d.own(v)
	case wireSlice, wireArray:
		d.list(t, v, name)
	case wireMap:
		d.entries(t, v, name)
	case wireStruct:
		d.structure(t, v)
	}
}

func (d *decoder) setInt(v inspect.Value, name string) {
	x, k := binary.Varint(d.b)
	if k <= 0 {
		d.fail(errBad)
	}
	d.b = d.b[k:]
	if inspect.OverflowsInt(v.Kind(), x) {
		d.outOfRange(name)
	}
	v.SetInt(x)
}

func (d *decoder) outOfRange(name string) {
	d.fail(errors.New(`value for "` + name + `" out of range`))
}

func (d *decoder) list(t wireType, v inspect.Value, name string) {
	n := d.count(len(d.b))
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

func (d *decoder) entries(t wireType, v inspect.Value, name string) {
	m := d.m
	if v.IsNil() {
		v.Allocate()
	}
	for range d.count(len(d.b)) {
		key, elem := m.New(v.Type().Key()), m.New(v.Type().Elem())
		d.value(t.key, key, name)
		d.value(t.elem, elem, name)
		v.Put(key, elem)
	}
}

func (d *decoder) structure(t wireType, v inspect.Value) {
	d.matchFields(t, v.Type())
	for {
		i := d.count(len(t.fields))
		if i == 0 {
			return
		}
		f := t.fields[i-1]
		if local := d.localField(v.Type(), f.name); local != nil {
			d.value(f.typ, v.Field(local), f.name)
		} else {
			d.skip(f.typ)
		}
	}
}

// skip reads over a value that goes nowhere.
func (d *decoder) skip(n int) {
	d.m.Tick()
	d.m.Deeper()
	defer d.m.Shallower()
	t := d.types[n]
	switch t.kind {
	case wireBool, wireUint, wireFloat:
		d.uint()
	case wireInt:
		_, k := binary.Varint(d.b)
		if k <= 0 {
			d.fail(errBad)
		}
		d.b = d.b[k:]
	case wireComplex:
		d.uint()
		d.uint()
	case wireString, wireBytes, wireOwn:
		d.text()
	case wireInterface:
		if len(d.text()) > 0 {
			d.text()
		}
	case wireSlice, wireArray:
		for range d.count(len(d.b)) {
			d.skip(t.elem)
		}
	case wireMap:
		for range d.count(len(d.b)) {
			d.skip(t.key)
			d.skip(t.elem)
		}
	case wireStruct:
		for i := d.count(len(t.fields)); i > 0; i = d.count(len(t.fields)) {
			d.skip(t.fields[i-1].typ)
		}
	}
}

// iface puts a value of a registered type into an interface.
func (d *decoder) iface(v inspect.Value) {
	name := string(d.text())
	if name == "" {
		v.SetHeld(nil)
		return
	}
	text := d.text()
	t := d.names.named(d.m, name)
	if t == nil {
		d.failf("name not registered for interface: %q", name)
	}
	x := d.m.New(t)
	if err := (&decoder{m: d.m, names: d.names, b: text}).message(x.Addr()); err != nil {
		d.fail(err)
	}
	if !t.AssignableTo(v.Type()) {
		d.failf("%s is not assignable to type %s", t.String(), v.Type().String())
	}
	v.SetHeld(x.Held())
}

// own lets the value take what it made of itself.
func (d *decoder) own(v inspect.Value) {
	_, name := methods(v.Type())
	text := d.text()
	own := d.m.Make(len(text))
	copy(own, text)
	if err := inspect.Unmarshal(v.Addr(), name, own); err != nil {
		d.fail(err)
	}
}
