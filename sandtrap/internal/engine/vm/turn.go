package vm

import (
	"math/rand/v2"

	"github.com/sandtrap-go/sandtrap/internal/goroutine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A turn is a time in which the machine runs: the run itself, and then each call that the
// host makes of what the run left. Between two turns the machine is data that nothing
// works on.

// take takes what is given for a turn.
func (m *machine) take(r engine.Run) {
	limits := r.Meter.Limits()
	m.live.begins(r.Meter)
	r.Meter.Measure(m.live.held, m.live.charged)
	r.Meter.Holds(m.live.now()) // by earlier turns
	m.seam, m.bindings = &seam{Run: r, live: m.live}, make([]bound, len(r.Bind))
	if m.clock = r.Clock; m.clock == nil {
		m.clock = engine.Wall{}
	}
	m.maxFrames = defaultDepth + beneath
	if limits.Depth > 0 {
		m.maxFrames = min(limits.Depth, defaultDepth) + beneath
	}
	m.root = &driver{}
	m.driver = m.root
	if m.rnd == nil && r.Seed != 0 {
		m.rnd = rand.New(rand.NewPCG(r.Seed, 2))
	}
	if r.Late != nil {
		m.tellLate.Store(&r.Late)
	}
	if r.Visited {
		m.visited = true
		m.outside.open(r.Meter)
	}
	if m.visited {
		m.root.id = goroutine.Number()
		m.at.Store(m.root.id)
	}
}

// turn has the tasks go on from start, which makes the main one, until that has ended.
// Then, if it ended well, end is called, from where the script can still be called.
func (m *machine) turn(start, end func()) (o engine.Outcome) {
	defer func() {
		switch v := recover(); {
		case v != nil:
			o = m.faulted(v)
		case !m.over.Load(): // a function of the host ends this goroutine; the others have to go, too
			m.stop = &stopped{fault: engine.ErrLeft}
			m.faulted(m.stop.fault)
			m.dismiss()
		}
	}()
	meter := m.seam.Meter
	if stop := meter.Check(); stop != nil {
		m.end()
		return engine.Outcome{Stop: stop}
	}
	m.stop = m.halted(func() {
		m.pay() // what is held may be too much already
		start()
	})
	m.loop(nil)
	stop := m.stop
	o = m.outcome() // may run methods of the script
	if end != nil && o.Well() {
		m.stop = nil
		if s := m.halted(end); s != nil || meter.Stopped() != nil {
			m.stop = s
			stop, o = s, m.outcome()
		}
	}
	m.stop = stop
	m.dismiss()
	meter.Charge(m.seam.owed)
	meter.Refund(int64(max(0, m.left)))
	m.left = 0
	m.end()
	return o
}

// end says that the turn is over: nobody is at work, and the goroutine that was may end, after which another one may
// get its number.
func (m *machine) end() {
	m.over.Store(true)
	m.at.Store(goroutine.Nobody)
	m.outside.shut()
}

// faulted is the outcome of a turn that the engine did not get to the end of.
func (m *machine) faulted(v any) engine.Outcome {
	m.broken = true
	m.end()
	return engine.Outcome{Fault: fault(v)}
}

// halted calls f outside of the tasks, and gives what stopped it.
func (m *machine) halted(f func()) (s *stopped) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case haltPanic:
			s = r.s
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// wake makes a machine that has run before as good as new, apart from what the host, or the
// state of its session, refers to.
func (m *machine) wake() {
	m.outside.reopen()
	m.over.Store(false)
	m.main, m.t, m.stop, m.initialised, m.left = nil, nil, nil, 0, 0
	m.keyNest, m.walkNest, m.executing = nest{}, 0, nil
	m.crossing, m.spawned, m.backs = crossing{}, nil, nil
}

// rest lets go of what only the turn needed. Tasks that did not end are gone: what waits
// for them waits for ever.
func (m *machine) rest() {
	for _, t := range m.alive {
		t.dead = true
	}
	m.live.stacks = 0
	m.scheduler.clear()
	m.methods, m.exports, m.arrays, m.addrs, m.leading = nil, nil, nil, nil, nil
	m.reflected, m.shows, m.executing, m.spares = nil, nil, nil, nil
	m.spareBack, m.spareCells = nil, nil
	m.seam = &seam{live: m.live, Run: m.seam.Run}
	if !m.handed {
		m.seam.Run = engine.Run{}
	}
}

// clear makes a scheduler one without tasks. What goroutines of the host look at stays:
// they find that the turn is over.
func (s *scheduler) clear() {
	s.runq, s.alive, s.nextID = fifo[*task]{}, nil, 0
	for _, t := range s.timers {
		t.index = -1
	}
	s.timers, s.timerSeq, s.timerMax, s.owned = nil, 0, 0, nil
	s.clock, s.driver, s.root, s.drivers, s.idlers, s.leaving = nil, nil, nil, nil, nil, nil
}

// lie ends the turns of a machine, unless the host has what begins another.
func (m *machine) lie() {
	if !m.handed {
		m.live.heap.Leave()
		return
	}
	m.rest()
	m.live.heap.Pause()
}
