package vm

import (
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// A jsonDecoder stores a valid text as encoding/json does.
type jsonDecoder struct {
	m         *machine
	data      []byte
	pos       int  // of the next byte
	useNumber bool // numbers become json.Number where any is wanted
	strict    bool // a key without a field is an error

	saved  error    // the first that does not end the decoding
	within *Type    // the struct whose field is being decoded, nil if none
	fields []string // the way to it
}

// decode stores the text into what x, an interface value, points to.
func (d *jsonDecoder) decode(x any) error {
	v := d.m.valOf(x)
	if !v.valid() || v.kind() != reflect.Pointer || v.isNil() {
		return &json.InvalidUnmarshalError{Type: d.m.reflectType(v.t)}
	}
	d.space()
	if err := d.value(v); err != nil {
		return d.placed(err)
	}
	return d.saved
}

// placed puts into an error where it happened.
func (d *jsonDecoder) placed(err error) error {
	bad, ok := err.(*json.UnmarshalTypeError) // itself, not what it wraps
	if !ok || d.within == nil {
		return err
	}
	bad.Struct = typeName(d.within)
	way := d.fields
	if bad.Field != "" {
		way = append(way[:len(way):len(way)], bad.Field)
	}
	bad.Field = strings.Join(way, ".")
	return err
}

// save keeps the first error, and goes on.
func (d *jsonDecoder) save(err error) {
	if d.saved == nil {
		d.saved = d.placed(err)
	}
}

// mismatch keeps the error for a value that a t cannot take.
func (d *jsonDecoder) mismatch(what string, t *Type, offset int) {
	d.save(&json.UnmarshalTypeError{Value: what, Type: d.m.reflectType(t), Offset: int64(offset)})
}

func (d *jsonDecoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\r', '\n':
		default:
			return
		}
		if d.pos++; d.pos&0x3fff == 0 {
			d.m.check()
		}
	}
}

// comma reads what follows an element; last says that it was the end.
func (d *jsonDecoder) comma() (last bool) {
	d.space()
	d.pos++
	return d.data[d.pos-1] != ','
}

// empty reads the end of an array or object that has nothing in it.
func (d *jsonDecoder) empty(end byte) bool {
	d.space()
	if d.data[d.pos] != end {
		return false
	}
	d.pos++
	return true
}

// skip reads over a value.
func (d *jsonDecoder) skip() {
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
			d.m.look()
		}
	}
}

// literal reads a string, number or word.
func (d *jsonDecoder) literal() []byte {
	start := d.pos
	if d.data[start] == '"' {
		for d.pos++; d.data[d.pos] != '"'; d.pos++ {
			if d.data[d.pos] == '\\' {
				d.pos++
			}
			if d.pos&0x3fff == 0 {
				d.m.check()
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
func (d *jsonDecoder) value(v val) error {
	d.m.look()
	d.m.deeper()
	defer d.m.shallower()
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
func (d *jsonDecoder) through(v val, null bool) (recv val, how byMethod, to val) {
	m := d.m
	start, fromAddr := v, false
	if i := m.jsonInfo(v.t); v.kind() != reflect.Pointer && hasName(v.t) && v.flag&isVar != 0 && (i.ofPtr.unmarshalJSON || i.ofPtr.unmarshalText) {
		fromAddr, v = true, v.addr(m)
	}
	for {
		if v.kind() == reflect.Interface && !v.isNil() {
			if e := v.elem(m); e.kind() == reflect.Pointer && !e.isNil() && (!null || e.t.elem.kind == reflect.Pointer) {
				fromAddr, v = false, e
				continue
			}
		}
		if v.kind() != reflect.Pointer || null && v.settable() {
			return val{}, noMethod, v
		}
		if v.t.elem.kind == reflect.Interface && !v.isNil() {
			if held := v.elem(m).elem(m); held.valid() && held.t == v.t && held.identity(m) == v.identity(m) {
				return val{}, noMethod, v.elem(m)
			}
		}
		if v.isNil() {
			v.mustBeSettable("Set")
			v.set(m, m.newVal(v.t.elem).addr(m).o, 0)
		}
		if can := m.jsonInfo(v.t).of; v.flag&hidden == 0 {
			switch {
			case can.unmarshalJSON:
				return v, byJSON, val{}
			case can.unmarshalText && !null:
				return v, byText, val{}
			}
		}
		if fromAddr {
			fromAddr, v = false, start
		} else {
			v = v.elem(m)
		}
	}
}

// unmarshal calls a method of the form func([]byte) error.
func (d *jsonDecoder) unmarshal(recv val, name string, text []byte) error {
	n := int64(len(text))
	res := d.m.callMethod(recv, name, &Obj{I: []int64{n, n}, S: []string{"", ""}, R: []any{&Num[uint8]{text}, nil}}, 2)
	return d.m.errIn(res.R[0])
}

// own lets what v leads to take an array or object itself; done says that it did, or
// cannot.
func (d *jsonDecoder) own(v val, what string) (to val, done bool, err error) {
	recv, how, to := d.through(v, false)
	switch how {
	case byJSON:
		start := d.pos
		d.skip()
		return to, true, d.unmarshal(recv, "UnmarshalJSON", d.data[start:d.pos:len(d.data)])
	case byText:
		d.mismatch(what, v.t, d.pos+1)
		d.skip()
		return to, true, nil
	}
	return to, false, nil
}

func isEmptyInterface(t *Type) bool {
	return t.kind == reflect.Interface && len(ifaceMethods(t)) == 0
}

// list stores an array.
func (d *jsonDecoder) list(v val) error {
	v, done, err := d.own(v, "array")
	if done {
		return err
	}
	switch {
	case isEmptyInterface(v.t):
		v.setRef(d.anyList())
		return nil
	case v.kind() != reflect.Array && v.kind() != reflect.Slice:
		d.mismatch("array", v.t, d.pos+1)
		d.skip()
		return nil
	}
	d.pos++
	n := 0
	for last := d.empty(']'); !last; last = d.comma() {
		if v.kind() == reflect.Slice {
			d.m.growSlice(v, n+1)
		}
		d.space()
		if n < v.length() {
			if err := d.value(v.index(d.m, n)); err != nil {
				return err
			}
		} else {
			d.skip()
		}
		n++
	}
	d.cut(v, n)
	return nil
}

// growSlice makes the length of a slice n at least.
func (m *machine) growSlice(v val, n int) {
	o, off, have, c := v.store(m)
	if have >= n {
		return
	}
	if n > c {
		nc := growCap(v.t.elem, c, n)
		m.alloc(storeBytes(v.t.elem, int64(nc)))
		fresh := m.followAny(newStore(v.t.elem, nc))
		if o != nil {
			storeCopy(v.t.elem, fresh, 0, o, off, have)
		}
		o, off, c = fresh, 0, nc
	}
	v.set(m, sliceCells(o, off, n, c), 0)
}

// sliceCells is a slice as cells hold it.
func sliceCells(store any, off, n, c int) *Obj {
	return &Obj{I: []int64{int64(n), int64(off)<<32 | int64(c)}, S: []string{"", ""}, R: []any{store, nil}}
}

// cut ends an array or slice after n elements.
func (d *jsonDecoder) cut(v val, n int) {
	if v.kind() == reflect.Array {
		for i := n; i < v.t.n; i++ {
			v.index(d.m, i).setZero(d.m)
		}
		return
	}
	o, off, _, c := v.store(d.m)
	if n == 0 {
		o, off, c = newStore(v.t.elem, 0), 0, 0
	}
	v.set(d.m, sliceCells(o, off, n, c), 0)
}

// object stores an object.
func (d *jsonDecoder) object(v val) error {
	v, done, err := d.own(v, "object")
	if done {
		return err
	}
	switch k := v.kind(); {
	case isEmptyInterface(v.t):
		v.setRef(d.anyObject())
		return nil
	case k == reflect.Map && d.keyKind(v.t.key) != noKey:
		if v.isNil() {
			d.m.alloc(mapBytes)
			v.setRef(follow(d.m, newMap(v.t)))
		}
	case k != reflect.Struct:
		d.mismatch("object", v.t, d.pos+1)
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
func (d *jsonDecoder) key() (lit, text []byte) {
	d.space()
	lit = d.literal()
	text, _ = jsontext.Unquote(lit, d.m.costs())
	d.space()
	d.pos++
	d.space()
	return lit, text
}

// member stores a key and its value.
func (d *jsonDecoder) member(v val) error {
	d.space()
	start := d.pos
	lit, text := d.key()
	if v.kind() == reflect.Map {
		e := d.m.newVal(v.t.elem)
		if err := d.value(e); err != nil {
			return err
		}
		return d.put(v, start, lit, text, e)
	}
	f := d.m.jsonFields(v.t).find(string(text))
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
	return d.value(to)
}

// walkTo finds a field, and makes what is nil on the way.
func (d *jsonDecoder) walkTo(v val, f *jsonField) (val, bool) {
	ok := true
	outer := v.t
	for i, s := range f.path {
		if v.kind() == reflect.Pointer {
			if v.isNil() {
				if !v.settable() {
					d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", v.t.elem.str))
					ok = false
					break
				}
				v.set(d.m, d.m.newVal(v.t.elem).addr(d.m).o, 0)
			}
			v = v.elem(d.m)
		}
		if i < len(f.path)-1 {
			d.fields = append(d.fields, s.Name)
		}
		v = v.field(d.m, s)
	}
	d.within, d.fields = outer, append(d.fields, f.name)
	return v, ok
}

// quoted stores a value that is inside a string.
func (d *jsonDecoder) quoted(v val) error {
	if c := d.data[d.pos]; c == '[' || c == '{' {
		d.skip()
	} else {
		lit := d.literal()
		switch {
		case c == 'n':
			return d.store(lit, v, false)
		case c == '"':
			text, _ := jsontext.Unquote(lit, d.m.costs())
			return d.store(text, v, true)
		case c != 't' && c != 'f' && !d.useNumber:
			d.spend(len(lit))
			if _, err := parseFloat(lit, 64); err != nil {
				d.mismatch("number "+string(lit), universe.basic[types.Float64], d.pos+1)
				return d.store([]byte("null"), v, false)
			}
		}
	}
	d.save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", v.t.str))
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
func (d *jsonDecoder) keyKind(t *Type) keyKind {
	switch {
	case d.m.jsonInfo(t).ofPtr.unmarshalText:
		return textKey
	case t.kind == reflect.String:
		return stringKey
	case isUnsigned(t):
		return uintKey
	case isInteger(t):
		return intKey
	}
	return noKey
}

// put puts an element into a map.
func (d *jsonDecoder) put(v val, start int, lit, text []byte, e val) error {
	m := d.m
	d.spend(len(text) / 4)
	key := m.newVal(v.t.key)
	switch d.keyKind(v.t.key) {
	case textKey:
		if err := d.store(lit, key.addr(m), true); err != nil {
			return err
		}
	case stringKey:
		key.setStr(d.string(text))
	case intKey:
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || overflowsInt(v.t.key, n) {
			d.mismatch("number "+string(text), v.t.key, start+1)
			return nil
		}
		key.setInt(n)
	case uintKey:
		n, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || overflowsUint(v.t.key, n) {
			d.mismatch("number "+string(text), v.t.key, start+1)
			return nil
		}
		key.setInt(int64(n))
	}
	h, _ := v.ref().(*Map)
	if h == nil {
		throwPlain("assignment to entry in nil map")
	}
	m.putEntry(h, key.load(m), 0, e.load(m), 0)
	return nil
}

// string makes a string of text.
func (d *jsonDecoder) string(text []byte) string {
	d.m.charge(int64(len(text)))
	return string(text)
}
