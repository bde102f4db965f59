package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Scripts print the capacity of slices that grow, so it is that of compiled Go: twice
// as much while they are small, and then what fills the block that the allocator of
// Go gives.

// capacity is what append makes of a slice of old for one of need. There may be no such slice.
func (m *machine) capacity(t *Type, old, need int) int {
	m.refuseHuge(int64(need), t)
	if need < 0 || need > maxElems {
		throwf("growslice: len out of range")
	}
	return min(growCap(t, old, need), maxElems)
}

// growCap is the capacity that append gives a slice with elements of type t and
// capacity old when it needs more.
func growCap(t *Type, old, need int) int {
	size, _, pointers := goShape(t)
	if size == 0 {
		return need
	}
	c := old
	switch {
	case need > 2*old:
		c = need
	case old < 256:
		c = 2 * old
	default:
		for c < need {
			c += (c + 3*256) / 4
		}
	}
	return int(engine.BlockSize(int64(c)*size, pointers) / size)
}

// goShape is the size and alignment that values of type t have in compiled Go, and
// whether there are pointers in them.
func goShape(t *Type) (size, align int64, pointers bool) {
	switch t.kind {
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
		size, align, pointers = goShape(t.elem)
		return size * int64(t.n), align, pointers && t.n > 0
	case reflect.Struct:
		return structShape(t)
	case kindHost:
		return int64(t.mem.Size()), int64(t.mem.Align()), true
	}
	return 8, 8, true
}

func structShape(t *Type) (size, align int64, pointers bool) {
	align = 1
	for i, f := range t.fields {
		s, a, p := goShape(f.typ)
		size = (size + a - 1) / a * a
		size += s
		align, pointers = max(align, a), pointers || p
		if s == 0 && i == len(t.fields)-1 && size > 0 {
			size++ // so that its address is inside
		}
	}
	return (size + align - 1) / align * align, align, pointers
}
