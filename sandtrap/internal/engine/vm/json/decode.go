package json

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// A decoder stores a valid text as encoding/json does.
type decoder struct {
	m         inspect.Machine
	pay       jsontext.Costs
	infos     infos
	data      []byte
	pos       int  // of the next byte
	useNumber bool // numbers become json.Number where any is wanted
	strict    bool // a key without a field is an error

	saved  error        // the first that does not end the decoding
	within inspect.Type // the struct whose field is being decoded, nil if none
	fields []string     // the way to it
}

// Decode stores a valid text into what the pointer that an interface holds leads to.
// With number, numbers become json.Number where any is wanted; if strict, a key without
// a field is an error.
func Decode(m inspect.Machine, text []byte, held any, number, strict bool) error {
	d := &decoder{m: m, pay: costs(m), infos: infos{m: m}, data: text, useNumber: number, strict: strict}
	v := m.Of(held)
	switch {
	case v == nil:
		return &json.InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &json.InvalidUnmarshalError{Type: d.m.Reflect(v.Type())}
	}
	d.space()
	if err := d.value(v); err != nil {
		return d.placed(err)
	}
	return d.saved
}

// placed puts into an error where it happened.
func (d *decoder) placed(err error) error {
	bad, ok := err.(*json.UnmarshalTypeError) // itself, not what it wraps
	if !ok || d.within == nil {
		return err
	}
	bad.Struct = d.within.Name()
	way := d.fields
	if bad.Field != "" {
		way = append(way[:len(way):len(way)], bad.Field)
	}
	bad.Field = strings.Join(way, ".")
	return err
}

// save keeps the first error, and goes on.
func (d *decoder) save(err error) {
	if d.saved == nil {
		d.saved = d.placed(err)
	}
}

// mismatch keeps the error for a value that a t cannot take.
func (d *decoder) mismatch(what string, t inspect.Type, offset int) {
	d.save(&json.UnmarshalTypeError{Value: what, Type: d.m.Reflect(t), Offset: int64(offset)})
}

func (d *decoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\r', '\n':
		default:
			return
		}
		if d.pos++; d.pos&0x3fff == 0 {
			d.m.Check()
		}
	}
}

// comma reads what follows an element; last says that it was the end.
func (d *decoder) comma() (last bool) {
	d.space()
	d.pos++
	return d.data[d.pos-1] != ','
}

// empty reads the end of an array or object that has nothing in it.
func (d *decoder) empty(end byte) bool {
	d.space()
	if d.data[d.pos] != end {
		return false
	}
	d.pos++
	return true
}

// skip reads over a value.
func (d *decoder) skip() {
	depth := 0
	for {
		switch c := d.data[d.pos]; c {
		case '[', '{':
			depth++
			d.pos++
		case ']', '}':
			depth--
			d.pos++
		case ' ', '\t', '\r', '\n', ',', ':':
			d.pos++
		default:
			d.literal()
		}
		if depth == 0 {
			return
		}
		if d.pos&0xff == 0 {
			d.m.Look()
		}
	}
}

// literal reads a string, number or word.
func (d *decoder) literal() []byte {
	start := d.pos
	if d.data[start] == '"' {
		for d.pos++; d.data[d.pos] != '"'; d.pos++ {
			if d.data[d.pos] == '\\' {
				d.pos++
			}
			if d.pos&0x3fff == 0 {
				d.m.Check()
			}
		}
		d.pos++
		return d.data[start:d.pos]
	}
	for d.pos < len(d.data) && strings.IndexByte(" \t\r\n,:]}", d.data[d.pos]) < 0 {
		d.pos++
	}
	return d.data[start:d.pos]
}

// value stores the next value into v.
func (d *decoder) value(v inspect.Value) error {
	d.m.Look()
	d.m.Deeper()
	defer d.m.Shallower()
	switch d.data[d.pos] {
	case '[':
		return d.list(v)
	case '{':
		return d.object(v)
	}
	return d.store(d.literal(), v, false)
}

// byMethod is the way in which a value takes a text itself.
type byMethod int

const (
	noMethod byMethod = iota
	byJSON
	byText
)

// through goes from v to what takes the value, along pointers that it makes where
// they are nil; null stops at the first that can be made nil. If something on the way
// takes the value itself, that is recv.
func (d *decoder) through(v inspect.Value, null bool) (recv inspect.Value, how byMethod, to inspect.Value) {
	start, fromAddr := v, false
	if i := d.infos.of(v.Type()); v.Kind() != reflect.Pointer && v.Type().Name() != "" && v.IsVar() && (i.ofPtr.unmarshalJSON || i.ofPtr.unmarshalText) {
		fromAddr, v = true, v.Addr()
	}
	for {
		if v.Kind() == reflect.Interface && !v.IsNil() {
			if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && (!null || e.Type().Elem().Kind() == reflect.Pointer) {
				fromAddr, v = false, e
				continue
			}
		}
		if v.Kind() != reflect.Pointer || null && v.CanSet() {
			return nil, noMethod, v
		}
		if v.Type().Elem().Kind() == reflect.Interface && !v.IsNil() {
			if held := v.Elem().Elem(); held != nil && held.Type() == v.Type() && held.Identity() == v.Identity() {
				return nil, noMethod, v.Elem()
			}
		}
		if v.IsNil() {
			v.Allocate()
		}
		if can := d.infos.of(v.Type()).of; !v.Hidden() {
			switch {
			case can.unmarshalJSON:
				return v, byJSON, nil
			case can.unmarshalText && !null:
				return v, byText, nil
			}
		}
		if fromAddr {
			fromAddr, v = false, start
		} else {
			v = v.Elem()
		}
	}
}

// own lets what v leads to take an array or object itself; done says that it did, or
// cannot.
func (d *decoder) own(v inspect.Value, what string) (to inspect.Value, done bool, err error) {
	recv, how, to := d.through(v, false)
	switch how {
	case byJSON:
		start := d.pos
		d.skip()
		return to, true, inspect.Unmarshal(recv, "UnmarshalJSON", d.data[start:d.pos:len(d.data)])
	case byText:
		d.mismatch(what, v.Type(), d.pos+1)
		d.skip()
		return to, true, nil
	}
	return to, false, nil
}

// list stores an array.
func (d *decoder) list(v inspect.Value) error {
	v, done, err := d.own(v, "array")
	if done {
		return err
	}
	switch {
	case inspect.IsAny(v.Type()):
		v.SetHeld(d.anyList())
		return nil
	case v.Kind() != reflect.Array && v.Kind() != reflect.Slice:
		d.mismatch("array", v.Type(), d.pos+1)
		d.skip()
		return nil
	}
	d.pos++
	n := 0
	for last := d.empty(']'); !last; last = d.comma() {
		if v.Kind() == reflect.Slice && n == v.Len() {
			v.SetLen(n + 1)
		}
		d.space()
		if n < v.Len() {
			x := v.Index(n)
			if err := d.value(x); err != nil {
				return err
			}
			x.Done()
		} else {
			d.skip()
		}
		n++
	}
	d.cut(v, n)
	return nil
}

// cut ends an array or slice after n elements.
func (d *decoder) cut(v inspect.Value, n int) {
	if v.Kind() == reflect.Array {
		for i := n; i < v.Len(); i++ {
			v.Index(i).SetZero()
		}
		return
	}
	if n == 0 {
		v.Allocate()
	} else {
		v.SetLen(n)
	}
}

// object stores an object.
func (d *decoder) object(v inspect.Value) error {
	v, done, err := d.own(v, "object")
	if done {
		return err
	}
	switch k := v.Kind(); {
	case inspect.IsAny(v.Type()):
		v.SetHeld(d.anyObject())
		return nil
	case k == reflect.Map && d.keyKind(v.Type().Key()) != noKey:
		if v.IsNil() {
			v.Allocate()
		}
	case k != reflect.Struct:
		d.mismatch("object", v.Type(), d.pos+1)
		d.skip()
		return nil
	}
	d.pos++
	within, fields := d.within, len(d.fields)
	for last := d.empty('}'); !last; last = d.comma() {
		if err := d.member(v); err != nil {
			return err
		}
		d.within, d.fields = within, d.fields[:fields]
	}
	return nil
}

// key reads the key of a member, and what separates it from its value.
func (d *decoder) key() (lit, text []byte) {
	d.space()
	lit = d.literal()
	text, _ = jsontext.Unquote(lit, d.pay)
	d.space()
	d.pos++
	d.space()
	return lit, text
}

// member stores a key and its value.
func (d *decoder) member(v inspect.Value) error {
	d.space()
	start := d.pos
	lit, text := d.key()
	if v.Kind() == reflect.Map {
		e := d.m.New(v.Type().Elem())
		if err := d.value(e); err != nil {
			return err
		}
		err := d.put(v, start, lit, text, e)
		e.Done()
		return err
	}
	f := d.infos.fields(v.Type()).find(string(text))
	if f == nil {
		if d.strict {
			d.save(fmt.Errorf("json: unknown field %q", text))
		}
		d.skip()
		return nil
	}
	to, ok := d.walkTo(v, f)
	switch {
	case !ok:
		d.skip()
		return nil
	case f.quoted:
		return d.quoted(to)
	}
	err := d.value(to)
	to.Done()
	return err
}

// walkTo finds a field, and makes what is nil on the way.
func (d *decoder) walkTo(v inspect.Value, f *field) (inspect.Value, bool) {
	ok := true
	outer := v.Type()
	for i, s := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", v.Type().Elem().String()))
					ok = false
					break
				}
				v.Allocate()
			}
			v = v.Elem()
		}
		if i < len(f.path)-1 {
			d.fields = append(d.fields, s.Name)
		}
		v = v.Field(s)
	}
	d.within, d.fields = outer, append(d.fields, f.Name)
	return v, ok
}

// quoted stores a value that is inside a string.
func (d *decoder) quoted(v inspect.Value) error {
	if c := d.data[d.pos]; c == '[' || c == '{' {
		d.skip()
	} else {
		lit := d.literal()
		switch {
		case c == 'n':
			return d.store(lit, v, false)
		case c == '"':
			text, _ := jsontext.Unquote(lit, d.pay)
			return d.store(text, v, true)
		case c != 't' && c != 'f' && !d.useNumber:
			d.spend(len(lit))
			if _, err := parseFloat(lit, 64); err != nil {
				d.mismatch("number "+string(lit), d.m.Type(floatType), d.pos+1)
				return d.store([]byte("null"), v, false)
			}
		}
	}
	d.save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", v.Type().String()))
	return nil
}

type keyKind int

const (
	noKey keyKind = iota
	textKey
	stringKey
	intKey
	uintKey
)

// keyKind is how keys of type t are made of names.
func (d *decoder) keyKind(t inspect.Type) keyKind {
	switch {
	case d.infos.of(t).ofPtr.unmarshalText:
		return textKey
	case t.Kind() == reflect.String:
		return stringKey
	case inspect.IsUnsigned(t.Kind()):
		return uintKey
	case inspect.IsInteger(t.Kind()):
		return intKey
	}
	return noKey
}

// put puts an element into a map.
func (d *decoder) put(v inspect.Value, start int, lit, text []byte, e inspect.Value) error {
	d.spend(len(text) / 4)
	key := d.m.New(v.Type().Key())
	switch d.keyKind(v.Type().Key()) {
	case textKey:
		if err := d.store(lit, key.Addr(), true); err != nil {
			return err
		}
	case stringKey:
		key.SetText(d.string(text))
	case intKey:
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || inspect.OverflowsInt(v.Type().Key().Kind(), n) {
			d.mismatch("number "+string(text), v.Type().Key(), start+1)
			return nil
		}
		key.SetInt(n)
	case uintKey:
		n, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || inspect.OverflowsUint(v.Type().Key().Kind(), n) {
			d.mismatch("number "+string(text), v.Type().Key(), start+1)
			return nil
		}
		key.SetInt(int64(n))
	}
	v.Put(key, e)
	return nil
}

// string makes a string of text.
func (d *decoder) string(text []byte) string {
	d.m.Charge(int64(len(text)))
	return string(text)
}
