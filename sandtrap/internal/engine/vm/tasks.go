package vm

import (
	"errors"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// hostTasks is what functions of the host may do with the tasks of a run. They call it
// on the goroutine they were called on.
type hostTasks struct{ m *machine }

var _ script.Tasks = hostTasks{}

func (h hostTasks) Park(why string, turn script.Turn) script.Parked {
	t := h.m.t
	t.parked, t.waitFor, t.turn = true, why, turn
	return parked{h.m, t}
}

// parked is a task that waits for what others do.
type parked struct {
	m *machine
	t *task
}

func (p parked) Ready()     { p.m.ready(p.t) }
func (p parked) Gone() bool { return p.t.dead }
func (p parked) Do()        { p.m.ready(p.t) }

func (h hostTasks) Block() { h.m.block() }

// Callers yields the functions of the task that called the host, innermost first.
func (h hostTasks) Callers(yield func(fn, file string, line int) bool) {
	for _, f := range h.m.stackNow() {
		if !yield(f.Func, f.Pos.Name, f.Pos.Line) {
			return
		}
	}
}

// Running is the number of the task that called the host.
func (h hostTasks) Running() int { return h.m.t.id }

func (h hostTasks) Fatal(text string) {
	h.m.halt(&stopped{reason: "panic", text: "fatal error: " + text})
}

func (h hostTasks) Body(f func()) script.Act {
	m := h.m
	c := m.spawned
	if m.spawned = nil; c == nil {
		return &hostBody{f}
	}
	return &body{m, c}
}

func (h hostTasks) Go(body, end script.Act) {
	m := h.m
	t := m.newTask()
	t.start, t.atEnd = body, end
	m.runq.push(t)
}

func (h hostTasks) After(d, period time.Duration, act script.Act, ch any) script.Stopper {
	m := h.m
	c, _ := ch.(*Chan)
	return pending{m, m.after(d, period, act, c)}
}

// pending is a timer that can be stopped.
type pending struct {
	m *machine
	t *timer
}

func (p pending) Stop() bool { return p.m.cancel(p.t) }

func (h hostTasks) Own(ch any) (keep any) {
	c := h.m.peer(reflect.ValueOf(ch))
	c.own, c.sends = true, false
	h.m.owned = c // time.After returns the channel alone, and the collector may come before the script has it
	return c
}

func (h hostTasks) Look(ch any) {
	m := h.m
	if c := m.peers[reflect.ValueOf(ch).Pointer()].Value(); c != nil {
		m.pump(c)
	}
}

func (h hostTasks) Watch(ch any, act script.Act) script.Stopper {
	m := h.m
	c := m.peer(reflect.ValueOf(ch))
	w := &waiter{ch: c, act: act}
	w.group = &w.fired
	m.charge(waitBytes)
	c.recvq.push(w)
	m.watch(c)
	m.pump(c)
	return w
}

// Stop takes w out of the queue it is in.
func (w *waiter) Stop() bool {
	was := w.live()
	*w.group = true
	return was
}

func (h hostTasks) Beside(f func()) {
	m := h.m
	if m.foreign() {
		f()
		return
	}
	m.outside.open(m.seam.Meter)
	m.outside.calls++
	done := make(chan any, 1)
	ready := h.Park("host call", nil)
	go engine.InLane(m.seam.Meter, func() {
		m.beside(f, func(failed any) {
			done <- failed
			m.outside.post(ready.(parked))
		})
	})
	m.block()
	m.outside.calls--
	if failed := <-done; failed != nil {
		panic(failed)
	}
}

// besideFrame is how the name of beside ends.
const besideFrame = "vm.(*machine).beside"

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

var errGone = errors.New("a function of the host ended its goroutine")

func (h hostTasks) Do(f func()) {
	h.m.visit(f)
}

// doSpawning is a call of one of them, which asks for the function by Body.
func doSpawning(m *machine, x *ir.SlowOp) {
	f := m.seam.Bind[x.N]
	in := m.arguments(f.Type(), x)
	defer func() { m.spawned = nil }()
	for i, r := range x.Regs {
		if c, ok := m.R[r].(*ir.Closure); ok && c.Fn != nil && in[i].Type() == reflect.TypeFor[func()]() {
			m.spawned = c
		}
	}
	m.called(f, x, in)
}

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
