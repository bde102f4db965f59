package mirror

import (
	"go/types"
	goiter "iter"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func (r Rtype) fields(method string) []*structField {
	if r.Kind() != reflect.Struct {
		exec.Throw("reflect: " + method + " of non-struct type " + r.t.Str)
	}
	return StructFields(r.m, r.t)
}

func (r Rtype) NumField() int { return len(r.fields("NumField")) }

func (r Rtype) Field(i int) reflect.StructField {
	fs := r.fields("Field")
	if i < 0 || i >= len(fs) {
		exec.Throw("reflect: Field index out of bounds")
	}
	return r.field(fs[i])
}

func (r Rtype) field(f *structField) reflect.StructField {
	out := reflect.StructField{Name: f.Name, Type: ReflectType(r.m, f.typ), Tag: reflect.StructTag(f.Tag), Index: []int{f.index}, Anonymous: f.Embedded}
	if !f.Exported && f.pkg != nil {
		out.PkgPath = f.pkg.Path()
	}
	if r.t.Mem != nil {
		out.Offset = r.t.Mem.Field(f.host).Offset
	} else {
		out.Offset = offsetOf(r.t, f.index)
	}
	return out
}

func offsetOf(t *ir.Type, i int) uintptr {
	at := int64(0)
	for k, f := range t.Fields[:i+1] {
		size, align, _ := ir.GoShape(f.Typ)
		at = (at + align - 1) / align * align
		if k < i {
			at += size
		}
	}
	return uintptr(at)
}

func (r Rtype) Fields() goiter.Seq[reflect.StructField] { return each(r.NumField(), r.Field) }

func (r Rtype) FieldByIndex(index []int) reflect.StructField {
	r.fields("FieldByIndex")
	var f reflect.StructField
	at := r
	for i, k := range index {
		if i > 0 && at.t.Kind == reflect.Pointer {
			at.t = at.t.Elem
		}
		f = at.Field(k)
		at.t = typeIn(r.m, f.Type)
	}
	return f
}

func (r Rtype) FieldByName(name string) (reflect.StructField, bool) {
	r.fields("FieldByName")
	path, ok := FindField(r.m, r.t, name)
	if !ok {
		return reflect.StructField{}, false
	}
	f := r.FieldByIndex(path.Index)
	f.Index = path.Index
	return f, true
}

func (r Rtype) FieldByNameFunc(match func(string) bool) (reflect.StructField, bool) {
	r.fields("FieldByNameFunc")
	return fieldByNameFunc(r, match)
}

// fieldByNameFunc finds the one field in the least depth of embedded structs whose
// name matches; there must be but one.
func fieldByNameFunc(r Rtype, match func(string) bool) (found reflect.StructField, ok bool) {
	type level struct {
		t     *ir.Type
		index []int
	}
	seen := map[*ir.Type]bool{}
	for now := []level{{t: r.t}}; len(now) > 0 && !ok; {
		var next []level
		matches := 0
		for _, l := range now {
			if seen[l.t] {
				continue
			}
			seen[l.t] = true
			for _, f := range StructFields(r.m, l.t) {
				index := append(slices.Clone(l.index), f.index)
				if match(f.Name) {
					matches++
					found = Rtype{m: r.m, t: l.t}.field(f)
					found.Index = index
				}
				if inner := f.typ; f.Embedded {
					if inner.Kind == reflect.Pointer {
						inner = inner.Elem
					}
					if kindOf(inner) == reflect.Struct {
						next = append(next, level{inner, index})
					}
				}
			}
		}
		if matches > 1 {
			return reflect.StructField{}, false
		}
		ok, now = matches == 1, next
	}
	return found, ok
}

// methods are those that reflect tells of, in its order: the exported ones, and all of
// an interface.
func (r Rtype) methods() []*types.Func {
	var list []*types.Func
	for s := range types.NewMethodSet(r.t.T).Methods() {
		if f := s.Obj().(*types.Func); f.Exported() || r.t.Kind == reflect.Interface {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

func (r Rtype) NumMethod() int { return len(r.methods()) }

func (r Rtype) Method(i int) reflect.Method {
	list := r.methods()
	if i < 0 || i >= len(list) {
		exec.Throw("reflect: Method index out of range")
	}
	return r.method(list[i], i)
}

func (r Rtype) method(f *types.Func, i int) reflect.Method {
	sig := f.Signature()
	out := reflect.Method{Name: f.Name(), Index: i}
	if !f.Exported() && f.Pkg() != nil {
		out.PkgPath = f.Pkg().Path()
	}
	params := slices.Collect(sig.Params().Variables())
	if r.t.Kind != reflect.Interface {
		params = append([]*types.Var{types.NewParam(0, nil, "", r.t.T)}, params...)
	}
	out.Type = r.of(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
	return out
}

func (r Rtype) Methods() goiter.Seq[reflect.Method] { return each(r.NumMethod(), r.Method) }

func (r Rtype) MethodByName(name string) (reflect.Method, bool) {
	for i, f := range r.methods() {
		if f.Name() == name {
			return r.method(f, i), true
		}
	}
	return reflect.Method{}, false
}

func (r Rtype) CanSeq() bool {
	switch k := r.Kind(); {
	case kinds.Sized.Has(k):
		return true
	case k == reflect.Func:
		return r.yields(1)
	case k == reflect.Pointer:
		return r.t.Elem.Kind == reflect.Array
	}
	return ir.IsInteger(r.t)
}

func (r Rtype) CanSeq2() bool {
	switch k := r.Kind(); {
	case kinds.Ranged.Has(k):
		return true
	case k == reflect.Func:
		return r.yields(2)
	case k == reflect.Pointer:
		return r.t.Elem.Kind == reflect.Array
	}
	return false
}

// yields reports a function that calls another with n values for each of its own.
func (r Rtype) yields(n int) bool {
	s := r.signature("CanSeq")
	if s.Params().Len() != 1 || s.Results().Len() != 0 {
		return false
	}
	y, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && y.Params().Len() == n && y.Results().Len() == 1 && types.Identical(y.Results().At(0).Type(), types.Typ[types.Bool])
}
