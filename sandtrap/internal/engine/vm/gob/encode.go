package gob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Encode gives a message for what an interface holds. The types in its interfaces are
// written by the names that they have in names.
func Encode(m inspect.Machine, names *Names, held any) ([]byte, error) {
	x := m.Of(held)
	if x == nil {
		return nil, errors.New("gob: cannot encode nil value")
	}
	if x.Kind() == reflect.Pointer && x.IsNil() {
		m.Panic("gob: cannot encode nil pointer of type " + x.Type().String())
	}
	return newEncoder(m, names).message(x)
}

func newEncoder(m inspect.Machine, names *Names) *encoder {
	return &encoder{m: m, names: names, types: typeTable{m: m, of: map[inspect.Type]int{}}}
}

// An encoder writes one message.
type encoder struct {
	m     inspect.Machine
	names *Names
	types typeTable
	b     []byte
}

// message is the number of the type of v, the types, and the value.
func (e *encoder) message(v inspect.Value) ([]byte, error) {
	n, err := e.types.number(v.Type())
	if err != nil {
		return nil, err
	}
	if err := e.value(v, n); err != nil {
		return nil, err
	}
	head := append(binary.AppendUvarint(nil, uint64(n)), e.types.text()...)
	e.m.Charge(int64(len(head) + len(e.b)))
	return append(head, e.b...), nil
}

func (e *encoder) uint(n uint64) {
	e.m.Charge(2)
	e.b = binary.AppendUvarint(e.b, n)
}

func (e *encoder) bytes(s []byte) {
	e.uint(uint64(len(s)))
	e.m.Charge(2 * int64(len(s)))
	e.b = append(e.b, s...)
}

// through goes along pointers to what they lead to, none if one is nil.
func (e *encoder) through(v inspect.Value) inspect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	return v
}

func (e *encoder) value(v inspect.Value, n int) error {
	m := e.m
	m.Tick()
	m.Deeper()
	defer m.Shallower()
	if v = e.through(v); v == nil {
		return errors.New("gob: encodeReflectValue: nil element")
	}
	t := e.types.list[n]
	switch t.kind {
	case wireBool, wireUint:
		e.uint(uint64(v.Int()))
	case wireInt:
		e.b = binary.AppendVarint(e.b, v.Int())
		m.Charge(2)
	case wireFloat:
		e.uint(math.Float64bits(v.Float()))
	case wireComplex:
		c := v.Complex()
		e.uint(math.Float64bits(real(c)))
		e.uint(math.Float64bits(imag(c)))
	case wireString:
		e.bytes([]byte(v.Text()))
	case wireBytes:
		e.bytes(v.Bytes())
	case wireInterface:
		return e.iface(v)
	case wireOwn:
		return e.own(v)
	case wireSlice, wireArray:
		e.uint(uint64(v.Len()))
		for i := range v.Len() {
			x := v.Index(i)
			if e.through(x) == nil {
				return errors.New("gob: encodeArray: nil element")
			}
			if err := e.value(x, t.elem); err != nil {
				return err
			}
		}
	case wireMap:
		pairs := v.Pairs()
		e.uint(uint64(len(pairs)))
		for _, p := range pairs {
			if err := e.value(p.Key, t.key); err != nil {
				return err
			}
			if err := e.value(p.Elem, t.elem); err != nil {
				return err
			}
		}
	case wireStruct:
		return e.structure(v, t)
	}
	return nil
}

// structure writes the fields that are not zero, each after its number.
func (e *encoder) structure(v inspect.Value, t wireType) error {
	for i, f := range t.fields {
		fv := e.through(v.Field(f.own))
		if fv == nil || e.omitted(fv, e.types.list[f.typ].kind) {
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
func (e *encoder) omitted(v inspect.Value, k wireKind) bool {
	switch k {
	case wireBool, wireInt, wireUint, wireFloat:
		return v.Int() == 0 || k == wireFloat && v.Float() == 0
	case wireComplex:
		return v.Complex() == 0
	case wireString, wireBytes, wireSlice:
		return v.Len() == 0
	case wireMap, wireInterface:
		return v.IsNil()
	case wireOwn:
		return v.IsZero()
	}
	return false
}

// iface writes the name of a type and a message for the value.
func (e *encoder) iface(v inspect.Value) error {
	if v.IsNil() {
		e.bytes(nil)
		return nil
	}
	x := v.Elem()
	if x.Kind() == reflect.Pointer && x.IsNil() {
		return fmt.Errorf("gob: gob: cannot encode nil pointer of type %s inside interface", x.Type().String())
	}
	base, err := base(x.Type())
	if err != nil {
		return err
	}
	name, ok := e.names.of(e.m, base)
	if !ok {
		return fmt.Errorf("gob: type not registered for interface: %s", base.String())
	}
	text, err := newEncoder(e.m, e.names).message(x)
	if err != nil {
		return err
	}
	e.bytes([]byte(name))
	e.bytes(text)
	return nil
}

// own writes what the value makes of itself.
func (e *encoder) own(v inspect.Value) error {
	name, _ := methods(v.Type())
	if inspect.Method(v.Type().Types(), name) == nil {
		if !v.IsVar() {
			return fmt.Errorf("gob: unaddressable value of type %s", v.Type().String())
		}
		v = v.Addr()
	}
	text, err := inspect.Marshal(v, name)
	if err != nil {
		return err
	}
	e.bytes(text)
	return nil
}
