package gob

import (
	"errors"
	"math"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// defines reads the definition of a type.
func (d *decoding) defines(id int) {
	if id < firstID || d.types[id] != nil {
		d.fail(errors.New("gob: duplicate type received"))
	}
	d.m.Charge(inspect.NoteBytes)
	t := &wireType{kind: wireDefined + wireKind(d.delta(int(wireText-wireDefined)+1, -1)+1)}
	d.common(t)
	at := 0 // the field after CommonType that comes next
	for delta := d.uint(); delta != 0; delta = d.uint() {
		at += int(min(delta, 4))
		d.part(t, at)
	}
	if d.uint() != 0 {
		d.fail(errBad)
	}
	if d.types == nil {
		d.types = map[int]*wireType{}
	}
	d.types[id] = t
}

// delta is the field that comes after one of n.
func (d *decoding) delta(n, last int) int {
	delta := d.uint()
	if delta == 0 || delta > uint64(n-1-last) {
		d.fail(errRange)
	}
	return last + int(delta)
}

// common reads the name of a type and its number, which has been read before.
func (d *decoding) common(t *wireType) {
	if d.uint() != 1 {
		d.fail(errBad)
	}
	last := -1
	for delta := d.uint(); delta != 0; delta = d.uint() {
		switch last += int(min(delta, 3)); last {
		case 0:
			t.name = d.name()
		case 1:
			d.int()
		default:
			d.fail(errRange)
		}
	}
}

func (d *decoding) name() string {
	text := d.text()
	d.m.Charge(int64(len(text)))
	return string(text)
}

// part reads the field at of the definition of t.
func (d *decoding) part(t *wireType, at int) {
	switch {
	case t.kind == wireMap && at == 1:
		t.key = d.id()
	case t.kind == wireMap && at == 2, (t.kind == wireArray || t.kind == wireSlice) && at == 1:
		t.elem = d.id()
	case t.kind == wireArray && at == 2:
		t.n = int(min(max(d.int(), 0), math.MaxInt32))
	case t.kind == wireStruct && at == 1:
		for range d.count() {
			d.m.Charge(inspect.NoteBytes)
			t.fields = append(t.fields, d.field())
		}
	default:
		d.fail(errRange)
	}
}

func (d *decoding) id() int { return int(min(max(d.int(), 0), math.MaxInt32)) }

func (d *decoding) field() (f wireField) {
	last := -1
	for delta := d.uint(); delta != 0; delta = d.uint() {
		switch last += int(min(delta, 3)); last {
		case 0:
			f.name = d.name()
		case 1:
			f.id = d.id()
		default:
			d.fail(errRange)
		}
	}
	return f
}

// kind is that of a type of the stream.
func (d *decoding) kind(id int) wireKind {
	if !d.defined(id) {
		d.fail(errBad)
	}
	if t := d.types[id]; t != nil {
		return t.kind
	}
	return wireKind(id)
}

func (d *decoding) defined(id int) bool { return id > 0 && id < int(wireDefined) || d.types[id] != nil }
