package ops

import (
	"math/rand/v2"
	"runtime"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func Defer(m *exec.Machine, x *ir.SlowOp) {
	t := m.T
	m.Alloc(exec.DeferBytes + x.N*exec.CellBytes)
	d := exec.Follow(m, &exec.DeferRec{Depth: t.Fp, Call: m.Later(x)})
	if x.E >= 0 {
		d.Depth = int(m.I[x.E])
		t.Mixed = t.Mixed || d.Depth != t.Fp
	}
	t.Defers = append(t.Defers, d)
}

func DeferStack(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = int64(m.T.Fp) }

func Go(m *exec.Machine, x *ir.SlowOp) {
	c := m.Later(x)
	if c.NilFn {
		m.Halt(&exec.Stopped{Text: "fatal error: go of nil func value", Reason: "panic"})
	}
	m.Spawn(c)
}

func Panic(m *exec.Machine, x *ir.SlowOp) {
	v := m.R[x.A]
	if v == nil {
		v = new(runtime.PanicNilError)
	}
	exec.Throw(v)
}

func PanicArg(m *exec.Machine, x *ir.SlowOp) { Panic(m, &ir.SlowOp{A: x.Regs[0]}) }

func Recover(m *exec.Machine, x *ir.SlowOp) {
	t := m.T
	m.R[x.A] = nil
	if len(t.Panics) == 0 {
		return
	}
	p := t.Panics[len(t.Panics)-1]
	if p.Recovered || p.Goexit || p.CallDepth < 0 || p.CallDepth > t.Fp {
		return
	}
	for d := p.CallDepth; d < t.Fp; d++ {
		if f := m.P.FuncAt(int(t.Frames[d+1].Pc) - 1); f == nil || !f.Wrapper {
			return
		}
	}
	p.Recovered = true
	m.R[x.A] = p.Val
}

func Below(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = int64(below(m, uint64(m.I[x.Regs[0]]))) }

func Goexit(*exec.Machine, *ir.SlowOp) { exec.Goexit() }

func NumGoroutine(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = int64(len(m.Alive)) }

func Nothing(*exec.Machine, *ir.SlowOp) {}

// Same gives its argument back: a stop is never a panic here.
func Same(m *exec.Machine, x *ir.SlowOp) { m.R[x.A] = m.R[x.Regs[0]] }

func RangePanic(m *exec.Machine, x *ir.SlowOp) {
	text := "function for loop body returned false"
	switch m.I[x.A] {
	case ir.RangeBusy:
		text = "loop body panic"
	case ir.RangeDone:
		text = "whole loop exit"
	}
	exec.Throwf("range function continued iteration after %s", text)
}

func RangeBusy(*exec.Machine, *ir.SlowOp) {
	exec.Throwf("range function recovered a loop body panic and did not resume panicking")
}

// below gives a number of chance for the script, less than n.
func below(m *exec.Machine, n uint64) uint64 {
	if m.Host.Seed == 0 {
		return rand.Uint64N(n)
	}
	if m.Numbers == nil {
		m.Numbers = rand.New(rand.NewPCG(m.Host.Seed, 3))
	}
	return m.Numbers.Uint64N(n)
}
