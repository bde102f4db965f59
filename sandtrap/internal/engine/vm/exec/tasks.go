package exec

import (
	"errors"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Beside calls f, and then end with what it panicked with.
func (m *Machine) Beside(f func(), end func(failed any)) {
	returned := false
	defer func() {
		var failed any
		if !returned {
			if failed = recover(); failed == nil {
				failed = errGone
			}
		}
		end(failed)
	}()
	f()
	returned = true
}

// besideFrame is how the name of Beside ends.
const besideFrame = "exec.(*Machine).Beside"

var errGone = errors.New("a function of the host ended its goroutine")

// A Body is a function of the script that a task starts with: no frame of the host is
// under those of the script.
type Body struct {
	M *Machine
	C *ir.Closure
}

func (b *Body) Do() {
	b.M.Push(b.C.Fn, 0, PcEnd)
	b.M.R[b.C.Fn.Params] = b.C
}

// A HostBody is a function of the host that a task starts with.
type HostBody struct{ F func() }

func (b *HostBody) Do() {
	if b.F == nil {
		ThrowNil()
	}
	b.F()
}

// A hostStart is a go statement that calls a function of the host.
type hostStart struct {
	m    *Machine
	f    *ir.Closure
	args *ir.Obj
}

func (s *hostStart) Do() { s.m.CallHostClosure(s.f, s.args) }

// begin does what t starts with. If that was a body, t goes on with the script's code.
func (m *Machine) begin(t *Task) {
	act := t.Start
	t.Start = nil
	m.Guarded(act.Do)
	m.Ended()
	if t.Fp == 0 {
		m.endTask()
	}
}

// Stop takes w out of the queue it is in.
func (w *Waiter) Stop() bool {
	was := w.live()
	*w.Group = true
	return was
}

// Parked is a task that waits for what others do.
type Parked struct {
	M *Machine
	T *Task
}

func (p Parked) Ready() { p.M.ready(p.T) }

func (p Parked) Gone() bool { return p.T.dead }

func (p Parked) Do() { p.M.ready(p.T) }
