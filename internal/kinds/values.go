package kinds

import (
	"iter"
	"reflect"
)

// Values are the values that v is made of, or leads to: its elements, the keys and values of its entries, its fields, and
// what an interface or a pointer holds. A nil has none.
func Values(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		switch k := v.Kind(); {
		case k == reflect.Interface || k == reflect.Pointer:
			if !v.IsNil() {
				yield(v.Elem())
			}
		case k == reflect.Map:
			for it := v.MapRange(); it.Next(); {
				if !yield(it.Key()) || !yield(it.Value()) {
					return
				}
			}
		case k == reflect.Struct:
			for i := range v.NumField() {
				if !yield(v.Field(i)) {
					return
				}
			}
		case k == reflect.Array || k == reflect.Slice:
			for i := range v.Len() {
				if !yield(v.Index(i)) {
					return
				}
			}
		}
	}
}

// Rebuilt is a copy of v in which part gives what stands in place of each of its elements, the keys and values of its
// entries, its exported fields and what it holds as an interface. Elements of basic types are copied without asking part; a
// nil is itself, and so is a value that has no parts, or is a pointer.
func Rebuilt(v reflect.Value, part func(reflect.Value) reflect.Value) reflect.Value {
	k := v.Kind()
	if !rebuilt.Has(k) || Nilable.Has(k) && v.IsNil() {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch k {
	case reflect.Interface:
		out.Set(part(v.Elem()))
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(part(it.Key()), part(it.Value()))
		}
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(part(v.Field(i)))
			}
		}
	default:
		rebuildList(v, out, part)
	}
	return out
}

// rebuilt are the kinds of which Rebuilt makes something new.
var rebuilt = Composite | Of(reflect.Interface)

func rebuildList(v, out reflect.Value, part func(reflect.Value) reflect.Value) {
	if v.Kind() == reflect.Slice {
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
	}
	if Basic.Has(v.Type().Elem().Kind()) {
		reflect.Copy(out, v)
		return
	}
	for i := range v.Len() {
		out.Index(i).Set(part(v.Index(i)))
	}
}
