package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

func (h hostValues) DecodeGob(message []byte, v any) error {
	x := h.m.valOf(hostIface(v))
	if !x.valid() || x.t.kind != reflect.Pointer {
		return errors.New("gob: attempt to decode into a non-pointer")
	}
	if x.isNil() {
		return errors.New("gob: DecodeValue of unassignable value")
	}
	return (&gobDecoder{m: h.m, b: message}).message(x)
}

var errBadGob = errors.New("gob: unknown type id or corrupted data")

// gobFailure carries an error out of a message.
type gobFailure struct{ err error }

// A gobDecoder reads one message, which need not be one that the engine wrote.
type gobDecoder struct {
	m     *machine
	b     []byte
	types []gobType
	good  map[gobPair]bool // what can be decoded into what, as far as that is known
}

type gobPair struct {
	wire int
	t    *Type
}

func (d *gobDecoder) fail(err error)                   { panic(gobFailure{err}) }
func (d *gobDecoder) failf(format string, args ...any) { d.fail(fmt.Errorf("gob: "+format, args...)) }

func (d *gobDecoder) message(v val) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case gobFailure:
			err = r.err
		default:
			panic(r)
		}
	}()
	n := d.count(math.MaxInt32)
	d.table()
	d.fits(n, v.t)
	d.value(n, v.elem(d.m), v.t.str)
	return nil
}

// fits refuses a message of another type, in Go's words.
func (d *gobDecoder) fits(n int, t *Type) {
	if n >= len(d.types) {
		d.fail(errBadGob)
	}
	base, err := gobBase(t)
	if err != nil {
		d.fail(err)
	}
	wire := d.types[n]
	switch {
	case wire.kind == gobStruct && kindOf(base) == reflect.Struct && !d.decodesItself(base):
		d.matchFields(wire, base)
	case d.compatible(n, base):
	case kindOf(base) == reflect.Struct && !d.decodesItself(base):
		d.failf("type mismatch in decoder: want struct type %s; got non-struct", base.str)
	case base.kind == reflect.Interface && wire.kind != gobInterface:
		d.fail(errors.New("gob: local interface type " + t.str + " can only be decoded from remote interface type; received concrete type " + gobTypeString(d.types, n, 0)))
	default:
		d.fail(errors.New("gob: decoding into local type " + t.str + ", received remote type " + gobTypeString(d.types, n, 0)))
	}
}

// matchFields wants one field that both have, and none of different types.
func (d *gobDecoder) matchFields(wire gobType, t *Type) {
	matched, sent := 0, len(d.m.structFields(t))
	for _, f := range wire.fields {
		if local := d.localField(t, f.name); local != nil {
			matched++
			if !d.compatible(f.typ, local.typ) {
				d.failf("wrong type (%s) for received field %s.%s", local.typ.str, wire.name, f.name)
			}
		}
	}
	if matched == 0 && sent > 0 && len(wire.fields) > 0 {
		d.failf("type mismatch: no fields matched compiling decoder for %s", typeName(t))
	}
}

func (d *gobDecoder) localField(t *Type, name string) *structField {
	for _, f := range d.m.structFields(t) {
		if f.name == name && gobSent(f) {
			return f
		}
	}
	return nil
}

func (d *gobDecoder) decodesItself(t *Type) bool {
	_, dec := d.m.gobMethods(t)
	return dec != ""
}

// compatible reports that a type of the message can become one of the script's.
func (d *gobDecoder) compatible(n int, t *Type) bool {
	d.m.tick()
	base, err := gobBase(t)
	if err != nil || n >= len(d.types) {
		return false
	}
	key := gobPair{n, base}
	if ok, known := d.good[key]; known {
		return ok
	}
	if d.good == nil {
		d.good = map[gobPair]bool{}
	}
	d.m.charge(noteBytes)
	d.good[key] = true // as long as nothing speaks against it
	ok := d.alike(n, base)
	d.good[key] = ok
	return ok
}

func (d *gobDecoder) alike(n int, t *Type) bool {
	d.m.deeper()
	defer d.m.shallower()
	wire := d.types[n]
	if own := d.decodesItself(t); own || wire.kind == gobOwn {
		return own && wire.kind == gobOwn
	}
	k := kindOf(t)
	switch wire.kind {
	case gobBool:
		return k == reflect.Bool
	case gobInt:
		return isInteger(t) && !isUnsigned(t)
	case gobUint:
		return isUnsigned(t)
	case gobFloat:
		return isFloat(t)
	case gobComplex:
		return isComplex(t)
	case gobString:
		return k == reflect.String
	case gobBytes:
		return k == reflect.Slice && t.elem.kind == reflect.Uint8
	case gobInterface:
		return k == reflect.Interface
	case gobSlice:
		return k == reflect.Slice && d.compatible(wire.elem, t.elem)
	case gobArray:
		return k == reflect.Array && t.n == wire.n && d.compatible(wire.elem, t.elem)
	case gobMap:
		return k == reflect.Map && d.compatible(wire.key, t.key) && d.compatible(wire.elem, t.elem)
	}
	return k == reflect.Struct
}

func (d *gobDecoder) uint() uint64 {
	n, k := binary.Uvarint(d.b)
	if k <= 0 {
		d.fail(errBadGob)
	}
	d.b = d.b[k:]
	return n
}

// count is a number up to max.
func (d *gobDecoder) count(max int) int {
	n := d.uint()
	if n > uint64(max) {
		d.fail(errBadGob)
	}
	return int(n)
}

// text is a text of the message, which it shares.
func (d *gobDecoder) text() []byte {
	n := d.count(math.MaxInt32)
	if n > len(d.b) {
		d.fail(errBadGob)
	}
	s := d.b[:n:n]
	d.b = d.b[n:]
	return s
}

// table reads the types.
func (d *gobDecoder) table() {
	n := d.count(len(d.b))
	d.m.charge(int64(n) * noteBytes)
	d.types = make([]gobType, n)
	for i := range d.types {
		d.m.tick()
		if len(d.b) == 0 || gobKind(d.b[0]) > gobStruct {
			d.fail(errBadGob)
		}
		t := gobType{kind: gobKind(d.b[0])}
		d.b = d.b[1:]
		t.name = string(d.text())
		t.elem, t.key, t.n = d.count(n-1), d.count(n-1), d.count(math.MaxInt32)
		for range d.count(len(d.b)) {
			d.m.charge(noteBytes)
			t.fields = append(t.fields, gobField{name: string(d.text()), typ: d.count(n - 1)})
		}
		d.types[i] = t
	}
}

// value puts a value of type n of the message into v, which it fits.
func (d *gobDecoder) value(n int, v val, name string) {
	m := d.m
	m.tick()
	m.deeper()
	defer m.shallower()
	for v.t.kind == reflect.Pointer {
		if v.isNil() {
			m.allocate(v)
		}
		v = v.elem(m)
	}
	t := d.types[n]
	switch t.kind {
	case gobBool:
		v.setInt(b2i(d.uint() != 0))
	case gobInt:
		d.setInt(v, name)
	case gobUint:
		x := d.uint()
		if overflowsUint(v.t, x) {
			d.outOfRange(name)
		}
		v.setInt(int64(x))
	case gobFloat:
		f := math.Float64frombits(d.uint())
		if a := math.Abs(f); v.t.kind == reflect.Float32 && a > math.MaxFloat32 && !math.IsInf(f, 0) {
			d.outOfRange(name)
		}
		v.setFloat(f)
	case gobComplex:
		o := m.newCells(v.t)
		o.I[0], o.I[1] = int64(d.uint()), int64(d.uint())
		v.set(m, o, 0)
	case gobString:
		s := d.text()
		m.charge(int64(len(s)))
		v.setStr(string(s))
	case gobBytes:
		s := d.text()
		m.charge(int64(len(s)))
		v.set(m, sliceCells(&Num[uint8]{append([]byte(nil), s...)}, 0, len(s), len(s)), 0)
	case gobInterface:
		d.iface(v)
	case gobOwn:
		d.own(v)
	case gobSlice, gobArray:
		d.list(t, v, name)
	case gobMap:
		d.entries(t, v, name)
	case gobStruct:
		d.structure(t, v)
	}
}

func (d *gobDecoder) setInt(v val, name string) {
	x, k := binary.Varint(d.b)
	if k <= 0 {
		d.fail(errBadGob)
	}
	d.b = d.b[k:]
	if overflowsInt(v.t, x) {
		d.outOfRange(name)
	}
	v.setInt(x)
}

func (d *gobDecoder) outOfRange(name string) {
	d.fail(errors.New(`value for "` + name + `" out of range`))
}

func (d *gobDecoder) list(t gobType, v val, name string) {
	n := d.count(len(d.b))
	if v.t.kind == reflect.Array {
		if n != v.t.n {
			d.failf("length mismatch in decodeArray")
		}
	} else {
		o, off, _, c := v.store(d.m)
		v.set(d.m, sliceCells(o, off, 0, c), 0)
		if n == 0 && o == nil {
			v.set(d.m, sliceCells(newStore(v.t.elem, 0), 0, 0, 0), 0)
		}
		d.m.growSlice(v, n)
	}
	for i := range n {
		d.value(t.elem, v.index(d.m, i), name)
	}
}

func (d *gobDecoder) entries(t gobType, v val, name string) {
	m := d.m
	if v.isNil() {
		m.alloc(mapBytes)
		v.setRef(follow(m, newMap(v.t)))
	}
	h := v.ref().(*Map)
	for range d.count(len(d.b)) {
		key, elem := m.newVal(v.t.key), m.newVal(v.t.elem)
		d.value(t.key, key, name)
		d.value(t.elem, elem, name)
		m.putEntry(h, key.load(m), 0, elem.load(m), 0)
	}
}

func (d *gobDecoder) structure(t gobType, v val) {
	d.matchFields(t, v.t)
	for {
		i := d.count(len(t.fields))
		if i == 0 {
			return
		}
		f := t.fields[i-1]
		if local := d.localField(v.t, f.name); local != nil {
			d.value(f.typ, v.field(d.m, local), f.name)
		} else {
			d.skip(f.typ)
		}
	}
}

// skip reads over a value that goes nowhere.
func (d *gobDecoder) skip(n int) {
	d.m.tick()
	d.m.deeper()
	defer d.m.shallower()
	t := d.types[n]
	switch t.kind {
	case gobBool, gobUint, gobFloat:
		d.uint()
	case gobInt:
		_, k := binary.Varint(d.b)
		if k <= 0 {
			d.fail(errBadGob)
		}
		d.b = d.b[k:]
	case gobComplex:
		d.uint()
		d.uint()
	case gobString, gobBytes, gobOwn:
		d.text()
	case gobInterface:
		if len(d.text()) > 0 {
			d.text()
		}
	case gobSlice, gobArray:
		for range d.count(len(d.b)) {
			d.skip(t.elem)
		}
	case gobMap:
		for range d.count(len(d.b)) {
			d.skip(t.key)
			d.skip(t.elem)
		}
	case gobStruct:
		for i := d.count(len(t.fields)); i > 0; i = d.count(len(t.fields)) {
			d.skip(t.fields[i-1].typ)
		}
	}
}

// iface puts a value of a registered type into an interface.
func (d *gobDecoder) iface(v val) {
	name := string(d.text())
	if name == "" {
		v.setRef(nil)
		return
	}
	text := d.text()
	t := d.m.gobNamed.types[name]
	if t == nil {
		t = d.m.gobBasic(name)
	}
	if t == nil {
		d.failf("name not registered for interface: %q", name)
	}
	x := d.m.newVal(t)
	if err := (&gobDecoder{m: d.m, b: text}).message(x.addr(d.m)); err != nil {
		d.fail(err)
	}
	if !assignable(t, v.t) {
		d.failf("%s is not assignable to type %s", t.str, v.t.str)
	}
	v.setRef(x.iface(d.m))
}

// own lets the value take what it made of itself.
func (d *gobDecoder) own(v val) {
	_, name := d.m.gobMethods(v.t)
	text := append([]byte(nil), d.text()...)
	d.m.charge(int64(len(text)))
	n := int64(len(text))
	res := d.m.callMethod(v.addr(d.m), name, &Obj{I: []int64{n, n}, S: []string{"", ""}, R: []any{&Num[uint8]{text}, nil}}, 2)
	if err := d.m.errIn(res.R[0]); err != nil {
		d.fail(err)
	}
}
