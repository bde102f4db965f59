package ir

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// GoShape is the size and alignment that values of type t have in compiled Go, and
// whether there are pointers in them.
func GoShape(t *Type) (size, align int64, pointers bool) {
	if n := int64(kinds.Size(t.Kind)); n > 0 {
		if IsComplex(t) {
			return n, n / 2, false
		}
		return n, n, false
	}
	switch t.Kind {
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
