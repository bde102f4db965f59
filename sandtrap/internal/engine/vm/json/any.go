package json

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

var (
	stringType = reflect.TypeFor[string]()
	floatType  = reflect.TypeFor[float64]()
	anyType    = reflect.TypeFor[any]()
	listType   = reflect.TypeFor[[]any]()
	objectType = reflect.TypeFor[map[string]any]()
)

// anyValue is the next value as []any, map[string]any, string, number, bool or nil.
func (d *decoder) anyValue() any {
	d.m.Look()
	d.m.Deeper()
	defer d.m.Shallower()
	switch d.data[d.pos] {
	case '[':
		return d.anyList()
	case '{':
		return d.anyObject()
	}
	lit := d.literal()
	switch lit[0] {
	case 'n':
		return nil
	case 't', 'f':
		return lit[0] == 't'
	case '"':
		text, _ := jsontext.Unquote(lit, d.pay)
		d.m.Charge(inspect.HeldBytes)
		return d.string(text)
	}
	x, _ := d.number(lit)
	return x
}

func (d *decoder) anyList() any {
	v := d.m.New(d.m.Type(listType))
	d.pos++
	n := 0
	for last := d.empty(']'); !last; last = d.comma() {
		d.space()
		x := d.anyValue()
		v.SetLen(n + 1)
		e := v.Index(n)
		e.SetHeld(x)
		e.Done()
		n++
	}
	d.cut(v, n)
	return v.Held()
}

func (d *decoder) anyObject() any {
	v := d.m.New(d.m.Type(objectType))
	v.Allocate()
	d.pos++
	key, elem := d.m.New(d.m.Type(stringType)), d.m.New(d.m.Type(anyType))
	for last := d.empty('}'); !last; last = d.comma() {
		_, text := d.key()
		name := d.string(text)
		x := d.anyValue()
		key.SetText(name)
		elem.SetHeld(x)
		v.Put(key, elem)
	}
	return v.Held()
}
