package vm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// A jsonEncoder writes values as encoding/json does.
type jsonEncoder struct {
	m     *machine
	buf   jsontext.Buffer
	html  bool
	depth int          // of values
	level int          // of references that are being followed
	seen  map[any]bool // those beyond jsonCycles
}

// jsonCycles is how many references encoding/json follows before it looks whether
// they go round.
const jsonCycles = 1000

// jsonError carries an error out of the walk.
type jsonError struct{ err error }

// spareText is the largest buffer that is kept for the next text.
const spareText = 64 << 10

// encodeJSON gives the text of an interface value, which is good until the next one
// is encoded.
func (m *machine) encodeJSON(x any, html bool) (text []byte, err error) {
	e := &jsonEncoder{m: m, html: html, buf: jsontext.Buffer{Pay: m.costs(), B: m.made.text[:0]}}
	m.made.text = nil // a method of the script may encode too
	defer func() {
		r := recover()
		m.walkNest -= e.depth
		if cap(e.buf.B) <= spareText {
			m.made.text = e.buf.B
		}
		switch r := r.(type) {
		case nil:
		case jsonError:
			text, err = nil, r.err
		default:
			panic(r)
		}
	}()
	e.held(x)
	return e.buf.B, nil
}

// costs are those of texts.
func (m *machine) costs() jsontext.Costs {
	return jsontext.Costs{Charge: m.charge, Check: m.check}
}

func (e *jsonEncoder) fail(err error) { panic(jsonError{err}) }

// held writes what an interface holds.
func (e *jsonEncoder) held(x any) {
	switch x := x.(type) {
	case nil:
		e.buf.Raw("null")
	case string:
		e.text(x, false)
	default:
		e.value(e.m.valOf(x), false)
	}
}

// value writes v; quoted says that a number, boolean or string becomes a string.
func (e *jsonEncoder) value(v val, quoted bool) {
	m := e.m
	m.look()
	m.deeper()
	e.depth++
	if !e.method(v) {
		e.plain(v, quoted)
	}
	m.shallower()
	e.depth--
}

// method writes v by a method of its own, if it has one.
func (e *jsonEncoder) method(v val) bool {
	i := e.m.jsonInfo(v.t)
	isVar := v.flag&isVar != 0
	switch {
	case isVar && i.ofPtr.marshalJSON:
		e.marshaler(v, v.addr(e.m))
	case i.of.marshalJSON:
		e.marshaler(v, v)
	case isVar && i.ofPtr.marshalText:
		e.textMarshaler(v, v.addr(e.m))
	case i.of.marshalText:
		e.textMarshaler(v, v)
	default:
		return false
	}
	return true
}

func (e *jsonEncoder) marshaler(v, recv val) {
	if k := recv.kind(); (k == reflect.Pointer || k == reflect.Interface) && recv.isNil() {
		e.buf.Raw("null")
		return
	}
	text, err := e.m.callMarshal(recv, "MarshalJSON")
	if err == nil {
		err = e.buf.Compact(text, e.html)
	}
	if err != nil {
		e.fail(&json.MarshalerError{Type: e.m.reflectType(v.t), Err: err})
	}
}

func (e *jsonEncoder) textMarshaler(v, recv val) {
	if k := recv.kind(); (k == reflect.Pointer || k == reflect.Interface) && recv.isNil() {
		e.buf.Raw("null")
		return
	}
	text, err := e.m.callMarshal(recv, "MarshalText")
	if err != nil {
		e.fail(textMarshalError(e.m.reflectType(v.t), err))
	}
	jsontext.String(&e.buf, text, e.html)
}

// callMarshal calls a method of the form func() ([]byte, error).
func (m *machine) callMarshal(recv val, name string) ([]byte, error) {
	res := m.callMethod(recv, name, &Obj{}, 0)
	if err := m.errIn(res.R[2]); err != nil {
		return nil, err
	}
	return bytesIn(res, 0), nil
}

// bytesIn is the []byte in cells.
func bytesIn(b *Obj, k int) []byte {
	if b.R[k] == nil {
		return nil
	}
	return bytesOf(b.R[k], int(b.I[k+1]>>32), int(b.I[k]))
}

// plain writes v by its kind.
func (e *jsonEncoder) plain(v val, quoted bool) {
	switch k := v.kind(); {
	case k == reflect.Bool, k == reflect.Float32, k == reflect.Float64, k == reflect.String, isInteger(v.t):
		e.scalar(v, quoted)
	case k == reflect.Interface:
		e.held(v.ref())
	case k == reflect.Struct:
		e.object(v)
	case k == reflect.Map:
		e.mapping(v)
	case k == reflect.Slice:
		e.slice(v)
	case k == reflect.Array:
		e.array(v)
	case k == reflect.Pointer:
		e.pointer(v, quoted)
	default:
		e.fail(&json.UnsupportedTypeError{Type: e.m.reflectType(v.t)})
	}
}

// follow brackets a walk through the reference v, which may go round.
func (e *jsonEncoder) follow(v val, walk func(val)) {
	if e.level++; e.level > jsonCycles {
		key := v.identity(e.m)
		if e.seen[key] {
			e.fail(&json.UnsupportedValueError{Value: e.m.reflectValue(v), Str: "encountered a cycle via " + v.t.str})
		}
		if e.seen == nil {
			e.seen = map[any]bool{}
		}
		e.m.charge(noteBytes)
		e.seen[key] = true
		defer delete(e.seen, key)
	}
	walk(v)
	e.level--
}

func (e *jsonEncoder) pointer(v val, quoted bool) {
	if v.isNil() {
		e.buf.Raw("null")
		return
	}
	e.follow(v, func(v val) { e.value(v.elem(e.m), quoted) })
}

func (e *jsonEncoder) slice(v val) {
	o, off, n, _ := v.store(e.m)
	switch {
	case o == nil:
		e.buf.Raw("null")
	case v.t.elem.kind == reflect.Uint8 && !e.hasMarshal(v.t.elem):
		e.buf.Base64(bytesOf(o, off, n))
	default:
		e.follow(v, e.array)
	}
}

// hasMarshal reports that pointers to a t marshal themselves.
func (e *jsonEncoder) hasMarshal(t *Type) bool {
	m := e.m.jsonInfo(t).ofPtr
	return m.marshalJSON || m.marshalText
}

func (e *jsonEncoder) array(v val) {
	o, off, n, _ := v.store(e.m)
	e.buf.Byte('[')
	for i := range n {
		if i > 0 {
			e.buf.Byte(',')
		}
		e.value(v.at(o, off+i), false)
	}
	e.buf.Byte(']')
}

func (e *jsonEncoder) object(v val) {
	fields := e.m.jsonFields(v.t)
	next := byte('{')
	for _, f := range fields.list {
		fv, ok := e.walkTo(v, f)
		if !ok || f.omitEmpty && isEmpty(fv) || f.omitZero && e.isZero(fv) {
			continue
		}
		e.buf.Byte(next)
		next = ','
		if e.html {
			e.buf.Raw(f.html)
		} else {
			e.buf.Raw(f.key)
		}
		e.value(fv, f.quoted)
	}
	if next == '{' {
		e.buf.Byte(next)
	}
	e.buf.Byte('}')
}

// walkTo finds a field, which is not there if a pointer on the way is nil.
func (e *jsonEncoder) walkTo(v val, f *jsonField) (val, bool) {
	for _, s := range f.path {
		if v.kind() == reflect.Pointer {
			if v = v.elem(e.m); !v.valid() {
				return v, false
			}
		}
		v = v.field(e.m, s)
	}
	return v, true
}

func (e *jsonEncoder) mapping(v val) {
	if k := v.t.key.kind; k != reflect.String && !isInteger(v.t.key) && !e.m.jsonInfo(v.t.key).of.marshalText {
		e.fail(&json.UnsupportedTypeError{Type: e.m.reflectType(v.t)})
	}
	if v.isNil() {
		e.buf.Raw("null")
		return
	}
	e.follow(v, e.entries)
}

type jsonEntry struct {
	key  string
	elem val
}

func (e *jsonEncoder) entries(v val) {
	pairs := v.pairs(e.m)
	e.m.charge(int64(len(pairs)) * 64)
	list := make([]jsonEntry, len(pairs))
	for i, p := range pairs {
		key, err := e.keyText(p.key)
		if err != nil {
			e.fail(fmt.Errorf("json: encoding error for type %q: %q", v.t.str, err.Error()))
		}
		list[i] = jsonEntry{key, p.elem}
	}
	n := 0
	slices.SortFunc(list, func(a, b jsonEntry) int {
		if n++; n&0xfff == 0 {
			e.m.check()
		}
		return strings.Compare(a.key, b.key)
	})
	e.buf.Byte('{')
	for i, x := range list {
		if i > 0 {
			e.buf.Byte(',')
		}
		jsontext.String(&e.buf, x.key, e.html)
		e.buf.Byte(':')
		e.value(x.elem, false)
	}
	e.buf.Byte('}')
}

// keyText is the name that a key of a map becomes.
func (e *jsonEncoder) keyText(k val) (string, error) {
	switch {
	case k.kind() == reflect.String:
		return k.str(), nil
	case e.m.jsonInfo(k.t).of.marshalText:
		if k.kind() == reflect.Pointer && k.isNil() {
			return "", nil
		}
		text, err := e.m.callMarshal(k, "MarshalText")
		return string(text), err
	case isUnsigned(k.t):
		return strconv.FormatUint(uint64(k.int()), 10), nil
	}
	return strconv.FormatInt(k.int(), 10), nil
}
