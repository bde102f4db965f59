package vm

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// changeType is a conversion that changes the name of a type.
func (f *fn) changeType(i *ssa.ChangeType) {
	t, u := f.typ(i), f.typ(i.X)
	switch {
	case sameForm(t, u):
		f.moveTo(f.val(i), i.X)
	case t.kind == reflect.Pointer:
		f.refuse(i.Pos(), "convert a pointer from "+u.str+" to "+t.str, "copy the struct, or declare its type as the host's: type T "+f.hostSide(t, u).elem.str)
	default:
		x := 0
		if u.w() > 0 {
			x = f.val(i.X)
		}
		dst := 0
		if t.w() > 0 {
			dst = f.val(i)
		}
		f.ext(&ext{do: DoConvertStruct, a: dst, b: x, t: t, u: u})
	}
}

// hostSide is that of two pointer types which leads to a struct of the host's.
func (f *fn) hostSide(a, b *Type) *Type {
	if a.elem.mem != nil {
		return a
	}
	return b
}
