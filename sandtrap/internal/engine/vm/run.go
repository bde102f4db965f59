package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Run implements engine.Loaded.
func (l loaded) Run(r engine.Run) engine.Outcome {
	m := exec.NewMachine(l.Program, engine.EnterHeap())
	defer m.Lie()
	return run(m, r, nil)
}

// run runs the program from its start. begin is called before anything of it runs.
func run(m *exec.Machine, r engine.Run, begin func()) engine.Outcome {
	p := m.P
	m.Take(r)
	var end func()
	errs := newLeftErrors(m)
	if errs != nil {
		end = errs.askVars
	}
	o := m.Resume(func() {
		r.Attach(hostTasks{m})
		r.Lend(hostValues{m})
		m.Charge(int64(p.Globals)*exec.CellBytes + p.GlobalBytes)
		m.Globals = ir.NewObj(max(1, p.Globals), ir.BankI|ir.BankS|ir.BankR, 1)
		if begin != nil {
			begin()
		}
		t := m.NewTask()
		m.Main, m.T = t, t
		m.Push(p.Begins(0), 0, exec.PcEnd)
	}, end)
	if m.Main != nil && !m.Broken {
		o.Vars = values(m, errs)
		m.Left = 0
		m.Main.Leave()
	}
	m.I, m.S, m.R, m.WindowOf = nil, nil, nil, nil
	return o
}
