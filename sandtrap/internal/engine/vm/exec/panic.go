package exec

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// PanicRec is a panic, or a Goexit, on its way up.
type PanicRec struct {
	Val       any
	Goexit    bool
	thenExit  bool // it took the place of a Goexit
	Recovered bool
	over      bool // recovered, and the call that did has returned: others of its frame follow
	at        int  // depth of the frame whose deferred calls run
	pc        int  // where that frame was
	CallDepth int  // depth of the deferred call that may recover, or -1
	trace     []int
	Earlier   *PanicRec // the latest of those whose place it took
	Oldest    *PanicRec // the first of them, or itself
}

// raise starts a panic in the current task. A deferred call that panics before it has a
// frame starts the next: there can be many, so they do not nest.
func (m *Machine) raise(p *ScriptPanic) {
	for p != nil {
		p = m.raiseOne(p)
	}
}

func (m *Machine) raiseOne(p *ScriptPanic) (next *ScriptPanic) {
	defer func() { next = m.thrown(recover()) }()
	t := m.T
	m.Passing = nil
	r := &PanicRec{Val: p.val, Goexit: p.goexit, at: -1, CallDepth: -1, trace: p.trace}
	r.Oldest = r
	m.Alloc(panicBytes)
	Follow(m, r)
	m.Charge(errorBytes)
	if n := len(t.Panics); n > 0 && t.Panics[n-1].at == t.Fp {
		t.displace(r)
	}
	if r.trace == nil {
		r.trace = m.trace(t)
	}
	t.Panics = append(t.Panics, r)
	m.unwind()
	return nil
}

// displace ends the latest panic, which had made the deferred call that p comes from.
func (t *Task) displace(p *PanicRec) {
	n := len(t.Panics)
	old := t.Panics[n-1]
	p.thenExit = p.thenExit || old.Goexit || old.thenExit
	if !old.over {
		p.Oldest.Earlier, p.Oldest = old, old.Oldest
	}
	t.Pc = old.pc
	t.Panics = t.Panics[:n-1]
}

// trace is the pcs of the frames, innermost first, those below callbacks of host
// code too.
func (m *Machine) trace(t *Task) []int {
	pcs := []int{t.at()}
	under, back := len(t.Panics)-1, len(t.callbacks)
	for k := t.Fp; k > 0 && len(pcs) < 100; k-- {
		pc := int(t.Frames[k].Pc)
		switch {
		case pc == pcUnwind && under >= 0:
			pc = t.Panics[under].pc // the frame whose deferred call this is
			under--
		case pc == pcBack && back > 0:
			back--
			pc = t.callbacks[back].pc
		}
		pcs = append(pcs, pc-1)
	}
	return pcs
}

// at is the pc of what t does. A tick is due when a loop has gone back to its start, or a
// function has been entered: what comes next is in it, what came before need not be.
func (t *Task) at() int {
	if t.ticked {
		return t.Pc
	}
	return t.Pc - 1
}

// unwind goes on with the latest panic: the next deferred call, or one frame
// up.
func (m *Machine) unwind() {
	t := m.T
	p := t.Panics[len(t.Panics)-1]
	for {
		if d := t.popDefer(t.Fp); d != nil {
			p.at, p.CallDepth, p.pc = t.Fp, t.Fp+1, t.Pc
			m.View()
			m.invoke(d.Call, m.ShiftAt(t.Pc), pcUnwind)
			return
		}
		fr := t.Frames[t.Fp]
		if fr.Pc == PcEnd || fr.Pc == pcBack {
			m.unrecovered(p)
			return
		}
		t.Fp--
		t.Base, t.Pc = int(fr.base), int(fr.Pc)
		if fr.Pc == pcUnwind {
			// A deferred call made by an earlier panic: this one takes its place.
			t.Panics = t.Panics[:len(t.Panics)-1]
			t.displace(p)
			t.Panics = append(t.Panics, p)
		}
	}
}

// ShiftAt is the width of the window of the function that holds pc-1.
func (m *Machine) ShiftAt(pc int) int {
	if f := m.P.FuncAt(pc - 1); f != nil && pc > len(ir.FirstExts) {
		return f.Nregs
	}
	return Window
}

// Unwound is reached when a deferred call made by a panic returns.
func Unwound(m *Machine, _ *ir.SlowOp) {
	t := m.T
	p := t.Panics[len(t.Panics)-1]
	t.Pc, p.CallDepth = p.pc, -1
	if !p.Recovered {
		m.unwind()
		return
	}
	p.over = true
	fn := m.P.FuncAt(t.Pc - 1)
	if d := t.popDefer(t.Fp); d != nil {
		m.invoke(d.Call, fn.Nregs, pcUnwind)
		return
	}
	t.Panics = t.Panics[:len(t.Panics)-1]
	if p.thenExit {
		m.raise(&ScriptPanic{goexit: true})
		return
	}
	if fn.Recover >= 0 {
		t.Pc = fn.Recover
		return
	}
	for k := range fn.Rw {
		m.I[k], m.S[k], m.R[k] = 0, "", nil
	}
	fr := t.Frames[t.Fp]
	t.Fp--
	t.Pc, t.Base = int(fr.Pc), int(fr.base)
}

// unrecovered ends the task, or hands the panic to the host code that made the
// callback.
func (m *Machine) unrecovered(p *PanicRec) {
	t := m.T
	t.Panics = t.Panics[:len(t.Panics)-1]
	if n := len(t.callbacks); n > 0 {
		t.callbacks[n-1].done, t.callbacks[n-1].panic = true, p
		return
	}
	if p.Goexit {
		m.endTask()
		return
	}
	m.Stop = &Stopped{panic: p}
}

// TaskEnd is reached when the first function of a task returns. The main task
// runs the initialisers of the packages first.
func TaskEnd(m *Machine, _ *ir.SlowOp) {
	if m.T == m.Main && m.Initialised < len(m.P.Inits) {
		m.Initialised++
		m.Push(m.P.Begins(m.Initialised), 0, PcEnd)
		return
	}
	m.endTask()
}

func (m *Machine) endTask() {
	t := m.T
	t.dead = true
	if t.AtEnd != nil {
		t.AtEnd.Do()
	}
	last := m.Alive[len(m.Alive)-1]
	m.Alive[t.slot], last.slot = last, t.slot
	m.Alive[len(m.Alive)-1] = nil
	m.Alive = m.Alive[:len(m.Alive)-1]
	if t != m.Main {
		m.takeCells(t)
	}
	m.Live.Stacks -= int64(max(0, t.deepest-1)) * callbackBytes
	m.T = nil
	if t == m.Main && len(t.Frames) > 0 && !m.exiting(t) {
		m.Stop = wellStopped
	}
}

// exiting reports that the main task ended by Goexit: the others go on.
func (m *Machine) exiting(t *Task) bool { return t.Fp > 0 }

func (t *Task) popDefer(depth int) *DeferRec {
	for k := len(t.Defers) - 1; k >= 0; k-- {
		d := t.Defers[k]
		if d.Depth == depth {
			t.Defers = append(t.Defers[:k], t.Defers[k+1:]...)
			return d
		}
		if d.Depth < depth && !t.Mixed {
			return nil
		}
	}
	return nil
}

func RunDefers(m *Machine, _ *ir.SlowOp) {
	t := m.T
	if d := t.popDefer(t.Fp); d != nil {
		m.invoke(d.Call, m.ShiftAt(t.Pc), t.Pc-1)
	}
}

// Spawn starts a task.
func (m *Machine) Spawn(c callRec) {
	t := m.NewTask()
	m.Runq.Push(t)
	if c.host != nil {
		t.Start = &hostStart{m, c.host, c.cells}
		return
	}
	cur := m.T
	m.T = t
	m.unparkStack(t)
	m.View()
	m.invoke(c, 0, PcEnd)
	if len(m.Alive) > fewTasks {
		m.parkStack(t)
	}
	if m.T = cur; cur != nil {
		m.View()
	}
}

// Later takes a call whose arguments are in place out of the window.
func (m *Machine) Later(x *ir.SlowOp) callRec {
	c := callRec{fn: x.Fn, n: int(x.N)}
	if x.Ok {
		v := m.R[x.B]
		if v == nil {
			ThrowNil()
		}
		f, ok := v.(*Iface)
		if !ok {
			c.host = m.hostMethod(v, x.C)
			c.cells = m.cut(x.A+1, c.n-1)
			return c
		}
		c.fn = m.FuncEntry(f.T.Entries[x.C])
		m.I[x.A], m.S[x.A], m.R[x.A] = f.I, f.S, f.R
	}
	if x.D == 1 {
		clo, _ := m.R[x.A+c.n-1].(*ir.Closure)
		switch {
		case clo == nil:
			c.NilFn = true
		case clo.Fn == nil:
			c.host = clo
		default:
			c.fn = clo.Fn
		}
	}
	c.cells = m.cut(x.A, c.n)
	return c
}

func (m *Machine) FuncEntry(pc int32) *ir.Func { return m.P.FuncAt(int(pc)) }

func (m *Machine) cut(a, n int) *ir.Obj {
	return &ir.Obj{I: append([]int64(nil), m.I[a:a+n]...), S: append([]string(nil), m.S[a:a+n]...), R: append([]any(nil), m.R[a:a+n]...)}
}

// invoke enters a call taken earlier.
func (m *Machine) invoke(c callRec, shift, retpc int) {
	t := m.T
	if c.NilFn {
		ThrowNil()
	}
	if c.host != nil {
		m.CallHostClosure(c.host, c.cells)
		t.Pc = retpc
		return
	}
	m.Push(c.fn, shift, retpc)
	copy(m.I, c.cells.I)
	copy(m.S, c.cells.S)
	copy(m.R, c.cells.R)
}

// A RuntimeError is one of Go's own run-time panics. Two that say the same are equal, as
// those of Go are.
type RuntimeError struct{ msg string }

func (e RuntimeError) Error() string { return "runtime error: " + e.msg }
func (e RuntimeError) RuntimeError() {}
func (e RuntimeError) GoName() string {
	for _, bounds := range []string{"index out of range", "slice bounds out of range", "cannot convert slice"} {
		if strings.HasPrefix(e.msg, bounds) {
			return "runtime.boundsError"
		}
	}
	return "runtime.errorString"
}

// RuntimeErrors make errors of package runtime again, by how a saved session calls them.
var RuntimeErrors = map[string]func(text string) error{
	"runtime error":   func(text string) error { return RuntimeError{text} },
	"plain error":     func(text string) error { return plainError{text} },
	"assertion error": func(text string) error { return &typeAssertError{text} },
}

// RuntimeErrorOf is how a saved session calls an error of package runtime, and what it says.
func RuntimeErrorOf(v any) (kind, text string, ok bool) {
	switch e := v.(type) {
	case RuntimeError:
		return "runtime error", e.msg, true
	case plainError:
		return "plain error", e.msg, true
	case *typeAssertError:
		return "assertion error", e.msg, true
	}
	return "", "", false
}

// GoNamed are values of the engine that in compiled Go are of a type of that name.
type GoNamed interface{ GoName() string }

// A typeAssertError has no prefix.
type typeAssertError struct{ msg string }

func (e *typeAssertError) Error() string { return e.msg }

func (e *typeAssertError) RuntimeError() {}

func (e *typeAssertError) GoName() string { return "*runtime.TypeAssertionError" }

// ScriptPanic carries a panic of the script through the slow paths up to the
// loop.
type ScriptPanic struct {
	val    any
	goexit bool
	trace  []int    // where it was first raised, if not here
	of     *Machine // whose function panicked, below one of the host
}

func (p *ScriptPanic) Value() any        { return p.val }
func (p *ScriptPanic) Goexits() bool     { return p.goexit }
func (p *ScriptPanic) Where() []int      { return p.trace }
func (p *ScriptPanic) Machine() *Machine { return p.of }

func Goexit() { panic(&ScriptPanic{goexit: true}) }

// Format prints the value of the panic: host code may recover it, to print it.
func (p *ScriptPanic) Format(s fmt.State, verb rune) { Above.FormatPanic(p, s, verb) }

func Throw(v any) { panic(&ScriptPanic{val: v}) }

func Throwf(f string, a ...any) { Throw(RuntimeError{fmt.Sprintf(f, a...)}) }

func ThrowPlain(f string, a ...any) { Throw(plainError{fmt.Sprintf(f, a...)}) }

func ThrowAssert(text string) { Throw(&typeAssertError{text}) }

func ThrowNil() { Throwf("invalid memory address or nil pointer dereference") }

// plainError is a runtime.Error without the prefix.
type plainError struct{ msg string }

func (e plainError) Error() string { return e.msg }
func (e plainError) RuntimeError() {}
func (e plainError) GoName() string {
	if strings.HasPrefix(e.msg, "hash of unhashable type") {
		return "maps.unhashableTypeError"
	}
	return "runtime.plainError"
}
