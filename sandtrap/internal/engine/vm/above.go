package vm

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/internal/goroutine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Calls of the host and of the script that are in each other are on the Go stack of their
// driver. Go grows a stack by copying it to one of twice the size, in one go: 4 MB take
// milliseconds, which a stop has to wait for. So the callbacks of a task are spread over
// stacks: each levelsAbove-th goes on with a driver of its own, whose driver below waits for it.

// levelsAbove is for how many callbacks that are in each other a Go stack is. A level takes some
// 4 KB. It is a multiple of levelsAtOnce: no panic of a stop leaves a goroutine.
const levelsAbove = 8 * levelsAtOnce

// loopAbove is loop for a callback, on a driver of its own.
func (m *machine) loopAbove(b *back) {
	me, d, done := m.driver, &driver{wake: make(chan struct{}, 1)}, make(chan struct{})
	me.above, m.driver, b.t.driver = d, d, d
	go engine.InLane(m.seam.Meter, func() { m.driveAbove(d, b, done) })
	<-done
	me.above, m.driver = nil, me
	if m.visited {
		m.at.Store(me.id)
	}
}

func (m *machine) driveAbove(d *driver, b *back, done chan struct{}) {
	defer func() {
		if r := recover(); m.stop == nil && (r != nil || !b.cb.done) { // or code of the host ended the goroutine
			m.stop = &stopped{fault: fmt.Errorf("vm: a driver above another ended: %v", r)}
		}
		m.at.Store(goroutine.Nobody) // as handTo
		close(done)
	}()
	if m.visited {
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
