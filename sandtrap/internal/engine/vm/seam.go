package vm

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A seam joins a machine to what one run is given.
type seam struct {
	engine.Run
	calls int   // of host functions
	owed  int64 // bytes allocated that the meter has not heard of
	live  *live

	before int64 // that host functions had charged when the last one was called
}

// fault names the construct; the text is ours and holds nothing of the host.
func fault(v any) error {
	text, _, _ := strings.Cut(fmt.Sprint(v), "\n")
	return fmt.Errorf("engine vm: %s", text)
}

// outcome says what became of the run.
func (m *machine) outcome() engine.Outcome {
	s := m.stop
	m.keeping = false // if the arguments of a call were not all there
	if stop := m.seam.Meter.Stopped(); stop != nil {
		return engine.Outcome{Stop: m.overflow(stop), Stack: m.stackNow()}
	}
	switch {
	case s.fault != nil:
		return engine.Outcome{Fault: fault(s.fault)}
	case s.gate != nil:
		return engine.Outcome{Stop: s.gate, Stack: m.stackNow()}
	case s.panic != nil:
		m.stop = nil
		tasks := m.running(s.panic.trace)
		text := strings.TrimPrefix(above.panicText(m, s.panic), "panic: ")
		if stop := m.seam.Meter.Stopped(); stop != nil {
			return engine.Outcome{Stop: stop}
		}
		if m.stop != nil && m.stop.panic == nil { // what tells of the value had no end, or ended the program
			return m.outcome()
		}
		return engine.Outcome{Panic: &engine.Panic{Text: text, Stack: tasks[0].Stack}, Tasks: tasks}
	case s.reason == "panic":
		return engine.Outcome{Panic: &engine.Panic{Text: s.text, Stack: m.stackNow()}, Tasks: m.running(nil)}
	case s.reason != "":
		stop := m.seam.Meter.Trip(&gates.Stop{Reason: gates.Reason(s.reason), Message: s.text, Code: s.exit})
		return engine.Outcome{Stop: stop, Stack: m.stackNow(), Tasks: s.tasks, Waiting: len(m.alive)}
	}
	return engine.Outcome{}
}

// stackNow is where the task is that ran last.
func (m *machine) stackNow() []engine.Frame {
	t := m.last()
	if t == nil {
		return nil
	}
	return m.frames(m.trace(t))
}

// last is the task that ran last, if it has not ended.
func (m *machine) last() *task {
	t := m.t
	if t == nil {
		t = m.main
	}
	if t == nil || t.dead {
		return nil
	}
	return t
}

// frames translates places in the code to those of the source.
func (m *machine) frames(pcs []int) []engine.Frame {
	var out []engine.Frame
	for _, pc := range pcs {
		f := m.p.FuncAt(pc)
		if pc < len(ir.FirstExts) || f == nil || f.Wrapper || slices.Contains(m.p.Inits, f) {
			continue
		}
		if f.Library {
			continue
		}
		pos := m.p.Pos[pc].Pos()
		if !pos.IsValid() {
			pos = f.At
		}
		if start, ok := f.From.Start(pos); ok {
			pos = start
		}
		at := f.From.Fset.Position(pos)
		if !pos.IsValid() || at.Line == 0 {
			continue
		}
		out = append(out, engine.Frame{Func: f.Name, Pos: diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column}})
	}
	return out
}

// grant asks for more ticks; the one that found none left is the first of them.
func (m *machine) grant() {
	n, stop := m.seam.Meter.GrantAtMost(m.p.Stretch)
	if stop != nil {
		m.left = 0
		m.halt(&stopped{gate: stop})
	}
	m.left = int(n) - 1
}

// look lets a stop through before an instruction that may take long. Most looks see
// only what somebody else has noticed: nobody else need be there.
func (m *machine) look() {
	if m.looks++; m.looks%64 == 0 {
		m.check()
	} else if stop := m.seam.Meter.Stopped(); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// entering comes before a call of the host, ended after it.
func (m *machine) entering() {
	m.seam.before = m.live.hosts
	m.live.ahead.base = m.live.hosts
	m.toHostSide()
	m.counted()
}

// counted counts a call of the host; some of them look at the clock.
func (m *machine) counted() {
	if m.seam.calls++; m.seam.calls%64 == 0 {
		m.check()
	}
}

func (m *machine) ended() {
	m.live.ahead.base = noCall
	m.toScriptSide()
	if m.stop != nil {
		m.stopNow()
	}
	if stop := m.seam.Meter.Stopped(); stop != nil {
		m.halt(&stopped{gate: stop})
	}
	if p := m.passing; p != nil {
		m.passing = nil
		panic(p)
	}
}

// check lets a stop through.
func (m *machine) check() {
	if stop := m.seam.Meter.Check(); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// guarded calls host code. What panics there is a panic of the script.
func (m *machine) guarded(f func()) {
	defer m.caught()
	f()
}

func (m *machine) caught() {
	if m.stop != nil {
		return
	}
	if r := recover(); r != nil {
		panic(m.fromHostPanic(r))
	}
}

// fromHostPanic is what to go on panicking with after r in a call of the host.
func (m *machine) fromHostPanic(r any) any {
	switch r := r.(type) {
	case *scriptPanic, haltPanic:
		return r
	case *gates.Stop:
		if m.stop == nil {
			m.stop = &stopped{gate: r}
		}
		return haltPanic{m.stop}
	}
	return &scriptPanic{val: hostPanic(r)}
}

// hostPanic is what the script sees of a panic in host code.
func hostPanic(r any) any {
	if e, ok := r.(runtime.Error); ok {
		return e
	}
	return hostIface(r)
}

// fromDirect is what to go on panicking with after r in a function of the host that was called
// directly. Variables that were lent are as it left them.
func (m *machine) fromDirect(r any) (out any) {
	defer func() {
		if again := recover(); again != nil {
			out = again
		}
	}()
	out = m.fromHostPanic(r)
	m.toScriptSide()
	return out
}

func newMachine(p *ir.Program, heap *engine.Heap) *machine {
	l := newLive(heap)
	return &machine{p: p, live: l, seam: &seam{live: l}}
}
