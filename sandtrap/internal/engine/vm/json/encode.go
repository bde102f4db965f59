package json

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// An encoder writes values as encoding/json does.
type encoder struct {
	m     inspect.Machine
	pay   jsontext.Costs
	infos infos
	buf   jsontext.Buffer
	html  bool
	depth int          // of values
	level int          // of references that are being followed
	seen  map[any]bool // those beyond maxLevel
}

// maxLevel is how many references encoding/json follows before it looks whether
// they go round.
const maxLevel = 1000

// failure carries an error out of the walk.
type failure struct{ err error }

// Encode appends to b the text of what an interface holds, and gives what is in b even
// if that fails.
func Encode(m inspect.Machine, b []byte, held any, html bool) (text []byte, err error) {
	pay := costs(m)
	e := &encoder{m: m, pay: pay, infos: infos{m: m}, html: html, buf: jsontext.Buffer{Pay: pay, B: b}}
	defer func() {
		r := recover()
		for range e.depth {
			m.Shallower()
		}
		switch r := r.(type) {
		case nil:
		case failure:
			text, err = e.buf.B, r.err
		default:
			panic(r)
		}
	}()
	e.held(held)
	return e.buf.B, nil
}

// costs are those of texts.
func costs(m inspect.Machine) jsontext.Costs {
	return jsontext.Costs{Charge: m.Charge, Check: m.Check}
}

func (e *encoder) fail(err error) { panic(failure{err}) }

// held writes what an interface holds.
func (e *encoder) held(x any) {
	switch x := x.(type) {
	case nil:
		e.buf.Raw("null")
	case string:
		e.text(x, false)
	default:
		e.value(e.m.Of(x), false)
	}
}

// value writes v; quoted says that a number, boolean or string becomes a string.
func (e *encoder) value(v inspect.Value, quoted bool) {
	m := e.m
	m.Look()
	if e.infos.of(v.Type()).leaf {
		e.scalar(v, quoted)
		return
	}
	m.Deeper()
	e.depth++
	if !e.method(v) {
		e.plain(v, quoted)
	}
	m.Shallower()
	e.depth--
}

// method writes v by a method of its own, if it has one.
func (e *encoder) method(v inspect.Value) bool {
	i := e.infos.of(v.Type())
	isVar := v.IsVar()
	switch {
	case isVar && i.ofPtr.marshalJSON:
		e.marshaler(v, v.Addr())
	case i.of.marshalJSON:
		e.marshaler(v, v)
	case isVar && i.ofPtr.marshalText:
		e.textMarshaler(v, v.Addr())
	case i.of.marshalText:
		e.textMarshaler(v, v)
	default:
		return false
	}
	return true
}

func (e *encoder) marshaler(v, recv inspect.Value) {
	if k := recv.Kind(); (k == reflect.Pointer || k == reflect.Interface) && recv.IsNil() {
		e.buf.Raw("null")
		return
	}
	text, err := inspect.Marshal(recv, "MarshalJSON")
	if err == nil {
		err = e.buf.Compact(text, e.html)
	}
	if err != nil {
		e.fail(&json.MarshalerError{Type: e.m.Reflect(v.Type()), Err: err})
	}
}

func (e *encoder) textMarshaler(v, recv inspect.Value) {
	if k := recv.Kind(); (k == reflect.Pointer || k == reflect.Interface) && recv.IsNil() {
		e.buf.Raw("null")
		return
	}
	text, err := inspect.Marshal(recv, "MarshalText")
	if err != nil {
		e.fail(textMarshalError(e.m.Reflect(v.Type()), err))
	}
	jsontext.String(&e.buf, text, e.html)
}

// plain writes v by its kind.
func (e *encoder) plain(v inspect.Value, quoted bool) {
	switch k := v.Kind(); {
	case isScalar(k):
		e.scalar(v, quoted)
	case k == reflect.Interface:
		e.held(v.Held())
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
		e.fail(&json.UnsupportedTypeError{Type: e.m.Reflect(v.Type())})
	}
}

// follow brackets a walk through the reference v, which may go round.
func (e *encoder) follow(v inspect.Value, walk func(inspect.Value)) {
	if e.level++; e.level > maxLevel {
		key := v.Identity()
		if e.seen[key] {
			e.fail(&json.UnsupportedValueError{Value: v.Reflect(), Str: "encountered a cycle via " + v.Type().String()})
		}
		if e.seen == nil {
			e.seen = map[any]bool{}
		}
		e.m.Charge(inspect.NoteBytes)
		e.seen[key] = true
		defer delete(e.seen, key)
	}
	walk(v)
	e.level--
}

func (e *encoder) pointer(v inspect.Value, quoted bool) {
	if v.IsNil() {
		e.buf.Raw("null")
		return
	}
	e.follow(v, func(v inspect.Value) { e.value(v.Elem(), quoted) })
}

func (e *encoder) slice(v inspect.Value) {
	switch {
	case v.IsNil():
		e.buf.Raw("null")
	case v.Type().Elem().Kind() == reflect.Uint8 && !e.hasMarshal(v.Type().Elem()):
		e.buf.Base64(v.Bytes())
	default:
		e.follow(v, e.array)
	}
}

// hasMarshal reports that pointers to a t marshal themselves.
func (e *encoder) hasMarshal(t inspect.Type) bool {
	m := e.infos.of(t).ofPtr
	return m.marshalJSON || m.marshalText
}

func (e *encoder) array(v inspect.Value) {
	e.buf.Byte('[')
	for i := range v.Len() {
		if i > 0 {
			e.buf.Byte(',')
		}
		x := v.Index(i)
		e.value(x, false)
		x.Done()
	}
	e.buf.Byte(']')
}

func (e *encoder) object(v inspect.Value) {
	fields := e.infos.fields(v.Type())
	next := byte('{')
	for _, f := range fields.list {
		fv, ok := e.walkTo(v, f)
		if !ok || f.OmitEmpty && isEmpty(fv) || f.OmitZero && e.isZero(fv) {
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
		fv.Done()
	}
	if next == '{' {
		e.buf.Byte(next)
	}
	e.buf.Byte('}')
}

// walkTo finds a field, which is not there if a pointer on the way is nil.
func (e *encoder) walkTo(v inspect.Value, f *field) (inspect.Value, bool) {
	for _, s := range f.path {
		if v.Kind() == reflect.Pointer {
			if v = v.Elem(); v == nil {
				return nil, false
			}
		}
		v = v.Field(s)
	}
	return v, true
}

func (e *encoder) mapping(v inspect.Value) {
	if k := v.Type().Key().Kind(); k != reflect.String && !inspect.IsInteger(v.Type().Key().Kind()) && !e.infos.of(v.Type().Key()).of.marshalText {
		e.fail(&json.UnsupportedTypeError{Type: e.m.Reflect(v.Type())})
	}
	if v.IsNil() {
		e.buf.Raw("null")
		return
	}
	e.follow(v, e.entries)
}

type entry struct {
	key  string
	elem inspect.Value
}

func (e *encoder) entries(v inspect.Value) {
	pairs := v.Pairs()
	e.m.Charge(int64(len(pairs)) * 64)
	list := make([]entry, len(pairs))
	for i, p := range pairs {
		key, err := e.keyText(p.Key)
		if err != nil {
			e.fail(fmt.Errorf("json: encoding error for type %q: %q", v.Type().String(), err.Error()))
		}
		list[i] = entry{key, p.Elem}
	}
	n := 0
	slices.SortFunc(list, func(a, b entry) int {
		if n++; n&0xfff == 0 {
			e.m.Check()
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
func (e *encoder) keyText(k inspect.Value) (string, error) {
	switch {
	case k.Kind() == reflect.String:
		return k.Text(), nil
	case e.infos.of(k.Type()).of.marshalText:
		if k.Kind() == reflect.Pointer && k.IsNil() {
			return "", nil
		}
		text, err := inspect.Marshal(k, "MarshalText")
		return string(text), err
	case inspect.IsUnsigned(k.Kind()):
		return strconv.FormatUint(uint64(k.Int()), 10), nil
	}
	return strconv.FormatInt(k.Int(), 10), nil
}
