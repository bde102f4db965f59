package exec

import (
	"math/rand/v2"

	"github.com/sandtrap-go/sandtrap/internal/goroutine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A turn is a time in which the machine runs: the run itself, and then each call that the
// host makes of what the run left. Between two turns the machine is data that nothing
// works on.

// Take takes what is given for a turn.
func (m *Machine) Take(r engine.Run) {
	limits := r.Meter.Limits()
	m.Live.Begins(r.Meter)
	m.lane = engine.LaneOf(r.Meter)
	m.Outside.Turns = engine.NewTurns(r.Returns)
	r.Meter.Measure(m.Live.Held, m.Live.Charged)
	r.Meter.Holds(m.Live.Now()) // by earlier turns
	m.Host, m.Bindings = &HostAPI{Run: r, Live: m.Live}, make([]Bound, len(r.Bind))
	if m.clock = r.Clock; m.clock == nil {
		m.clock = engine.Wall{}
	}
	m.maxFrames = defaultDepth + beneath
	if limits.Depth > 0 {
		m.maxFrames = min(limits.Depth, defaultDepth) + beneath
	}
	m.root = &driver{}
	m.driver = m.root
	if m.Rnd == nil && r.Seed != 0 {
		m.Rnd = rand.New(rand.NewPCG(r.Seed, 2))
	}
	if r.Late != nil {
		m.tellLate.Store(&r.Late)
	}
	if r.Visited {
		m.calledIn = true
		m.Outside.Open(r.Meter)
	}
	if m.calledIn {
		m.root.id = goroutine.Number()
		m.at.Store(m.root.id)
	}
}

// Resume has the tasks go on from start, which makes the main one, until that has ended.
// Then, if it ended well, end is called, from where the script can still be called.
func (m *Machine) Resume(start, end func()) (o engine.Outcome) {
	defer func() {
		switch v := recover(); {
		case v != nil:
			o = m.faulted(v)
		case !m.over.Load(): // a function of the host ends this goroutine; the others have to go, too
			m.Stop = &Stopped{fault: engine.ErrLeft}
			m.faulted(m.Stop.fault)
			m.dismiss()
		}
	}()
	meter := m.Host.Meter
	if stop := meter.Check(); stop != nil {
		m.end()
		return engine.Outcome{Stop: stop}
	}
	m.Stop = m.halted(func() {
		m.chargeOwed() // what is held may be too much already
		start()
	})
	m.loop(nil)
	stop := m.Stop
	o = m.outcome() // may run methods of the script
	if end != nil && o.Well() {
		m.Stop = nil
		if s := m.halted(end); s != nil || meter.Stopped() != nil {
			m.Stop = s
			stop, o = s, m.outcome()
		}
	}
	m.Stop = stop
	m.dismiss()
	meter.Charge(m.Host.owed)
	meter.Refund(int64(max(0, m.Left)))
	m.Left = 0
	m.end()
	return o
}

// end says that the turn is over: nobody is at work, and the goroutine that was may end, after which another one may
// get its number.
func (m *Machine) end() {
	m.over.Store(true)
	m.at.Store(goroutine.Nobody)
	m.Outside.shut()
}

// faulted is the outcome of a turn that the engine did not get to the end of.
func (m *Machine) faulted(v any) engine.Outcome {
	m.Broken = true
	m.end()
	return engine.Outcome{Fault: fault(v)}
}

// halted calls f outside of the tasks, and gives what stopped it.
func (m *Machine) halted(f func()) (s *Stopped) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case HaltPanic:
			s = r.s
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// Wake makes a machine that has run before as good as new, apart from what the host, or the
// state of its session, refers to.
func (m *Machine) Wake() {
	m.Outside.reopen()
	m.over.Store(false)
	m.Main, m.T, m.Stop, m.Initialised, m.Left = nil, nil, nil, 0, 0
	m.keyNest, m.walkNest, m.Executing = Recursion{}, 0, nil
	m.Crossing, m.Spawned, m.sharedForCall = Crossing{}, nil, nil
}

// Rest lets go of what only the turn needed. Tasks that did not end are gone: what waits
// for them waits for ever.
func (m *Machine) Rest() {
	for _, t := range m.Alive {
		t.dead = true
	}
	m.Live.Stacks, m.Main = 0, nil
	m.scheduler.clear()
	m.methods, m.Exports, m.arrays, m.addrs, m.leading = nil, nil, nil, nil, nil
	m.Reflected, m.Shows, m.Executing, m.spares = nil, nil, nil, nil
	m.spareCallback, m.spareCells, m.spareIn, m.lastLeading = nil, nil, nil, nil
	m.Host = &HostAPI{Live: m.Live, Run: m.Host.Run}
	if !m.Handed {
		m.Host.Run = engine.Run{}
	}
}

// clear makes a scheduler one without tasks. What goroutines of the host look at stays:
// they find that the turn is over.
func (s *scheduler) clear() {
	s.Runq, s.Alive, s.nextID = ir.Fifo[*Task]{}, nil, 0
	for _, t := range s.timers {
		t.index = -1
	}
	s.timers, s.timerSeq, s.timerMax, s.Owned = nil, 0, 0, nil
	s.clock, s.driver, s.root, s.Drivers, s.idlers, s.leaving = nil, nil, nil, nil, nil, nil
}

// Lie ends the turns of a machine, unless the host has what begins another.
func (m *Machine) Lie() {
	if !m.Handed {
		m.Live.Heap.Leave()
		return
	}
	m.Rest()
	m.Live.Heap.Pause()
}
