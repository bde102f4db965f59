package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// gobNamed are the types that may be in interfaces, by name.
type gobNamed struct {
	types map[string]*Type
	names map[*Type]string
}

func (h hostValues) RegisterGob(name string, v any) {
	m := h.m
	x := m.valOf(hostIface(v))
	if !x.valid() {
		throwNil()
	}
	if name == "" {
		name = gobNameOf(x.t)
	}
	base, err := gobBase(x.t)
	if err != nil {
		throwPlain("%s", err)
	}
	r := &m.gobNamed
	if r.types == nil {
		r.types, r.names = map[string]*Type{}, map[*Type]string{}
	}
	if t, ok := r.types[name]; ok && t != x.t {
		throw(fmt.Sprintf("gob: registering duplicate types for %q: %s != %s", name, t.str, x.t.str))
	}
	if n, ok := r.names[base]; ok && n != name {
		throw(fmt.Sprintf("gob: registering duplicate names for %s: %q != %q", x.t.str, n, name))
	}
	m.charge(noteBytes)
	r.types[name], r.names[base] = x.t, name
}

func gobNameOf(t *Type) string {
	if t.kind == reflect.Pointer && !hasName(t) && hasName(t.elem) {
		return "*" + t.elem.str
	}
	return t.str
}

// gobName is the name of a type in interfaces; basic types have theirs.
func (m *machine) gobName(t *Type) (string, bool) {
	if name, ok := m.gobNamed.names[t]; ok {
		return name, true
	}
	basic := m.gobBasic(t.str)
	return t.str, basic == t
}

// gobBasic are the types that need not be registered.
func (m *machine) gobBasic(name string) *Type {
	for _, t := range universe.basic {
		if t.str == name && kindTypes[t.kind] != nil {
			return t
		}
	}
	for rt := range gobSlices {
		if rt.String() == name {
			return m.typeOfHost(rt)
		}
	}
	return nil
}

var gobSlices = map[reflect.Type]bool{
	reflect.TypeFor[[]int](): true, reflect.TypeFor[[]uint](): true, reflect.TypeFor[[]float64](): true,
	reflect.TypeFor[[]string](): true, reflect.TypeFor[[]byte](): true, reflect.TypeFor[[]bool](): true,
	reflect.TypeFor[[]int64](): true, reflect.TypeFor[[]int32](): true, reflect.TypeFor[[]float32](): true,
	reflect.TypeFor[[]uint64](): true,
}

func (h hostValues) EncodeGob(v any) ([]byte, error) {
	x := h.m.valOf(hostIface(v))
	if !x.valid() {
		return nil, errors.New("gob: cannot encode nil value")
	}
	if x.t.kind == reflect.Pointer && x.isNil() {
		throw("gob: cannot encode nil pointer of type " + x.t.str)
	}
	e := &gobEncoder{m: h.m, types: gobTypes{m: h.m, of: map[*Type]int{}}}
	return e.message(x)
}

// A gobEncoder writes one message.
type gobEncoder struct {
	m     *machine
	types gobTypes
	b     []byte
}

// message is the number of the type of v, the types, and the value.
func (e *gobEncoder) message(v val) ([]byte, error) {
	n, err := e.types.number(v.t)
	if err != nil {
		return nil, err
	}
	if t := e.types.list[n]; t.kind == gobStruct && len(t.fields) == 0 {
		base, _ := gobBase(v.t)
		return nil, fmt.Errorf("gob: type %s has no exported fields", base.str)
	}
	if err := e.value(v, n); err != nil {
		return nil, err
	}
	head := append(binary.AppendUvarint(nil, uint64(n)), e.types.text()...)
	e.m.charge(int64(len(head) + len(e.b)))
	return append(head, e.b...), nil
}

func (e *gobEncoder) uint(n uint64) {
	e.m.charge(2)
	e.b = binary.AppendUvarint(e.b, n)
}

func (e *gobEncoder) bytes(s []byte) {
	e.uint(uint64(len(s)))
	e.m.charge(2 * int64(len(s)))
	e.b = append(e.b, s...)
}

// through goes along pointers to what they lead to, none if one is nil.
func (e *gobEncoder) through(v val) val {
	for v.t.kind == reflect.Pointer {
		if v.isNil() {
			return val{}
		}
		v = v.elem(e.m)
	}
	return v
}

func (e *gobEncoder) value(v val, n int) error {
	m := e.m
	m.tick()
	m.deeper()
	defer m.shallower()
	if v = e.through(v); !v.valid() {
		return errors.New("gob: encodeReflectValue: nil element")
	}
	t := e.types.list[n]
	switch t.kind {
	case gobBool, gobUint:
		e.uint(uint64(v.int()))
	case gobInt:
		e.b = binary.AppendVarint(e.b, v.int())
		m.charge(2)
	case gobFloat:
		e.uint(math.Float64bits(v.float()))
	case gobComplex:
		o := v.load(m)
		e.uint(uint64(o.I[0]))
		e.uint(uint64(o.I[1]))
	case gobString:
		e.bytes([]byte(v.str()))
	case gobBytes:
		e.bytes(v.bytes(m))
	case gobInterface:
		return e.iface(v)
	case gobOwn:
		return e.own(v)
	case gobSlice, gobArray:
		e.uint(uint64(v.length()))
		for i := range v.length() {
			x := v.index(m, i)
			if !e.through(x).valid() {
				return errors.New("gob: encodeArray: nil element")
			}
			if err := e.value(x, t.elem); err != nil {
				return err
			}
		}
	case gobMap:
		pairs := v.pairs(m)
		e.uint(uint64(len(pairs)))
		for _, p := range pairs {
			if err := e.value(p.key, t.key); err != nil {
				return err
			}
			if err := e.value(p.elem, t.elem); err != nil {
				return err
			}
		}
	case gobStruct:
		return e.structure(v, t)
	}
	return nil
}

// structure writes the fields that are not zero, each after its number.
func (e *gobEncoder) structure(v val, t gobType) error {
	for i, f := range t.fields {
		fv := e.through(v.field(e.m, f.path))
		if !fv.valid() || e.omitted(fv, e.types.list[f.typ].kind) {
			continue
		}
		e.uint(uint64(i + 1))
		if err := e.value(fv, f.typ); err != nil {
			return err
		}
	}
	e.uint(0)
	return nil
}

// omitted reports a zero that a struct leaves out. Structs and arrays are never.
func (e *gobEncoder) omitted(v val, k gobKind) bool {
	switch k {
	case gobBool, gobInt, gobUint, gobFloat:
		return v.int() == 0 || k == gobFloat && v.float() == 0
	case gobComplex:
		o := v.load(e.m)
		return i2f(o.I[0]) == 0 && i2f(o.I[1]) == 0
	case gobString, gobBytes, gobSlice:
		return v.length() == 0
	case gobMap, gobInterface:
		return v.isNil()
	case gobOwn:
		return equalCells(e.m.keys(), v.t, v.load(e.m), 0, newObj(v.t.w(), mI|mS|mR, 1), 0)
	}
	return false
}

// iface writes the name of a type and a message for the value.
func (e *gobEncoder) iface(v val) error {
	if v.isNil() {
		e.bytes(nil)
		return nil
	}
	x := v.elem(e.m)
	if x.t.kind == reflect.Pointer && x.isNil() {
		return fmt.Errorf("gob: gob: cannot encode nil pointer of type %s inside interface", x.t.str)
	}
	base, err := gobBase(x.t)
	if err != nil {
		return err
	}
	name, ok := e.m.gobName(base)
	if !ok {
		return fmt.Errorf("gob: type not registered for interface: %s", base.str)
	}
	inner := &gobEncoder{m: e.m, types: gobTypes{m: e.m, of: map[*Type]int{}}}
	text, err := inner.message(x)
	if err != nil {
		return err
	}
	e.bytes([]byte(name))
	e.bytes(text)
	return nil
}

// own writes what the value makes of itself.
func (e *gobEncoder) own(v val) error {
	name, _ := e.m.gobMethods(v.t)
	if methodSig(v.t.t, name) == nil {
		if v.flag&isVar == 0 {
			return fmt.Errorf("gob: unaddressable value of type %s", v.t.str)
		}
		v = v.addr(e.m)
	}
	text, err := e.m.callMarshal(v, name)
	if err != nil {
		return err
	}
	e.bytes(text)
	return nil
}
