package vm

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// panicRec is a panic, or a Goexit, on its way up.
type panicRec struct {
	val       any
	goexit    bool
	thenExit  bool // it took the place of a Goexit
	recovered bool
	over      bool // recovered, and the call that did has returned: others of its frame follow
	at        int  // depth of the frame whose deferred calls run
	pc        int  // where that frame was
	callDepth int  // depth of the deferred call that may recover, or -1
	trace     []int
	earlier   *panicRec // the latest of those whose place it took
	oldest    *panicRec // the first of them, or itself
}

// raise starts a panic in the current task. A deferred call that panics before it has a
// frame starts the next: there can be many, so they do not nest.
func (m *machine) raise(p *scriptPanic) {
	for p != nil {
		p = m.raiseOne(p)
	}
}

func (m *machine) raiseOne(p *scriptPanic) (next *scriptPanic) {
	defer func() { next = m.thrown(recover()) }()
	t := m.t
	m.passing = nil
	r := &panicRec{val: p.val, goexit: p.goexit, at: -1, callDepth: -1, trace: p.trace}
	r.oldest = r
	m.alloc(panicBytes)
	follow(m, r)
	m.charge(errorBytes)
	if n := len(t.panics); n > 0 && t.panics[n-1].at == t.fp {
		t.displace(r)
	}
	if r.trace == nil {
		r.trace = m.trace(t)
	}
	t.panics = append(t.panics, r)
	m.unwind()
	return nil
}

// displace ends the latest panic, which had made the deferred call that p comes from.
func (t *task) displace(p *panicRec) {
	n := len(t.panics)
	old := t.panics[n-1]
	p.thenExit = p.thenExit || old.goexit || old.thenExit
	if !old.over {
		p.oldest.earlier, p.oldest = old, old.oldest
	}
	t.pc = old.pc
	t.panics = t.panics[:n-1]
}

// trace is the pcs of the frames, innermost first, those below callbacks of host
// code too.
func (m *machine) trace(t *task) []int {
	pcs := []int{t.at()}
	under, back := len(t.panics)-1, len(t.backs)
	for k := t.fp; k > 0 && len(pcs) < 100; k-- {
		pc := int(t.frames[k].pc)
		switch {
		case pc == pcUnwind && under >= 0:
			pc = t.panics[under].pc // the frame whose deferred call this is
			under--
		case pc == pcBack && back > 0:
			back--
			pc = t.backs[back].pc
		}
		pcs = append(pcs, pc-1)
	}
	return pcs
}

// at is the pc of what t does. A tick is due when a loop has gone back to its start, or a
// function has been entered: what comes next is in it, what came before need not be.
func (t *task) at() int {
	if t.ticked {
		return t.pc
	}
	return t.pc - 1
}

// unwind goes on with the latest panic: the next deferred call, or one frame
// up.
func (m *machine) unwind() {
	t := m.t
	p := t.panics[len(t.panics)-1]
	for {
		if d := t.popDefer(t.fp); d != nil {
			p.at, p.callDepth, p.pc = t.fp, t.fp+1, t.pc
			m.view()
			m.invoke(d.call, m.shiftAt(t.pc), pcUnwind)
			return
		}
		fr := t.frames[t.fp]
		if fr.pc == pcEnd || fr.pc == pcBack {
			m.unrecovered(p)
			return
		}
		t.fp--
		t.base, t.pc = int(fr.base), int(fr.pc)
		if fr.pc == pcUnwind {
			// A deferred call made by an earlier panic: this one takes its place.
			t.panics = t.panics[:len(t.panics)-1]
			t.displace(p)
			t.panics = append(t.panics, p)
		}
	}
}

// shiftAt is the width of the window of the function that holds pc-1.
func (m *machine) shiftAt(pc int) int {
	if f := m.p.FuncAt(pc - 1); f != nil && pc > len(ir.FirstExts) {
		return f.Nregs
	}
	return window
}

// doUnwound is reached when a deferred call made by a panic returns.
func doUnwound(m *machine, _ *ir.SlowOp) {
	t := m.t
	p := t.panics[len(t.panics)-1]
	t.pc, p.callDepth = p.pc, -1
	if !p.recovered {
		m.unwind()
		return
	}
	p.over = true
	fn := m.p.FuncAt(t.pc - 1)
	if d := t.popDefer(t.fp); d != nil {
		m.invoke(d.call, fn.Nregs, pcUnwind)
		return
	}
	t.panics = t.panics[:len(t.panics)-1]
	if p.thenExit {
		m.raise(&scriptPanic{goexit: true})
		return
	}
	if fn.Recover >= 0 {
		t.pc = fn.Recover
		return
	}
	for k := range fn.Rw {
		m.I[k], m.S[k], m.R[k] = 0, "", nil
	}
	fr := t.frames[t.fp]
	t.fp--
	t.pc, t.base = int(fr.pc), int(fr.base)
}

// unrecovered ends the task, or hands the panic to the host code that made the
// callback.
func (m *machine) unrecovered(p *panicRec) {
	t := m.t
	t.panics = t.panics[:len(t.panics)-1]
	if n := len(t.backs); n > 0 {
		t.backs[n-1].done, t.backs[n-1].panic = true, p
		return
	}
	if p.goexit {
		m.endTask()
		return
	}
	m.stop = &stopped{panic: p}
}

// doTaskEnd is reached when the first function of a task returns. The main task
// runs the initialisers of the packages first.
func doTaskEnd(m *machine, _ *ir.SlowOp) {
	if m.t == m.main && m.initialised < len(m.p.Inits) {
		m.initialised++
		m.push(m.p.Begins(m.initialised), 0, pcEnd)
		return
	}
	m.endTask()
}

func (m *machine) endTask() {
	t := m.t
	t.dead = true
	if t.atEnd != nil {
		t.atEnd.Do()
	}
	last := m.alive[len(m.alive)-1]
	m.alive[t.slot], last.slot = last, t.slot
	m.alive[len(m.alive)-1] = nil
	m.alive = m.alive[:len(m.alive)-1]
	if t != m.main {
		m.takeCells(t)
	}
	m.live.stacks -= int64(max(0, t.deepest-1)) * backBytes
	m.t = nil
	if t == m.main && len(t.frames) > 0 && !m.exiting(t) {
		m.stop = &stopped{}
	}
}

// exiting reports that the main task ended by Goexit: the others go on.
func (m *machine) exiting(t *task) bool { return t.fp > 0 }

func (t *task) popDefer(depth int) *deferRec {
	for k := len(t.defers) - 1; k >= 0; k-- {
		d := t.defers[k]
		if d.depth == depth {
			t.defers = append(t.defers[:k], t.defers[k+1:]...)
			return d
		}
		if d.depth < depth && !t.mixed {
			return nil
		}
	}
	return nil
}

func doRunDefers(m *machine, _ *ir.SlowOp) {
	t := m.t
	if d := t.popDefer(t.fp); d != nil {
		m.invoke(d.call, m.shiftAt(t.pc), t.pc-1)
	}
}

// spawn starts a task.
func (m *machine) spawn(c callRec) {
	t := m.newTask()
	m.runq.push(t)
	if c.host != nil {
		t.start = &hostStart{m, c.host, c.cells}
		return
	}
	cur := m.t
	m.t = t
	m.unstow(t)
	m.view()
	m.invoke(c, 0, pcEnd)
	if len(m.alive) > fewTasks {
		m.stow(t)
	}
	if m.t = cur; cur != nil {
		m.view()
	}
}

// later takes a call whose arguments are in place out of the window.
func (m *machine) later(x *ir.SlowOp) callRec {
	c := callRec{fn: x.Fn, n: int(x.N)}
	if x.Ok {
		v := m.R[x.B]
		if v == nil {
			throwNil()
		}
		f, ok := v.(*Iface)
		if !ok {
			c.host = m.hostMethod(v, x.C)
			c.cells = m.cut(x.A+1, c.n-1)
			return c
		}
		c.fn = m.funcEntry(f.T.Entries[x.C])
		m.I[x.A], m.S[x.A], m.R[x.A] = f.I, f.S, f.R
	}
	if x.D == 1 {
		clo, _ := m.R[x.A+c.n-1].(*ir.Closure)
		switch {
		case clo == nil:
			c.nilFn = true
		case clo.Fn == nil:
			c.host = clo
		default:
			c.fn = clo.Fn
		}
	}
	c.cells = m.cut(x.A, c.n)
	return c
}

func (m *machine) funcEntry(pc int32) *ir.Func { return m.p.FuncAt(int(pc)) }

func (m *machine) cut(a, n int) *ir.Obj {
	return &ir.Obj{I: append([]int64(nil), m.I[a:a+n]...), S: append([]string(nil), m.S[a:a+n]...), R: append([]any(nil), m.R[a:a+n]...)}
}

// invoke enters a call taken earlier.
func (m *machine) invoke(c callRec, shift, retpc int) {
	t := m.t
	if c.nilFn {
		throwNil()
	}
	if c.host != nil {
		m.callHostClosure(c.host, c.cells)
		t.pc = retpc
		return
	}
	m.push(c.fn, shift, retpc)
	copy(m.I, c.cells.I)
	copy(m.S, c.cells.S)
	copy(m.R, c.cells.R)
}

// A runtimeError is one of Go's own run-time panics. Two that say the same are equal, as
// those of Go are.
type runtimeError struct{ msg string }

func (e runtimeError) Error() string { return "runtime error: " + e.msg }
func (e runtimeError) RuntimeError() {}
func (e runtimeError) goName() string {
	for _, bounds := range []string{"index out of range", "slice bounds out of range", "cannot convert slice"} {
		if strings.HasPrefix(e.msg, bounds) {
			return "runtime.boundsError"
		}
	}
	return "runtime.errorString"
}

// runtimeErrors make errors of package runtime again, by how a saved session calls them.
var runtimeErrors = map[string]func(text string) error{
	"runtime error":   func(text string) error { return runtimeError{text} },
	"plain error":     func(text string) error { return plainError{text} },
	"assertion error": func(text string) error { return &typeAssertError{text} },
}

// runtimeErrorOf is how a saved session calls an error of package runtime, and what it says.
func runtimeErrorOf(v any) (kind, text string, ok bool) {
	switch e := v.(type) {
	case runtimeError:
		return "runtime error", e.msg, true
	case plainError:
		return "plain error", e.msg, true
	case *typeAssertError:
		return "assertion error", e.msg, true
	}
	return "", "", false
}

// goNamed are values of the engine that in compiled Go are of a type of that name.
type goNamed interface{ goName() string }

// A typeAssertError has no prefix.
type typeAssertError struct{ msg string }

func (e *typeAssertError) Error() string { return e.msg }

func (e *typeAssertError) RuntimeError() {}

func (e *typeAssertError) goName() string { return "*runtime.TypeAssertionError" }

// scriptPanic carries a panic of the script through the slow paths up to the
// loop.
type scriptPanic struct {
	val    any
	goexit bool
	trace  []int    // where it was first raised, if not here
	of     *machine // whose function panicked, below one of the host
}

func (p *scriptPanic) value() any        { return p.val }
func (p *scriptPanic) goexits() bool     { return p.goexit }
func (p *scriptPanic) where() []int      { return p.trace }
func (p *scriptPanic) machine() *machine { return p.of }

func goexit() { panic(&scriptPanic{goexit: true}) }

// Format prints the value of the panic: host code may recover it, to print it.
func (p *scriptPanic) Format(s fmt.State, verb rune) { above.formatPanic(p, s, verb) }

func throw(v any) { panic(&scriptPanic{val: v}) }

func throwf(f string, a ...any) { throw(runtimeError{fmt.Sprintf(f, a...)}) }

func throwPlain(f string, a ...any) { throw(plainError{fmt.Sprintf(f, a...)}) }

func throwAssert(text string) { throw(&typeAssertError{text}) }

func throwNil() { throwf("invalid memory address or nil pointer dereference") }

// plainError is a runtime.Error without the prefix.
type plainError struct{ msg string }

func (e plainError) Error() string { return e.msg }
func (e plainError) RuntimeError() {}
func (e plainError) goName() string {
	if strings.HasPrefix(e.msg, "hash of unhashable type") {
		return "maps.unhashableTypeError"
	}
	return "runtime.plainError"
}
