package exec

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/heap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A HostAPI joins a machine to what one run is given.
type HostAPI struct {
	engine.Run
	calls int   // of host functions
	owed  int64 // bytes allocated that the meter has not heard of
	Live  *heap.Live

	Before int64 // that host functions had charged when the last one was called
}

// fault names the construct; the text is ours and holds nothing of the host.
func fault(v any) error {
	text, _, _ := strings.Cut(fmt.Sprint(v), "\n")
	return fmt.Errorf("engine vm: %s", text)
}

// outcome says what became of the run.
func (m *Machine) outcome() engine.Outcome {
	s := m.Stop
	m.Keeping = false // if the arguments of a call were not all there
	if stop := m.Host.Meter.Stopped(); stop != nil {
		return engine.Outcome{Stop: m.overflow(stop), Stack: m.StackNow()}
	}
	switch {
	case s.fault != nil:
		return engine.Outcome{Fault: fault(s.fault)}
	case s.Gate != nil:
		return engine.Outcome{Stop: s.Gate, Stack: m.StackNow()}
	case s.panic != nil:
		m.Stop = nil
		tasks := m.running(s.panic.trace)
		text := strings.TrimPrefix(Above.PanicText(m, s.panic), "panic: ")
		if stop := m.Host.Meter.Stopped(); stop != nil {
			return engine.Outcome{Stop: stop}
		}
		if m.Stop != nil && m.Stop.panic == nil { // what tells of the value had no end, or ended the program
			return m.outcome()
		}
		return engine.Outcome{Panic: &engine.Panic{Text: text, Stack: tasks[0].Stack}, Tasks: tasks}
	case s.Reason == "panic":
		return engine.Outcome{Panic: &engine.Panic{Text: s.Text, Stack: m.StackNow()}, Tasks: m.running(nil)}
	case s.Reason != "":
		stop := m.Host.Meter.Trip(&gates.Stop{Reason: gates.Reason(s.Reason), Message: s.Text, Code: s.exit})
		return engine.Outcome{Stop: stop, Stack: m.StackNow(), Tasks: s.tasks, Waiting: len(m.Alive)}
	}
	return engine.Outcome{}
}

// StackNow is where the task is that ran last.
func (m *Machine) StackNow() []engine.Frame {
	t := m.last()
	if t == nil {
		return nil
	}
	return m.Frames(m.trace(t))
}

// last is the task that ran last, if it has not ended.
func (m *Machine) last() *Task {
	t := m.T
	if t == nil {
		t = m.Main
	}
	if t == nil || t.dead {
		return nil
	}
	return t
}

// Frames translates places in the code to those of the source.
func (m *Machine) Frames(pcs []int) []engine.Frame {
	var out []engine.Frame
	for _, pc := range pcs {
		f := m.P.FuncAt(pc)
		if pc < len(ir.FirstExts) || f == nil || f.Wrapper || slices.Contains(m.P.Inits, f) {
			continue
		}
		if f.Library {
			continue
		}
		pos := m.P.Pos[pc].Pos()
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
func (m *Machine) grant() {
	n, stop := m.Host.Meter.GrantAtMost(m.P.Stretch)
	if stop != nil {
		m.Left = 0
		m.Halt(&Stopped{Gate: stop})
	}
	m.Left = int(n) - 1
}

// Poll lets a stop through before an instruction that may take long. Most looks see
// only what somebody else has noticed: nobody else need be there.
func (m *Machine) Poll() {
	if m.looks++; m.looks%64 == 0 {
		m.PollNow()
	} else if stop := m.Host.Meter.Stopped(); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
}

// Entering comes before a call of the host, ended after it.
func (m *Machine) Entering() {
	m.Host.Before = m.Live.Hosts
	m.Live.Ahead.Base = m.Live.Hosts
	m.ToHostSide()
	m.counted()
}

// counted counts a call of the host; some of them look at the clock.
func (m *Machine) counted() {
	if m.Host.calls++; m.Host.calls%64 == 0 {
		m.PollNow()
	}
}

func (m *Machine) Ended() {
	m.Live.Ahead.Base = heap.NoCall
	m.ToScriptSide()
	if m.Stop != nil {
		m.StopNow()
	}
	if stop := m.Host.Meter.Stopped(); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
	if p := m.Passing; p != nil {
		m.Passing = nil
		panic(p)
	}
}

// PollNow lets a stop through.
func (m *Machine) PollNow() {
	if stop := m.Host.Meter.Check(); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
}

// Guarded calls host code. What panics there is a panic of the script.
func (m *Machine) Guarded(f func()) {
	defer m.caught()
	f()
}

func (m *Machine) caught() {
	if m.Stop != nil {
		return
	}
	if r := recover(); r != nil {
		panic(m.fromHostPanic(r))
	}
}

// fromHostPanic is what to go on panicking with after r in a call of the host.
func (m *Machine) fromHostPanic(r any) any {
	switch r := r.(type) {
	case *ScriptPanic, HaltPanic:
		return r
	case *gates.Stop:
		if m.Stop == nil {
			m.Stop = &Stopped{Gate: r}
		}
		return HaltPanic{m.Stop}
	}
	return &ScriptPanic{val: hostPanic(r)}
}

// hostPanic is what the script sees of a panic in host code.
func hostPanic(r any) any {
	if e, ok := r.(runtime.Error); ok {
		return e
	}
	return HostIface(r)
}

// fromDirect is what to go on panicking with after r in a function of the host that was called
// directly. Variables that were lent are as it left them.
func (m *Machine) fromDirect(r any) (out any) {
	defer func() {
		if again := recover(); again != nil {
			out = again
		}
	}()
	out = m.fromHostPanic(r)
	m.ToScriptSide()
	return out
}

func NewMachine(p *ir.Program, h *engine.Heap) *Machine {
	l := heap.NewLive(h)
	return &Machine{P: p, Live: l, Host: &HostAPI{Live: l}}
}
