package carry

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// Decode reads what Encode wrote. It takes about room bytes of memory at most. An error
// matches ErrFormat.
func Decode(data []byte, room int64) (v any, err error) { return (*Handles)(nil).Decode(data, &room) }

// Decode reads what Encode wrote. It takes about as many bytes of memory as there is room, at most,
// and leaves the rest of that. An error matches ErrFormat.
func (h *Handles) Decode(data []byte, room *int64) (v any, err error) {
	_, err = h.hear(data, room, false, func(r *reader) {
		if got := r.dynamic(); got.IsValid() {
			v = got.Interface()
		}
	})
	return v, err
}

func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = fmt.Errorf("%w: %s", ErrFormat, string(p))
	default:
		*err = fmt.Errorf("%w: %v", ErrFormat, p) // reflect does not take the type or the value
	}
}

func (r *reader) dynamic() reflect.Value { return r.dynamicAs(nil) }

// dynamicAs reads a value that is to be the interface it of the host's, if that is not nil.
func (r *reader) dynamicAs(it reflect.Type) reflect.Value {
	if r.null() {
		return reflect.Value{}
	}
	switch r.count() {
	case 1:
		return r.scripted(it)
	case 3:
		return r.opaque(it)
	case 5:
		return r.own(it)
	case 2:
	default:
		fail("no type and value")
	}
	r.direct = true
	t := r.typ()
	r.direct = false
	if r.isHeld(t) {
		return r.held(it)
	}
	r.alloc(1, t.Size())
	v := reflect.New(t).Elem()
	r.value(v)
	if it != nil && !(t.Implements(it) && r.mayBe(v, it)) {
		fail("a %v as %v", t, it)
	}
	return v
}

// value reads what fits the type of v into it.
func (r *reader) value(v reflect.Value) {
	r.enter()
	defer r.leave()
	if rt := r.handles.structs().behind(v.Type()); rt != nil {
		got := reflect.New(rt).Elem()
		r.value(got)
		made.Resolve(v, got)
		return
	}
	if r.handles.are(v.Type()) {
		r.handle(v)
		return
	}
	if t, ok := texts[v.Type()]; ok {
		text := r.take(r.want(majorBytes))
		r.alloc(1, uintptr(len(text)))
		if err := t.read(v.Addr().Interface(), text); err != nil {
			fail("%v: %v", v.Type(), err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		r.iface(v)
	case reflect.Pointer:
		if r.null() {
			return
		}
		if s := r.handles.structs().find(v.Type().Elem()); s != nil {
			r.pointer(v, s)
			return
		}
		if r.count() != 1 {
			fail("no pointer")
		}
		r.alloc(1, v.Type().Elem().Size())
		v.Set(reflect.New(v.Type().Elem()))
		r.value(v.Elem())
	case reflect.Slice:
		r.slice(v)
	case reflect.Array:
		if r.count() != v.Len() {
			fail("an array of another length")
		}
		r.elements(v)
	case reflect.Map:
		r.mapping(v)
	case reflect.Func:
		r.callback(v)
	case reflect.Struct:
		if s := r.handles.structs().find(v.Type()); s != nil {
			r.object(v, s)
			return
		}
		if r.fields(v); isMute(v) {
			fail("an error of type %v that cannot say what it is", v.Type())
		}
	default:
		r.basic(v)
	}
}

func (r *reader) iface(v reflect.Value) {
	if r.null() {
		return
	}
	if v.Type() == reflect.TypeFor[error]() {
		v.Set(reflect.ValueOf(r.error()))
		return
	}
	if v.NumMethod() > 0 {
		if !r.handles.structs().isNamed(v.Type()) {
			fail("a value of type %v", v.Type())
		}
		if got := r.dynamicAs(v.Type()); got.IsValid() {
			v.Set(got)
		}
		return
	}
	if got := r.dynamic(); got.IsValid() {
		v.Set(got)
	}
}

func (r *reader) string() string {
	n := r.want(majorBytes)
	if n > uint64(len(r.data)) {
		fail("a string is cut off")
	}
	r.alloc(int(n), 1)
	return string(r.take(n))
}

func (r *reader) slice(v reflect.Value) {
	if r.null() {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		text := r.string()
		v.Set(reflect.MakeSlice(v.Type(), len(text), len(text)))
		reflect.Copy(v, reflect.ValueOf(text))
		return
	}
	n := r.count()
	r.alloc(n, v.Type().Elem().Size())
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	r.elements(v)
}

func (r *reader) elements(v reflect.Value) {
	for i := range v.Len() {
		r.value(v.Index(i))
	}
}

func (r *reader) mapping(v reflect.Value) {
	if r.null() {
		return
	}
	n := r.count()
	if n%2 != 0 {
		fail("a key without a value")
	}
	t := v.Type()
	r.alloc(n, t.Key().Size()+t.Elem().Size()+16)
	v.Set(reflect.MakeMapWithSize(t, n/2))
	for range n / 2 {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		r.value(key)
		r.value(elem)
		if !key.Comparable() {
			fail("a key that cannot be compared")
		}
		v.SetMapIndex(key, elem)
	}
}

func (r *reader) fields(v reflect.Value) {
	fields := exported(v.Type())
	if r.count() != len(fields) {
		fail("a struct with other fields")
	}
	for _, f := range fields {
		r.value(v.FieldByIndex(f.Index))
	}
}

func (r *reader) basic(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(r.bool())
	case v.Kind() == reflect.String:
		v.SetString(r.string())
	case v.CanInt():
		r.integer(v)
	case v.CanUint():
		n := r.want(majorUint)
		if v.OverflowUint(n) {
			fail("%d is too large for %v", n, v.Type())
		}
		v.SetUint(n)
	case v.CanFloat():
		v.SetFloat(r.float())
	case v.CanComplex():
		if r.count() != 2 {
			fail("no complex number")
		}
		v.SetComplex(complex(r.float(), r.float()))
	default:
		fail("a value of type %v", v.Type())
	}
}

func (r *reader) integer(v reflect.Value) {
	n := r.int64()
	if v.OverflowInt(n) {
		fail("an integer that is none of type %v", v.Type())
	}
	v.SetInt(n)
}
