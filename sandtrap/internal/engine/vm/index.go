package vm

import (
	"fmt"
	"go/token"
	"math"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// A spot is where in the source an instruction comes from, and what has to be known of
// the indices in it should they be out of range: the loop has no use for that.
type spot uint64

const (
	behindPointer    spot = 1 << (63 - iota) // of an array behind a pointer
	unsignedIndex                            // of 64 bits
	unsignedRowIndex                         // of the element in the row
)

func (s spot) pos() token.Pos {
	return token.Pos(s &^ (behindPointer | unsignedIndex | unsignedRowIndex))
}

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

// spot is that of the instruction that has failed.
func (m *machine) spot() spot { return m.p.pos[m.t.pc-1] }

// throwIndex panics for the index i of something of length n.
func throwIndex(i int64, n int, unsigned bool) {
	if i < 0 && unsigned {
		throwf("index out of range [%d] with length %d", uint64(i), n)
	}
	throwf("index out of range [%d]%s", i, lengthPart(i, n))
}

func lengthPart(i int64, n int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(" with length %d", n)
}

// bound is operand k of a slice expression.
func (m *machine) bound(x *ext, k int, def int) (int64, bool) {
	if x.regs[k] < 0 {
		return int64(def), false
	}
	v := m.I[x.regs[k]]
	if isUnsigned(x.types[k]) && v < 0 {
		v = math.MaxInt64
	}
	return v, true
}

// boundText is operand k of a slice expression in words, v if there is none.
func (m *machine) boundText(x *ext, k int, v int64) string {
	if x.regs[k] >= 0 && isUnsigned(x.types[k]) {
		return strconv.FormatUint(uint64(m.I[x.regs[k]]), 10)
	}
	return strconv.FormatInt(v, 10)
}
