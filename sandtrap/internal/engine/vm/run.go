package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Run implements engine.Loaded.
func (l loaded) Run(r engine.Run) engine.Outcome {
	m := newMachine(l.Program, engine.EnterHeap())
	defer m.lie()
	return m.run(r, nil)
}

// run runs the program from its start. begin is called before anything of it runs.
func (m *machine) run(r engine.Run, begin func()) engine.Outcome {
	p := m.p
	m.take(r)
	o := m.turn(func() {
		r.Attach(hostTasks{m})
		r.Lend(hostValues{m})
		m.charge(int64(p.Globals)*cellBytes + p.GlobalBytes)
		m.globals = ir.NewObj(max(1, p.Globals), ir.BankI|ir.BankS|ir.BankR, 1)
		if begin != nil {
			begin()
		}
		t := m.newTask()
		m.main, m.t = t, t
		m.push(p.Begins(0), 0, pcEnd)
	}, nil)
	if m.main != nil && !m.broken {
		o.Vars = m.values()
		m.left = 0
		m.main.leave()
	}
	m.I, m.S, m.R, m.windowOf = nil, nil, nil, nil
	return o
}
