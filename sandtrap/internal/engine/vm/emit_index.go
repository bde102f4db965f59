package vm

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// indexSpot is what has to be known of v[index].
func (f *fn) indexSpot(v, index ssa.Value) spot {
	s := f.unsigned(index, unsignedIndex)
	if f.typ(v).kind == reflect.Pointer {
		s |= behindPointer
	}
	return s
}

func (f *fn) unsigned(index ssa.Value, s spot) spot {
	if isUnsigned(f.typ(index)) {
		return s
	}
	return 0
}

// emitIndex emits an instruction with an index.
func (f *fn) emitIndex(s spot, op Op, a, b, c, d int) {
	f.pos[f.emit(op, a, b, c, d)] |= s
}
