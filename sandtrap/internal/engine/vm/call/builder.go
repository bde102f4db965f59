package call

import (
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What is written to a strings.Builder that has room for it is written here, without asking the host: nothing is
// allocated, so nothing is to be paid for. Else the leaf of the method does it, which x.C names.

// BuilderWriteString is (*strings.Builder).WriteString.
func BuilderWriteString(m *exec.Machine, x *ir.SlowOp) {
	s := m.S[x.Regs[1]]
	b := roomy(m, x, len(s))
	if b == nil {
		exec.Does[x.C](m, x)
		return
	}
	n, _ := b.WriteString(s)
	written(m, x.A, n)
}

// BuilderWriteByte is (*strings.Builder).WriteByte.
func BuilderWriteByte(m *exec.Machine, x *ir.SlowOp) {
	b := roomy(m, x, 1)
	if b == nil {
		exec.Does[x.C](m, x)
		return
	}
	b.WriteByte(byte(m.I[x.Regs[1]]))
	m.AtHost = false
	noError(m, x.A)
}

// BuilderWriteRune is (*strings.Builder).WriteRune.
func BuilderWriteRune(m *exec.Machine, x *ir.SlowOp) {
	b := roomy(m, x, utf8.UTFMax)
	if b == nil {
		exec.Does[x.C](m, x)
		return
	}
	n, _ := b.WriteRune(rune(m.I[x.Regs[1]]))
	written(m, x.A, n)
}

// roomy is the builder that x writes n bytes to, if it has room for these and they are few. A builder that was
// copied panics as the host's does.
func roomy(m *exec.Machine, x *ir.SlowOp, n int) *strings.Builder {
	b, ok := m.R[x.Regs[0]].(*strings.Builder)
	if !ok || b.Cap()-b.Len() < n || n > exec.GivenFree || len(m.Shared) > 0 {
		return nil
	}
	m.AtHost = true
	return b
}

// written puts the number of bytes in register k, and no error in the next.
func written(m *exec.Machine, k, n int) {
	m.AtHost = false
	m.I[k] = int64(n)
	noError(m, k+1)
}

func noError(m *exec.Machine, k int) {
	if m.R[k] != nil { // writing a pointer costs more than reading it
		m.R[k] = nil
	}
}
