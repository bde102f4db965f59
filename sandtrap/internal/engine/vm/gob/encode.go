package gob

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// An Encoder writes one stream. The bytes are those of encoding/gob in a process that has encoded nothing before.
type Encoder struct {
	Names *Names // of the types that may be in interfaces

	types typeTable
	told  map[inspect.Type]bool // that the stream has defined
}

// Encode gives the messages for what an interface holds: definitions of types, and the value. With an error those that
// come before it.
func (e *Encoder) Encode(m inspect.Machine, held any) (messages [][]byte, err error) {
	x := m.Of(held)
	if x == nil {
		return nil, errors.New("gob: cannot encode nil value")
	}
	if x.Kind() == reflect.Pointer && x.IsNil() {
		m.Panic("gob: cannot encode nil pointer of type " + x.Type().String())
	}
	enc := &encoding{Encoder: e, m: m}
	enc.write = func(message []byte) { messages = append(messages, framed(m, message)) }
	text, err := enc.message(x)
	if err == nil {
		enc.write(text)
	}
	return messages, err
}

// An encoding is one call of Encode.
type encoding struct {
	*Encoder
	m     inspect.Machine
	write func(message []byte) // where definitions of types go
}

// message is the number of the type of v and the value, after the definitions.
func (e *encoding) message(v inspect.Value) ([]byte, error) {
	b := &buffer{m: e.m}
	t, err := e.define(b, v.Type())
	if err != nil {
		return nil, err
	}
	b.int(int64(t.id))
	return b.b, e.top(b, v, t)
}

// top writes a value that is no part of another.
func (e *encoding) top(b *buffer, v inspect.Value, t *wireType) error {
	if v = through(v); v == nil {
		return nil
	}
	if t.kind == wireStruct {
		return e.structure(b, v, t)
	}
	b.uint(0) // as the field of a struct
	return e.value(b, v, t)
}

// define tells the stream of t, and of what it is made of, if it has not been told.
func (e *encoding) define(b *buffer, t inspect.Type) (*wireType, error) {
	base, err := base(t)
	if err != nil {
		return nil, err
	}
	name := base.Name()
	if t != base && kindOf(base) >= wireGob {
		name = "" // Go takes that of the pointer
	}
	w, err := e.types.describe(e.m, name, base)
	if err == nil {
		err = e.tell(b, t)
	}
	return w, err
}

// tell ends a message in b with the definition of t, and begins another one.
func (e *encoding) tell(b *buffer, t inspect.Type) error {
	base, err := base(t)
	if err != nil || e.told[base] {
		return err
	}
	w := e.types.of[base]
	if w == nil || w.kind < wireDefined {
		return nil
	}
	b.int(int64(-w.id))
	if as := *w; t != base && w.own() { // Go numbers a pointer to a type that encodes itself once more
		as.name, as.id = "", 0
		e.types.number(&as)
		as.define(b)
	} else {
		w.define(b)
	}
	e.write(b.b)
	b.b = nil
	if e.told == nil {
		e.told = map[inspect.Type]bool{}
	}
	e.m.Charge(inspect.NoteBytes)
	e.told[base] = true
	switch w.kind {
	case wireArray, wireSlice:
		return e.tell(b, base.Elem())
	case wireMap:
		return errors.Join(e.tell(b, base.Key()), e.tell(b, base.Elem()))
	case wireStruct:
		for _, f := range w.fields {
			if err := e.tell(b, f.own.Type); err != nil {
				return err
			}
		}
	}
	return nil
}

// through goes along pointers to what they lead to, none if one is nil.
func through(v inspect.Value) inspect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	return v
}

// structure writes the fields that are not left out, each with its distance from the one before.
func (e *encoding) structure(b *buffer, v inspect.Value, t *wireType) error {
	if len(t.fields) == 0 && len(e.m.Fields(v.Type())) > 0 {
		return fmt.Errorf("gob: type %s has no exported fields", v.Type().String())
	}
	last := -1
	for i, f := range t.fields {
		field := v.Field(f.own)
		x := through(field)
		if x == nil || omitted(x, f, field.Kind() == reflect.Pointer) {
			continue
		}
		b.uint(uint64(i - last))
		last = i
		if err := e.value(b, x, f.typ); err != nil {
			return err
		}
	}
	b.uint(0)
	return nil
}

// omitted reports a zero that a struct leaves out. Structs and arrays are never.
func omitted(v inspect.Value, f wireField, behind bool) bool {
	switch f.typ.kind {
	case wireBool, wireInt, wireUint:
		return v.Int() == 0
	case wireFloat:
		return v.Float() == 0
	case wireComplex:
		return v.Complex() == 0
	case wireString, wireBytes, wireSlice:
		return v.Len() == 0
	case wireMap, wireInterface:
		return v.IsNil()
	case wireGob, wireBinary:
		name, _ := encodes(v.Type())
		return !behind && inspect.Method(v.Type().Types(), name) != nil && v.IsZero()
	}
	return false
}

// value writes v, which is no pointer.
func (e *encoding) value(b *buffer, v inspect.Value, t *wireType) error {
	m := e.m
	m.Tick()
	m.Deeper()
	defer m.Shallower()
	switch t.kind {
	case wireBool, wireUint:
		b.uint(uint64(v.Int()))
	case wireInt:
		b.int(v.Int())
	case wireFloat:
		b.float(v.Float())
	case wireComplex:
		c := v.Complex()
		b.float(real(c))
		b.float(imag(c))
	case wireString:
		b.bytes([]byte(v.Text()))
	case wireBytes:
		b.bytes(v.Bytes())
	case wireInterface:
		return e.iface(b, v)
	case wireGob, wireBinary:
		return e.own(b, v)
	case wireSlice, wireArray:
		return e.list(b, v)
	case wireMap:
		return e.entries(b, v)
	case wireStruct:
		return e.structure(b, v, t)
	}
	return nil
}

func (e *encoding) list(b *buffer, v inspect.Value) error {
	b.uint(uint64(v.Len()))
	for i := range v.Len() {
		if err := e.part(b, v.Index(i), "encodeArray"); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoding) entries(b *buffer, v inspect.Value) error {
	pairs := v.Pairs()
	b.uint(uint64(len(pairs)))
	for _, p := range pairs {
		if err := e.part(b, p.Key, "encodeReflectValue"); err != nil {
			return err
		}
		if err := e.part(b, p.Elem, "encodeReflectValue"); err != nil {
			return err
		}
	}
	return nil
}

// part writes an element, which there has to be.
func (e *encoding) part(b *buffer, v inspect.Value, where string) error {
	x := through(v)
	if x == nil {
		return errors.New("gob: " + where + ": nil element")
	}
	return e.value(b, x, e.types.of[x.Type()])
}

// iface writes the name of a type, its number, and the value with its length. A definition that this needs ends the message
// that b is; one that the value needs ends a part of the value, which has a length of its own.
func (e *encoding) iface(b *buffer, v inspect.Value) error {
	if v.IsNil() {
		b.uint(0)
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
	name, ok := e.Names.of(e.m, base)
	if !ok {
		return fmt.Errorf("gob: type not registered for interface: %s", base.String())
	}
	b.bytes([]byte(name))
	t, err := e.define(b, x.Type())
	if err != nil {
		return err
	}
	b.int(int64(t.id))
	was, inner := e.write, &buffer{m: e.m}
	e.write = func(message []byte) { b.bytes(message) }
	err = e.top(inner, x, t)
	if e.write = was; err != nil {
		return err
	}
	b.bytes(inner.b)
	return nil
}

// own writes what the value makes of itself.
func (e *encoding) own(b *buffer, v inspect.Value) error {
	name, _ := encodes(v.Type())
	if inspect.Method(v.Type().Types(), name) == nil {
		if !v.IsVar() {
			return fmt.Errorf("gob: unaddressable value of type %s", "*"+v.Type().String())
		}
		v = v.Addr()
	}
	text, err := inspect.Marshal(v, name)
	if err != nil {
		return err
	}
	b.bytes(text)
	return nil
}
