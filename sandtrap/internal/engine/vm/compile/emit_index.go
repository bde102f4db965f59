package compile

import (
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// indexSpot is what has to be known of v[index].
func (f *fn) indexSpot(v, index ssa.Value) ir.Spot {
	s := f.unsigned(index, ir.UnsignedIndex)
	if f.typ(v).Kind == reflect.Pointer {
		s |= ir.BehindPointer
	}
	return s
}

func (f *fn) unsigned(index ssa.Value, s ir.Spot) ir.Spot {
	if ir.IsUnsigned(f.typ(index)) {
		return s
	}
	return 0
}

// emitIndex emits an instruction with an index.
func (f *fn) emitIndex(s ir.Spot, op ir.Op, a, b, c, d int) {
	f.Pos[f.emit(op, a, b, c, d)] |= s
}
