package vm

import (
	"errors"
	"reflect"
)

func (r *rvalue) Len() int {
	switch r.Kind() {
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
		return r.mirror().length()
	case reflect.Pointer:
		if r.v.t.Elem.Kind == reflect.Array {
			return r.v.t.Elem.N
		}
		throw("reflect: call of reflect.Value.Len on ptr to non-array Value")
	}
	r.misused("Len")
	return 0
}

func (r *rvalue) Cap() int {
	switch r.Kind() {
	case reflect.Slice, reflect.Array:
		_, _, _, c := r.v.store(r.m)
		return c
	case reflect.Chan:
		if c, ok := r.v.ref().(*Chan); ok {
			return c.cap
		}
		return 0
	case reflect.Pointer:
		if r.v.t.Elem.Kind == reflect.Array {
			return r.v.t.Elem.N
		}
		throw("reflect: call of reflect.Value.Cap on ptr to non-array Value")
	}
	r.misused("Cap")
	return 0
}

func (r *rvalue) Index(i int) reflect.Value {
	switch r.Kind() {
	case reflect.String:
		if i < 0 || i >= len(r.v.str()) {
			throw("reflect: string index out of range")
		}
		e := r.m.valOf(r.v.str()[i])
		e.flag |= r.v.flag & hidden
		return r.m.reflectValue(e)
	case reflect.Array:
		if i < 0 || i >= r.v.t.N {
			throw("reflect: array index out of range")
		}
	case reflect.Slice:
		if i < 0 || i >= r.v.length() {
			throw("reflect: slice index out of range")
		}
	default:
		r.misused("Index")
	}
	return r.m.reflectValue(r.v.index(r.m, i))
}

func (r *rvalue) Bytes() []byte {
	switch {
	case r.Kind() == reflect.Slice && r.v.t.Elem.Kind == reflect.Uint8:
	case r.Kind() == reflect.Array && r.v.t.Elem.Kind == reflect.Uint8:
		if r.v.flag&isVar == 0 {
			throw("reflect.Value.Bytes of unaddressable byte array")
		}
	case r.Kind() == reflect.Slice:
		throw("reflect.Value.Bytes of non-byte slice")
	case r.Kind() == reflect.Array:
		throw("reflect.Value.Bytes of non-byte array")
	default:
		r.misused("Bytes")
	}
	o, off, n, _ := r.v.store(r.m)
	if o == nil {
		return nil
	}
	return bytesOf(o, off, n)
}

func (r *rvalue) NumField() int {
	r.must("NumField", reflect.Struct)
	return len(r.m.structFields(r.v.t))
}

func (r *rvalue) Field(i int) reflect.Value {
	r.must("Field", reflect.Struct)
	fs := r.m.structFields(r.v.t)
	if i < 0 || i >= len(fs) {
		throw("reflect: Field index out of range")
	}
	return r.m.reflectValue(r.v.field(r.m, fs[i]))
}

func (r *rvalue) FieldByIndex(index []int) reflect.Value {
	if len(index) > 1 {
		r.must("FieldByIndex", reflect.Struct)
	}
	v, err := r.FieldByIndexErr(index)
	if err != nil {
		throw("reflect: indirection through nil pointer to embedded struct")
	}
	return v
}

func (r *rvalue) FieldByIndexErr(index []int) (reflect.Value, error) {
	r.must("FieldByIndexErr", reflect.Struct)
	at := r
	for i, k := range index {
		if i > 0 && at.Kind() == reflect.Pointer && at.v.t.Elem.Kind != reflect.Pointer {
			if at.v.isNil() {
				return reflect.Value{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + typeName(at.v.t.Elem))
			}
			at = &rvalue{m: r.m, v: at.v.elem(r.m)}
		}
		at = rvalueIn(at.Field(k))
	}
	return r.m.reflectValue(at.v), nil
}

func (r *rvalue) FieldByName(name string) reflect.Value {
	r.must("FieldByName", reflect.Struct)
	if f, ok := (rtype{m: r.m, t: r.v.t}).FieldByName(name); ok {
		return r.FieldByIndex(f.Index)
	}
	return reflect.Value{}
}

func (r *rvalue) FieldByNameFunc(match func(string) bool) reflect.Value {
	r.must("FieldByNameFunc", reflect.Struct)
	if f, ok := fieldByNameFunc(rtype{m: r.m, t: r.v.t}, match); ok {
		return r.FieldByIndex(f.Index)
	}
	return reflect.Value{}
}

func (r *rvalue) Slice(i, j int) reflect.Value {
	return r.slice("Slice", i, j, -1)
}

func (r *rvalue) Slice3(i, j, k int) reflect.Value {
	if r.Kind() == reflect.String {
		r.misused("Slice3")
	}
	if k < 0 {
		throw("reflect.Value.Slice3: slice index out of bounds")
	}
	return r.slice("Slice3", i, j, k)
}

// slice is v[i:j], or v[i:j:k] unless k is below zero.
func (r *rvalue) slice(method string, i, j, k int) reflect.Value {
	out := func() {
		throw("reflect.Value." + method + ": " + map[bool]string{true: "string ", false: ""}[r.Kind() == reflect.String] + "slice index out of bounds")
	}
	top := 0
	switch r.Kind() {
	case reflect.String:
		top = len(r.v.str())
	case reflect.Slice:
		top = r.Cap()
	case reflect.Array:
		if r.v.flag&isVar == 0 {
			throw("reflect.Value." + method + ": slice of unaddressable array")
		}
		top = r.v.t.N
	default:
		r.misused(method)
	}
	if k < 0 {
		k = top
	}
	if i < 0 || j < i || j > k || k > top {
		out()
	}
	if r.Kind() == reflect.String {
		s := r.m.newVal(r.v.t)
		s.setStr(r.v.str()[i:j])
		s.flag = r.v.flag & hidden
		return r.m.reflectValue(s)
	}
	t := r.v.t
	if t.Kind == reflect.Array {
		t = r.m.sliceOf(t.Elem)
	}
	o, off, _, _ := r.v.store(r.m)
	return r.m.reflectValue(val{t: t, o: sliceCells(o, off+i, j-i, k-i), flag: r.v.flag & hidden})
}

// mirror is the value as templates see it.
func (r *rvalue) mirror() mirror { return mirror{t: r.v.t, c: r.v.load(r.m)} }
