package ir

import "reflect"

// GoShape is the size and alignment that values of type t have in compiled Go, and
// whether there are pointers in them.
func GoShape(t *Type) (size, align int64, pointers bool) {
	switch t.Kind {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1, 1, false
	case reflect.Int16, reflect.Uint16:
		return 2, 2, false
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4, 4, false
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		return 8, 8, false
	case reflect.Complex64:
		return 8, 4, false
	case reflect.Complex128:
		return 16, 8, false
	case reflect.String, reflect.Interface:
		return 16, 8, true
	case reflect.Slice:
		return 24, 8, true
	case reflect.Array:
		size, align, pointers = GoShape(t.Elem)
		return size * int64(t.N), align, pointers && t.N > 0
	case reflect.Struct:
		return structShape(t)
	case KindHost:
		return int64(t.Mem.Size()), int64(t.Mem.Align()), true
	}
	return 8, 8, true
}

func structShape(t *Type) (size, align int64, pointers bool) {
	align = 1
	for i, f := range t.Fields {
		s, a, p := GoShape(f.Typ)
		size = (size + a - 1) / a * a
		size += s
		align, pointers = max(align, a), pointers || p
		if s == 0 && i == len(t.Fields)-1 && size > 0 {
			size++ // so that its address is inside
		}
	}
	return (size + align - 1) / align * align, align, pointers
}

// InOneCell reports a kind of which a value takes one cell of the bank of numbers or of that of texts.
func InOneCell(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}
