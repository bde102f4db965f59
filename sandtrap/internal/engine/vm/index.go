package vm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// spot is that of the instruction that has failed.
func (m *machine) spot() ir.Spot { return m.p.Pos[m.t.pc-1] }

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
func (m *machine) bound(x *ir.SlowOp, k int, def int) (int64, bool) {
	if x.Regs[k] < 0 {
		return int64(def), false
	}
	v := m.I[x.Regs[k]]
	if ir.IsUnsigned(x.Types[k]) && v < 0 {
		v = math.MaxInt64
	}
	return v, true
}

// boundText is operand k of a slice expression in words, v if there is none.
func (m *machine) boundText(x *ir.SlowOp, k int, v int64) string {
	if x.Regs[k] >= 0 && ir.IsUnsigned(x.Types[k]) {
		return strconv.FormatUint(uint64(m.I[x.Regs[k]]), 10)
	}
	return strconv.FormatInt(v, 10)
}
