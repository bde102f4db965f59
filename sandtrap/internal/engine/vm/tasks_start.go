package vm

import (
	"errors"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// beside calls f, and then end with what it panicked with.
func (m *machine) beside(f func(), end func(failed any)) {
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

// besideFrame is how the name of beside ends.
const besideFrame = "vm.(*machine).beside"

var errGone = errors.New("a function of the host ended its goroutine")

// A body is a function of the script that a task starts with: no frame of the host is
// under those of the script.
type body struct {
	m *machine
	c *ir.Closure
}

func (b *body) Do() {
	b.m.push(b.c.Fn, 0, pcEnd)
	b.m.R[b.c.Fn.Params] = b.c
}

// A hostBody is a function of the host that a task starts with.
type hostBody struct{ f func() }

func (b *hostBody) Do() {
	if b.f == nil {
		throwNil()
	}
	b.f()
}

// A hostStart is a go statement that calls a function of the host.
type hostStart struct {
	m    *machine
	f    *ir.Closure
	args *ir.Obj
}

func (s *hostStart) Do() { s.m.callHostClosure(s.f, s.args) }

// begin does what t starts with. If that was a body, t goes on with the script's code.
func (m *machine) begin(t *task) {
	act := t.start
	t.start = nil
	m.guarded(act.Do)
	m.ended()
	if t.fp == 0 {
		m.endTask()
	}
}

// Stop takes w out of the queue it is in.
func (w *waiter) Stop() bool {
	was := w.live()
	*w.group = true
	return was
}

// parked is a task that waits for what others do.
type parked struct {
	m *machine
	t *task
}

func (p parked) Ready() { p.m.ready(p.t) }

func (p parked) Gone() bool { return p.t.dead }

func (p parked) Do() { p.m.ready(p.t) }
