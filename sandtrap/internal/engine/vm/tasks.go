package vm

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
)

// hostTasks is what functions of the host may do with the tasks of a run. They call it
// on the goroutine they were called on.
type hostTasks struct{ m *exec.Machine }

var _ script.Tasks = hostTasks{}

func (h hostTasks) Park(why string, turn script.Turn) script.Parked {
	t := h.m.T
	t.Parked, t.WaitFor, t.Turn = true, why, turn
	return exec.Parked{M: h.m, T: t}
}

func (h hostTasks) Block() { h.m.Block() }

// Callers yields the functions of the task that called the host, innermost first.
func (h hostTasks) Callers(yield func(fn, file string, line int) bool) {
	for _, f := range h.m.StackNow() {
		if !yield(f.Func, f.Pos.Name, f.Pos.Line) {
			return
		}
	}
}

// Running is the number of the task that called the host.
func (h hostTasks) Running() int { return h.m.T.Id }

func (h hostTasks) Fatal(text string) {
	h.m.Halt(&exec.Stopped{Reason: "panic", Text: "fatal error: " + text})
}

func (h hostTasks) Body(f func()) script.Act {
	m := h.m
	c := m.Spawned
	if m.Spawned = nil; c == nil {
		return &exec.HostBody{F: f}
	}
	return &exec.Body{M: m, C: c}
}

func (h hostTasks) Go(body, end script.Act) {
	m := h.m
	t := m.NewTask()
	t.Start, t.AtEnd = body, end
	m.Runq.Push(t)
}

func (h hostTasks) After(d, period time.Duration, act script.Act, ch any) script.Stopper {
	m := h.m
	c, _ := ch.(*exec.Chan)
	return pending{m, m.After(d, period, act, c)}
}

// pending is a timer that can be stopped.
type pending struct {
	m *exec.Machine
	t *exec.Timer
}

func (p pending) Stop() bool { return p.m.Cancel(p.t) }

func (h hostTasks) Own(ch any) (keep any) {
	c := h.m.Peer(reflect.ValueOf(ch))
	c.Own, c.Sends = true, false
	h.m.Owned = c // time.After returns the channel alone, and the collector may come before the script has it
	return c
}

func (h hostTasks) Look(ch any) {
	m := h.m
	if c := m.Peers[reflect.ValueOf(ch).Pointer()].Value(); c != nil {
		m.Pump(c)
	}
}

func (h hostTasks) Watch(ch any, act script.Act) script.Stopper {
	m := h.m
	c := m.Peer(reflect.ValueOf(ch))
	w := &exec.Waiter{Ch: c, Act: act}
	w.Group = &w.Fired
	m.Charge(exec.WaitBytes)
	c.Recvq.Push(w)
	m.Watch(c)
	m.Pump(c)
	return w
}

func (h hostTasks) Beside(f func(call int)) {
	m := h.m
	if m.Foreign() {
		f(0)
		return
	}
	m.Outside.Open(m.Host.Meter)
	turns := m.Outside.Turns // those of later runs of a session are others
	n, known := turns.Begin()
	done := make(chan any, 1)
	call := func(ready exec.Parked) {
		m.Beside(func() { f(n) }, func(failed any) {
			done <- failed
			if !turns.Return(n, ready) {
				m.Outside.Post(ready)
			}
		})
	}
	ready := h.Park("host call", nil).(exec.Parked)
	m.Outside.Calls++
	if known {
		call(ready)
	} else {
		go engine.LaneOf(m.Host.Meter).In(engine.ActFunc(func() { call(ready) }))
	}
	m.Block()
	m.Outside.Calls--
	if failed := <-done; failed != nil {
		panic(failed)
	}
}

func (h hostTasks) Do(f func()) {
	h.m.CallIn(f)
}
