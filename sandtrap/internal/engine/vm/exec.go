package vm

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Limits of one run; zero means none.
type Limits struct {
	Ticks    int
	Depth    int
	Deadline time.Time
}

// Result is what became of a run.
type Result struct {
	Exit   int
	Panic  string // as Go prints it, without the trace
	Reason string // of a stop by a limit
	Fault  error
	Ticks  int
}

// Exec runs the program once.
func (p *Program) Exec(out, errw io.Writer, l Limits) (res Result) {
	m := &machine{p: p, out: out, errw: errw, budget: l.Ticks, limited: l.Ticks > 0, deadline: l.Deadline, maxFP: l.Depth}
	if m.maxFP == 0 {
		m.maxFP = 1 << 20
	}
	m.globals = newObj(max(1, p.globals), mI|mS|mR, 1)
	defer func() {
		if r := recover(); r != nil {
			res = Result{Fault: fmt.Errorf("vm: %v", r)}
		}
	}()
	for _, g := range p.hostGlobals {
		if g.t.w() > 0 {
			fromHost(m, g.v, g.t, m.globals, g.off)
		}
	}
	t := m.newTask()
	m.main, m.t = t, t
	m.push(p.init, 0, pcEnd)
	m.loop(func() bool { return false })
	return m.result()
}

func (m *machine) result() Result {
	s := m.stop
	m.stop = nil
	r := Result{Exit: s.exit, Reason: s.reason, Fault: s.fault, Ticks: m.ticks}
	if s.panic != nil {
		r.Exit, r.Panic = 2, m.goPanicText(s.panic)
	}
	if s.text != "" {
		r.Exit, r.Panic = 2, s.text
	}
	return r
}

// goPanicText is the text of a panic, which may call methods of the script.
func (m *machine) goPanicText(p *panicRec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic: (the panic's text panicked)"
		}
	}()
	text = "panic: " + m.panicText(p)
	if _, ok := p.val.(*runtimeError); ok && strings.Contains(text, "nil pointer dereference") {
		text += "\n[signal SIGSEGV: segmentation violation]"
	}
	return text
}
