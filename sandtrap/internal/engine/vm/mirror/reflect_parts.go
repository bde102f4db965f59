package mirror

import (
	"errors"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

func (r *Rvalue) Len() int {
	if kinds.Sized.Has(r.Kind()) {
		return r.v.Len()
	}
	return r.arrayLen("Len")
}

func (r *Rvalue) Cap() int {
	switch k := r.Kind(); {
	case k == reflect.Chan:
		if c, ok := r.v.Ref().(*exec.Chan); ok {
			return c.Cap
		}
		return 0
	case k == reflect.Slice || k == reflect.Array:
		return r.v.Cap()
	}
	return r.arrayLen("Cap")
}

// arrayLen is the length of the array that r points to; the method named panics if it points to no array.
func (r *Rvalue) arrayLen(method string) int {
	if r.Kind() != reflect.Pointer {
		r.misused(method)
		return 0
	}
	if r.v.T.Elem.Kind != reflect.Array {
		exec.Throw("reflect: call of reflect.Value." + method + " on ptr to non-array Value")
	}
	return r.v.T.Elem.N
}

func (r *Rvalue) Index(i int) reflect.Value {
	switch r.Kind() {
	case reflect.String:
		if i < 0 || i >= len(r.v.Str()) {
			exec.Throw("reflect: string index out of range")
		}
		e := ValOf(r.m, r.v.Str()[i])
		e.flag |= r.v.flag & hidden
		return reflectValue(r.m, e)
	case reflect.Array:
		if i < 0 || i >= r.v.T.N {
			exec.Throw("reflect: array index out of range")
		}
	case reflect.Slice:
		if i < 0 || i >= r.v.Len() {
			exec.Throw("reflect: slice index out of range")
		}
	default:
		r.misused("Index")
	}
	return reflectValue(r.m, r.v.Index(r.m, i))
}

func (r *Rvalue) Bytes() []byte {
	switch {
	case r.Kind() == reflect.Slice && r.v.T.Elem.Kind == reflect.Uint8:
	case r.Kind() == reflect.Array && r.v.T.Elem.Kind == reflect.Uint8:
		if r.v.flag&isVar == 0 {
			exec.Throw("reflect.Value.Bytes of unaddressable byte array")
		}
	case r.Kind() == reflect.Slice:
		exec.Throw("reflect.Value.Bytes of non-byte slice")
	case r.Kind() == reflect.Array:
		exec.Throw("reflect.Value.Bytes of non-byte array")
	default:
		r.misused("Bytes")
	}
	o, off, n, _ := r.v.store(r.m)
	if o == nil {
		return nil
	}
	return exec.BytesOf(o, off, n)
}

func (r *Rvalue) NumField() int {
	r.must("NumField", reflect.Struct)
	return len(StructFields(r.m, r.v.T))
}

func (r *Rvalue) Field(i int) reflect.Value {
	r.must("Field", reflect.Struct)
	fs := StructFields(r.m, r.v.T)
	if i < 0 || i >= len(fs) {
		exec.Throw("reflect: Field index out of range")
	}
	return reflectValue(r.m, r.v.Field(r.m, fs[i]))
}

func (r *Rvalue) FieldByIndex(index []int) reflect.Value {
	if len(index) > 1 {
		r.must("FieldByIndex", reflect.Struct)
	}
	v, err := r.FieldByIndexErr(index)
	if err != nil {
		exec.Throw("reflect: indirection through nil pointer to embedded struct")
	}
	return v
}

func (r *Rvalue) FieldByIndexErr(index []int) (reflect.Value, error) {
	r.must("FieldByIndexErr", reflect.Struct)
	at := r
	for i, k := range index {
		if i > 0 && at.Kind() == reflect.Pointer && at.v.T.Elem.Kind != reflect.Pointer {
			if at.v.isNil() {
				return reflect.Value{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + typeName(at.v.T.Elem))
			}
			at = &Rvalue{m: r.m, v: at.v.Elem(r.m)}
		}
		at = RvalueIn(at.Field(k))
	}
	return reflectValue(r.m, at.v), nil
}

func (r *Rvalue) FieldByName(name string) reflect.Value {
	r.must("FieldByName", reflect.Struct)
	if f, ok := (Rtype{m: r.m, t: r.v.T}).FieldByName(name); ok {
		return r.FieldByIndex(f.Index)
	}
	return reflect.Value{}
}

func (r *Rvalue) FieldByNameFunc(match func(string) bool) reflect.Value {
	r.must("FieldByNameFunc", reflect.Struct)
	if f, ok := fieldByNameFunc(Rtype{m: r.m, t: r.v.T}, match); ok {
		return r.FieldByIndex(f.Index)
	}
	return reflect.Value{}
}

func (r *Rvalue) Slice(i, j int) reflect.Value {
	return r.slice("Slice", i, j, -1)
}

func (r *Rvalue) Slice3(i, j, k int) reflect.Value {
	if r.Kind() == reflect.String {
		r.misused("Slice3")
	}
	if k < 0 {
		exec.Throw("reflect.Value.Slice3: slice index out of bounds")
	}
	return r.slice("Slice3", i, j, k)
}

// slice is v[i:j], or v[i:j:k] unless k is below zero.
func (r *Rvalue) slice(method string, i, j, k int) reflect.Value {
	out := func() {
		exec.Throw("reflect.Value." + method + ": " + map[bool]string{true: "string ", false: ""}[r.Kind() == reflect.String] + "slice index out of bounds")
	}
	top := 0
	switch r.Kind() {
	case reflect.String:
		top = len(r.v.Str())
	case reflect.Slice:
		top = r.Cap()
	case reflect.Array:
		if r.v.flag&isVar == 0 {
			exec.Throw("reflect.Value." + method + ": slice of unaddressable array")
		}
		top = r.v.T.N
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
		s := NewVal(r.m, r.v.T)
		s.SetStr(r.v.Str()[i:j])
		s.flag = r.v.flag & hidden
		return reflectValue(r.m, s)
	}
	t := r.v.T
	if t.Kind == reflect.Array {
		t = sliceOf(r.m, t.Elem)
	}
	o, off, _, _ := r.v.store(r.m)
	return reflectValue(r.m, Val{T: t, O: SliceCells(o, off+i, j-i, k-i), flag: r.v.flag & hidden})
}

// mirror is the value as templates see it.
