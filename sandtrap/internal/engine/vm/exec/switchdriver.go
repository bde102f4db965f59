package exec

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/internal/goroutine"
)

// A driver is a goroutine of the host that runs tasks. One of them is at work at a
// time, machine.driver; it hands the machine on over the other's channel. More than one
// is needed only where a function of the script that code of the host called has to
// wait: the frames of the host stay on the stack of the driver they are on, which then
// can run nothing but that task, and waits for its turn.
type driver struct {
	wake  chan struct{}
	id    int64 // of its goroutine, where that matters
	gone  bool
	above *driver // that it waits for
}

// next makes m.t a task that the driver at work may run: own, if it has frames of the
// host on its stack, which are own's, else one without such frames. It gives false
// when the run is over.
func (m *Machine) next(own *Task) bool {
	t := m.pick()
	if t == nil {
		return false
	}
	m.T = t
	m.cellsFor(t)
	to := t.driver
	if to == nil && own != nil {
		to = m.spare()
	}
	if me := m.driver; to != nil && to != me {
		if own == nil {
			m.idlers = append(m.idlers, me)
		}
		m.switchTo(to)
		m.waitAs(me)
		if m.Stop != nil {
			return false
		}
	}
	m.View()
	return true
}

// waitAs waits until the machine is handed to d, whose goroutine calls it.
func (m *Machine) waitAs(d *driver) {
	<-d.wake
	if m.calledIn {
		if d.id == 0 {
			d.id = goroutine.Number()
		}
		m.at.Store(d.id)
	}
}

func (m *Machine) switchTo(d *driver) {
	m.driver = d
	m.at.Store(goroutine.Nobody) // its goroutine may end, and another one get its number
	d.wake <- struct{}{}
}

// spare gives a driver without frames of the host.
func (m *Machine) spare() *driver {
	if n := len(m.idlers); n > 0 {
		d := m.idlers[n-1]
		m.idlers = m.idlers[:n-1]
		return d
	}
	if m.root.wake == nil {
		m.root.wake = make(chan struct{}, 1)
	}
	m.Live.Stacks += driverBytes
	m.ChargeLater(driverBytes)
	d := &driver{wake: make(chan struct{}, 1)}
	m.Drivers = append(m.Drivers, d)
	go m.drive(d)
	return d
}

// drive is the whole life of a driver but the first.
func (m *Machine) drive(d *driver) {
	m.waitAs(d)
	defer func() {
		if r := recover(); r != nil || m.Stop == nil { // or code of the host ended the goroutine
			m.Stop = &Stopped{fault: fmt.Errorf("vm: a driver ended: %v", r)}
		}
		d.gone = true
		m.switchTo(m.afterGone())
	}()
	if m.Stop == nil {
		m.View()
		m.loop(nil)
	}
}

// dismiss ends all drivers but the first, which calls it when the run is over: each
// unwinds the frames of the host that it has, and hands the machine to the next of them; the
// last one hands it back.
func (m *Machine) dismiss() {
	m.leaving = m.Drivers
	if d := m.afterGone(); d != m.root {
		m.switchTo(d)
		m.waitAs(m.root)
	}
}

// afterGone is the driver to go on where one has gone: the next that has to go, if the run is
// over, else the first.
func (m *Machine) afterGone() *driver {
	for len(m.leaving) > 0 {
		d := m.leaving[0]
		m.leaving = m.leaving[1:]
		if !d.gone {
			return d.top()
		}
	}
	return m.root.top()
}

// Block waits in the middle of a function of the host until the current task, which is
// parked, is ready.
func (m *Machine) Block() {
	t := m.T
	if !t.Parked {
		return
	}
	held, pc, base, was := t.driver, t.Pc, t.Base, m.Crossing
	t.driver = m.driver
	m.T = nil
	if !m.next(t) {
		m.StopNow()
	}
	t.driver, t.Pc, t.Base, m.Crossing = held, pc, base, was
}

// Calls of the host and of the script that are in each other are on the Go stack of their
// driver. Go grows a stack by copying it to one of twice the size, in one go: 4 MB take
// milliseconds, which a stop has to wait for. So the callbacks of a task are spread over
// stacks: each levelsOnOneStack-th goes on with a driver of its own, whose driver below waits for it.

// levelsOnOneStack is for how many callbacks that are in each other a Go stack is. A level takes some
// 4 KB. It is a multiple of levelsAtOnce: no panic of a stop leaves a goroutine.
const levelsOnOneStack = 8 * levelsAtOnce

// loopOnNewStack is loop for a callback, on a driver of its own.
func (m *Machine) loopOnNewStack(b *Callback) {
	me, d, done := m.driver, &driver{wake: make(chan struct{}, 1)}, make(chan struct{})
	me.above, m.driver, b.t.driver = d, d, d
	go m.driveOnNewStack(d, b, done)
	<-done
	me.above, m.driver = nil, me
	if m.calledIn {
		m.at.Store(me.id)
	}
}

func (m *Machine) driveOnNewStack(d *driver, b *Callback, done chan struct{}) {
	defer func() {
		if r := recover(); m.Stop == nil && (r != nil || !b.cb.done) { // or code of the host ended the goroutine
			m.Stop = &Stopped{fault: fmt.Errorf("vm: a driver above another ended: %v", r)}
		}
		m.at.Store(goroutine.Nobody) // as switchTo
		close(done)
	}()
	if m.calledIn {
		d.id = goroutine.Number()
		m.at.Store(d.id)
	}
	m.loop(b)
}

// top is who has the frames that are above all others of d, and are the first to go.
func (d *driver) top() *driver {
	for d.above != nil {
		d = d.above
	}
	return d
}
