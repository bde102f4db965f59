package vm

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
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

func (h hostTasks) Do(f func()) {
	h.m.visit(f)
}
