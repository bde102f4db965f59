package exec

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// hostEvents is what other goroutines of the host have to do with a run: they leave
// what the driver at work does between two tasks, and they have channels
// that tasks wait for.
type hostEvents struct {
	wake  chan struct{} // has something when the list may have; nil if nobody can come
	some  atomic.Bool
	mu    sync.Mutex
	list  []script.Act
	over  bool
	end   chan struct{} // closed when the run is over
	meter *gates.Meter  // of the turn
	Calls int           // of the host that run beside the tasks; the drivers' own, as chans
	chans []*Chan       // of the host's, that tasks wait for

	Turns *engine.Turns // of the calls; nil if they return when they do
}

// rest lets the call return that has its turn, if calls have turns.
func (m *Machine) rest(idle bool) {
	o := &m.Outside
	if o.Turns == nil || o.Calls == 0 {
		return
	}
	act, stop := o.Turns.Rest(m.Host.Meter, idle)
	if stop != nil {
		m.Stop = &Stopped{Gate: stop}
	} else if act != nil {
		m.runEvent(act)
	}
}

// none says that nobody is going to come.
func (o *hostEvents) none() bool {
	o.chans = slices.DeleteFunc(o.chans, func(c *Chan) bool {
		c.watched = c.Waited()
		return !c.watched
	})
	return o.Calls == 0 && len(o.chans) == 0
}

// Open says that others may come, in the turn of a meter.
func (o *hostEvents) Open(m *gates.Meter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.meter = m
	if o.wake == nil {
		o.wake = make(chan struct{}, 1)
		o.end = make(chan struct{})
	}
}

func (o *hostEvents) metered() *gates.Meter {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.meter
}

// Post leaves act for the driver at work, and reports that the turn is not over. What is
// left when that ends is not done; end is closed then.
func (o *hostEvents) Post(act script.Act) (end chan struct{}, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return nil, false
	}
	o.list = append(o.list, act)
	o.some.Store(true)
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return o.end, true
}

// reopen begins another turn. Nothing is there of the one before.
func (o *hostEvents) reopen() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.chans {
		c.watched = false
	}
	o.over, o.Calls, o.chans = false, 0, nil
	if o.wake != nil {
		o.end = make(chan struct{})
	}
}

// shut says that the turn is over.
func (o *hostEvents) shut() {
	if o.wake == nil {
		return
	}
	o.mu.Lock()
	o.over, o.list = true, nil
	o.mu.Unlock()
	close(o.end)
}

// Drain does what others left, and what their channels have by now.
func (m *Machine) Drain() {
	o := &m.Outside
	if o.some.Load() {
		o.mu.Lock()
		list := o.list
		o.list = nil
		o.some.Store(false)
		o.mu.Unlock()
		for _, act := range list {
			m.runEvent(act)
		}
	}
	for _, c := range o.chans {
		m.Pump(c)
	}
}

// runEvent does act, which belongs to no task.
func (m *Machine) runEvent(act script.Act) {
	t := m.T
	m.T = nil
	act.Do()
	m.T = t
}

// await waits until one of the ready channels has something, or something can be done
// with a channel that a task waits for, and does that.
func (m *Machine) await(ready []reflect.Value) {
	var cases []reflect.SelectCase
	for _, c := range ready {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c})
	}
	var of []*Chan
	for _, c := range m.Outside.chans {
		if len(cases) >= maxCases {
			break
		}
		if front(&c.Recvq) != nil {
			cases, of = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c.Host}), append(of, c)
		}
		if w := front(&c.Sendq); w != nil {
			from := w.value()
			v := m.Giving(c.Elem, from, w.Src, c.Host.Type().Elem())
			cases, of = append(cases, reflect.SelectCase{Dir: reflect.SelectSend, Chan: c.Host, Send: v}), append(of, c)
		}
	}
	i, v, ok := choose(cases)
	if i < len(ready) {
		return
	}
	if c := of[i-len(ready)]; cases[i].Dir == reflect.SelectRecv {
		m.took(c, v, ok)
	} else {
		m.sent(pop(&c.Sendq), true)
	}
}

// choose is reflect.Select; it gives -1 if a channel to send to is closed, which the next
// look finds.
func choose(cases []reflect.SelectCase) (i int, v reflect.Value, ok bool) {
	defer func() {
		if recover() != nil {
			i = -1
		}
	}()
	return reflect.Select(cases)
}

// maxCases is how many channels are waited for at a time; reflect has room for more.
const maxCases = 60_000
