package compile

import (
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// changeType is a conversion that changes the name of a type.
func (f *fn) changeType(i *ssa.ChangeType) {
	t, u := f.typ(i), f.typ(i.X)
	switch {
	case ir.SameForm(t, u):
		f.moveTo(f.val(i), i.X)
	case t.Kind == reflect.Pointer:
		f.refuse(i.Pos(), "convert a pointer from "+u.Str+" to "+t.Str, "copy the struct, or declare its type as the host's: type T "+f.hostSide(t, u).Elem.Str)
	default:
		x := 0
		if u.W() > 0 {
			x = f.val(i.X)
		}
		dst := 0
		if t.W() > 0 {
			dst = f.val(i)
		}
		f.ext(&ir.SlowOp{Do: ir.DoConvertStruct, A: dst, B: x, T: t, U: u})
	}
}

// hostSide is that of two pointer types which leads to a struct of the host's.
func (f *fn) hostSide(a, b *ir.Type) *ir.Type {
	if a.Elem.Mem != nil {
		return a
	}
	return b
}
