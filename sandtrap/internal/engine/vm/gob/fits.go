package gob

import (
	"errors"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// fits refuses a value of another type, in Go's words.
func (d *decoding) fits(id int, t inspect.Type) {
	base, err := base(t)
	if err != nil {
		d.fail(err)
	}
	plain := base.Kind() == reflect.Struct && !decodesItself(base)
	kind := wireKind(0) // of what the stream has not defined
	if plain || d.defined(id) {
		kind = d.kind(id)
	}
	switch {
	case kind == wireStruct && plain:
		d.matchFields(d.types[id], base)
	case d.compatible(id, base):
	case plain:
		d.failf("type mismatch in decoder: want struct type %s; got non-struct", base.String())
	case base.Kind() == reflect.Interface && kind != wireInterface:
		d.fail(errors.New("gob: local interface type " + t.String() + " can only be decoded from remote interface type; received concrete type " + typeString(d.types, id, 0)))
	default:
		d.fail(errors.New("gob: decoding into local type " + t.String() + ", received remote type " + typeString(d.types, id, 0)))
	}
}

// matchFields wants one field that both have, and none of different types.
func (d *decoding) matchFields(wire *wireType, t inspect.Type) {
	matched, sent := 0, len(d.m.Fields(t))
	for _, f := range wire.fields {
		if f.name == "" {
			d.failf("empty name for remote field of type %s", wire.name)
		}
		if local := d.localField(t, f.name); local != nil {
			matched++
			if !d.compatible(f.id, local.Type) {
				d.failf("wrong type (%s) for received field %s.%s", local.Type.String(), wire.name, f.name)
			}
		}
	}
	if matched == 0 && sent > 0 && len(wire.fields) > 0 {
		d.failf("type mismatch: no fields matched compiling decoder for %s", t.Name())
	}
}

func (d *decoding) localField(t inspect.Type, name string) *inspect.Field {
	for _, f := range d.m.Fields(t) {
		if f.Name == name && sent(f) {
			return f
		}
	}
	return nil
}

func decodesItself(t inspect.Type) bool {
	name, _ := decodes(t)
	return name != ""
}

// compatible reports that a type of the stream can become one of the script's.
func (d *decoding) compatible(id int, t inspect.Type) bool {
	d.m.Tick()
	base, err := base(t)
	if err != nil || !d.defined(id) {
		return false
	}
	key := typePair{id, base}
	if ok, known := d.good[key]; known {
		return ok
	}
	if d.good == nil {
		d.good = map[typePair]bool{}
	}
	d.m.Charge(inspect.NoteBytes)
	d.good[key] = true // as long as nothing speaks against it
	ok := d.alike(id, base)
	d.good[key] = ok
	return ok
}

// basicKinds are the kinds of Go that kinds of streams become.
var basicKinds = map[wireKind]func(reflect.Kind) bool{
	wireBool:      func(k reflect.Kind) bool { return k == reflect.Bool },
	wireInt:       func(k reflect.Kind) bool { return inspect.IsInteger(k) && !inspect.IsUnsigned(k) },
	wireUint:      inspect.IsUnsigned,
	wireFloat:     inspect.IsFloat,
	wireComplex:   inspect.IsComplex,
	wireString:    func(k reflect.Kind) bool { return k == reflect.String },
	wireInterface: func(k reflect.Kind) bool { return k == reflect.Interface },
	wireStruct:    func(k reflect.Kind) bool { return k == reflect.Struct },
}

func (d *decoding) alike(id int, t inspect.Type) bool {
	d.m.Deeper()
	defer d.m.Shallower()
	kind, wire := d.kind(id), d.types[id]
	if name, own := decodes(t); name != "" || kind >= wireGob {
		return name != "" && kind == own
	}
	if same := basicKinds[kind]; same != nil {
		return same(t.Kind())
	}
	switch kind {
	case wireBytes:
		return inspect.IsBytes(t)
	case wireSlice:
		return t.Kind() == reflect.Slice && !inspect.IsBytes(t) && d.compatible(wire.elem, t.Elem())
	case wireArray:
		return t.Kind() == reflect.Array && t.Len() == wire.n && d.compatible(wire.elem, t.Elem())
	}
	return t.Kind() == reflect.Map && d.compatible(wire.key, t.Key()) && d.compatible(wire.elem, t.Elem())
}
