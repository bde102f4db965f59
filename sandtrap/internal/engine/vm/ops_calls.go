package vm

import (
	"math/rand/v2"
	"runtime"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doDefer(m *machine, x *ir.SlowOp) {
	t := m.t
	m.alloc(deferBytes + x.N*cellBytes)
	d := follow(m, &deferRec{depth: t.fp, call: m.later(x)})
	if x.E >= 0 {
		d.depth = int(m.I[x.E])
		t.mixed = t.mixed || d.depth != t.fp
	}
	t.defers = append(t.defers, d)
}

func doDeferStack(m *machine, x *ir.SlowOp) { m.I[x.A] = int64(m.t.fp) }

func doGo(m *machine, x *ir.SlowOp) {
	c := m.later(x)
	if c.nilFn {
		m.halt(&stopped{text: "fatal error: go of nil func value", reason: "panic"})
	}
	m.spawn(c)
}

func doPanic(m *machine, x *ir.SlowOp) {
	v := m.R[x.A]
	if v == nil {
		v = new(runtime.PanicNilError)
	}
	throw(v)
}

func doPanicArg(m *machine, x *ir.SlowOp) { doPanic(m, &ir.SlowOp{A: x.Regs[0]}) }

func doRecover(m *machine, x *ir.SlowOp) {
	t := m.t
	m.R[x.A] = nil
	if len(t.panics) == 0 {
		return
	}
	p := t.panics[len(t.panics)-1]
	if p.recovered || p.goexit || p.callDepth < 0 || p.callDepth > t.fp {
		return
	}
	for d := p.callDepth; d < t.fp; d++ {
		if f := m.p.FuncAt(int(t.frames[d+1].pc) - 1); f == nil || !f.Wrapper {
			return
		}
	}
	p.recovered = true
	m.R[x.A] = p.val
}

func doBelow(m *machine, x *ir.SlowOp) { m.I[x.A] = int64(m.below(uint64(m.I[x.Regs[0]]))) }

func doGoexit(*machine, *ir.SlowOp) { goexit() }

func doNumGoroutine(m *machine, x *ir.SlowOp) { m.I[x.A] = int64(len(m.alive)) }

func doNothing(*machine, *ir.SlowOp) {}

// doSame gives its argument back: a stop is never a panic here.
func doSame(m *machine, x *ir.SlowOp) { m.R[x.A] = m.R[x.Regs[0]] }

func doRangePanic(m *machine, x *ir.SlowOp) {
	text := "function for loop body returned false"
	switch m.I[x.A] {
	case ir.RangeBusy:
		text = "loop body panic"
	case ir.RangeDone:
		text = "whole loop exit"
	}
	throwf("range function continued iteration after %s", text)
}

func doRangeBusy(*machine, *ir.SlowOp) {
	throwf("range function recovered a loop body panic and did not resume panicking")
}

// below gives a number of chance for the script, less than n.
func (m *machine) below(n uint64) uint64 {
	if m.seam.Seed == 0 {
		return rand.Uint64N(n)
	}
	if m.numbers == nil {
		m.numbers = rand.New(rand.NewPCG(m.seam.Seed, 3))
	}
	return m.numbers.Uint64N(n)
}
