package vm

import (
	"errors"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// hostTasks is what functions of the host may do with the tasks of a run. They call it
// on the goroutine they were called on.
type hostTasks struct{ m *machine }

var _ engine.Tasks = hostTasks{}

func (h hostTasks) Park(why string, again func() bool) (ready func()) {
	m, t := h.m, h.m.t
	t.parked, t.waitFor, t.again = true, why, again
	return func() { m.ready(t) }
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

func (h hostTasks) Fatal(text string) {
	h.m.halt(&stopped{reason: "panic", text: "fatal error: " + text})
}

func (h hostTasks) Go(f, end func()) {
	m := h.m
	if f == nil {
		f = throwNil
	}
	t := m.newTask()
	t.start, t.atEnd = f, end
	m.runq.push(t)
}

func (h hostTasks) After(d, period time.Duration, f func(), ch any) (stop func() bool) {
	m := h.m
	c, _ := ch.(*Chan)
	t := m.after(d, period, f, c)
	return func() bool { return m.cancel(t) }
}

func (h hostTasks) Own(ch any) (keep any) {
	c := h.m.peer(reflect.ValueOf(ch))
	c.own, c.sends = true, false
	return c
}

func (h hostTasks) Look(ch any) {
	m := h.m
	if c := m.peers[reflect.ValueOf(ch).Pointer()].Value(); c != nil {
		m.pump(c)
	}
}

func (h hostTasks) Watch(ch any, f func()) (stop func()) {
	m := h.m
	c := m.peer(reflect.ValueOf(ch))
	w := &waiter{ch: c, f: f}
	w.group = &w.fired
	m.charge(waitBytes)
	c.recvq.push(w)
	m.watch(c)
	m.pump(c)
	return func() { w.fired = true }
}

func (h hostTasks) Beside(f func()) {
	m := h.m
	if m.foreign() {
		f()
		return
	}
	m.outside.open()
	m.outside.calls++
	done := make(chan any, 1)
	ready := h.Park("host call", nil)
	go func() {
		returned := false
		defer func() {
			var failed any
			if !returned {
				if failed = recover(); failed == nil {
					failed = errGone
				}
			}
			done <- failed
			m.outside.post(ready)
		}()
		f()
		returned = true
	}()
	m.block()
	m.outside.calls--
	if failed := <-done; failed != nil {
		panic(failed)
	}
}

var errGone = errors.New("a function of the host ended its goroutine")

func (h hostTasks) Do(f func()) {
	if !h.m.over.Load() {
		h.m.visit(f)
	}
}

// spawning are the members that start a task with a function of the script.
var spawning = map[string]bool{"sync.WaitGroup.Go": true, "time.AfterFunc": true, "context.AfterFunc": true}

// doSpawning is a call of one of them. What the host gets for the function leaves it to
// the task that calls it, so that no frame of the host is under those of the script.
func doSpawning(m *machine, x *ext) {
	f := m.seam.Bind[x.n]
	in := m.arguments(f.Type(), x)
	for i, r := range x.regs {
		if c, ok := m.R[r].(*Closure); ok && c.fn != nil && in[i].Type() == reflect.TypeFor[func()]() {
			in[i] = reflect.ValueOf(m.body(c))
		}
	}
	m.called(f, x, in)
}

// body is a function of the script for a task that starts with it.
func (m *machine) body(c *Closure) func() {
	return func() {
		if t := m.t; t.fp > 0 {
			m.callback(c.fn, c, &Obj{}, 0)
			return
		}
		m.push(c.fn, 0, pcEnd)
		m.R[c.fn.params] = c
	}
}

// begin calls what t starts with. If that was a body, t goes on with the script's code.
func (m *machine) begin(t *task) {
	f := t.start
	t.start = nil
	m.guarded(f)
	m.ended()
	if t.fp == 0 {
		m.endTask()
	}
}
