package exec

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// callbackState is a call from host code into the script.
type callbackState struct {
	done  bool
	panic *PanicRec
	pc    int   // where the task was when it called the host
	level int   // how many are under it
	paid  int64 // by the host function that has called, see live.CalledBack
}

// CallbackDone is reached when a function called by host code returns.
func CallbackDone(m *Machine, _ *ir.SlowOp) {
	b := m.T.callbacks[len(m.T.callbacks)-1]
	b.done = true
}

// maxCallbacks bounds the callbacks of a task that are under way at a time. Each has frames of
// the host under it; those of the first are in the stack that the task's driver has.
const maxCallbacks = 5000

// deepen makes room for one callback more on t than it ever had, and pays for the Go
// stack that this takes.
func (m *Machine) deepen(t *Task) {
	if t.deepest >= maxCallbacks {
		m.Halt(tooDeep(maxCallbacks))
	}
	if t.deepest > 0 {
		m.Live.Stacks += callbackBytes
		m.ChargeLater(callbackBytes)
	}
	t.deepest++
}

// Callback is a function of the script that host code calls, as often as it likes
// while the frame is on top that was so when it was made.
type Callback struct {
	m        *Machine
	t        *Task
	fn       *ir.Func
	clo      *ir.Closure
	recv     *Iface  // of a method, whose receiver comes before the arguments
	unpacked *ir.Obj // the receiver's cells, if it has not one
	pc, base int
	shift    int
	cb       callbackState
}

func (m *Machine) NewCallback(fn *ir.Func, clo *ir.Closure) *Callback {
	t := m.T
	if t == nil || m.over.Load() {
		panic(engine.ErrOver)
	}
	b := m.spareCallback
	if m.spareCallback = nil; b == nil {
		b = &Callback{}
	}
	*b = Callback{m: m, t: t, fn: fn, clo: clo, pc: t.Pc, base: t.Base, shift: Window}
	if f := m.P.FuncAt(t.Pc - 1); f != nil && t.Pc > len(ir.FirstExts) {
		b.shift = f.Nregs
	}
	return b
}

// MethodCallback is a method of the script's value in an interface, by its number.
func (m *Machine) MethodCallback(v *Iface, id int) *Callback {
	b := m.NewCallback(m.FuncEntry(v.T.Entries[id]), nil)
	b.recv = v
	if o, ok := v.R.(*ir.Obj); ok && b.fn.Unpacked != nil {
		b.fn, b.unpacked = b.fn.Unpacked, o
	}
	return b
}

// Enter makes the frame; the caller puts the arguments into its first cells.
func (b *Callback) Enter() {
	m, t := b.m, b.t
	if len(t.callbacks) >= t.deepest {
		m.deepen(t)
	}
	m.Push(b.fn, b.shift, pcBack)
	if b.clo != nil {
		m.R[b.fn.Params] = b.clo
	}
	b.cb = callbackState{pc: b.pc, level: len(t.callbacks), paid: m.Live.CalledBack()}
	t.callbacks = append(t.callbacks, &b.cb)
}

// Run goes on until the function has returned: the results are the first cells of
// the machine's window until leave.
func (b *Callback) Run() {
	if !b.ran() {
		panic(HaltPanic{b.m.Stop})
	}
}

// ran is run, and false, without a panic, if a stop came before the end.
func (b *Callback) ran() bool {
	if !b.m.quick() && !b.goOn() {
		return false
	}
	b.returned()
	return true
}

// goOn takes the function to its end where the loop alone did not get there, unless a stop comes. That is time of the
// script's, of a function that the host waits for.
func (b *Callback) goOn() bool {
	m, t := b.m, b.t
	if meter := m.Host.Meter; meter != nil {
		defer meter.Back()()
	}
	held := t.driver
	t.driver = m.driver
	if b.cb.level > 0 && b.cb.level%levelsOnOneStack == 0 {
		m.loopOnNewStack(b)
	} else {
		m.loop(b)
	}
	t.driver = held
	return m.Stop == nil || b.cb.done
}

// returned shows the results, or throws what the function did.
func (b *Callback) returned() {
	m, t := b.m, b.t
	t.callbacks = t.callbacks[:len(t.callbacks)-1]
	m.T = t
	m.Live.GoesOn(b.cb.paid)
	if b.cb.panic != nil {
		t.Fp--
		b.leave()
		panic(&ScriptPanic{of: m, val: b.cb.panic.Val, goexit: b.cb.panic.Goexit, trace: b.cb.panic.trace})
	}
	base := b.base + b.shift
	m.WindowOf, m.I, m.S, m.R = t, t.I[base:], t.S[base:], t.R[base:]
}

// Less calls a function, or method, of two ints that gives a bool, or nothing. Where the stack has room the frame
// is made here, and it is a callback only if the loop alone does not get to its end.
func (b *Callback) Less(i, j int) bool {
	m, t, base := b.m, b.t, b.base+b.shift
	if t.Fp+1 >= len(t.Frames) || base+b.fn.Nregs+Window > len(t.I) || len(t.callbacks) >= t.deepest {
		b.Enter()
		b.ints(m.I, m.S, m.R, i, j)
		b.Run()
		less := m.I[0] != 0
		b.leave()
		return less
	}
	t.Fp++
	t.Frames[t.Fp] = frame{pcBack, int32(b.base)}
	t.Base, t.Pc, t.ticks = base, b.fn.Entry, m.Left
	if b.recv == nil {
		t.I[base], t.I[base+1], t.R[base+b.fn.Params] = int64(i), int64(j), b.clo
	} else {
		b.ints(t.I[base:], t.S[base:], t.R[base:], i, j)
	}
	hot(t, m.P.Words)
	m.Left = t.ticks
	if !m.callbackDone() {
		b.cb = callbackState{pc: b.pc, level: len(t.callbacks), paid: m.Live.CalledBack()}
		t.callbacks = append(t.callbacks, &b.cb)
		m.resumeCallback()
		if !b.goOn() {
			panic(HaltPanic{m.Stop})
		}
		b.returned()
	}
	less := t.I[base] != 0
	b.leave()
	return less
}

// End is leave where nothing is to be done with b after that.
func (b *Callback) End() {
	b.leave()
	b.m.spareCallback, b.t, b.clo = b, nil, nil
}

// ints puts the arguments of less into the cells of its frame.
func (b *Callback) ints(at []int64, text []string, ref []any, i, j int) {
	switch {
	case b.unpacked != nil:
		RawCopy(b.recv.T.Cells, &ir.Obj{I: at, S: text, R: ref}, 0, b.unpacked, 0)
		at = at[b.recv.T.W():]
	case b.recv != nil:
		at[0], text[0], ref[0] = b.recv.I, b.recv.S, b.recv.R
		at = at[1:]
	}
	at[0], at[1] = int64(i), int64(j)
}

// leave goes back to the frame that called the host.
func (b *Callback) leave() {
	b.t.Pc, b.t.Base = b.pc, b.base
	b.m.View()
}

// quick runs the current task as far as the loop alone gets it, and reports that
// this was the end of a callback.
func (m *Machine) quick() bool {
	m.T.ticks = m.Left
	hot(m.T, m.P.Words)
	m.Left = m.T.ticks
	if m.callbackDone() {
		return true
	}
	m.resumeCallback()
	return false
}

// callbackDone reports that the loop has come to the end of a callback.
func (m *Machine) callbackDone() bool { return m.T.Pc == pcBack+1 && !m.T.ticked }

// resumeCallback makes ready to go on where the loop has left a callback: after a tick, or with
// the instruction that it could not do.
func (m *Machine) resumeCallback() {
	if t := m.T; t.ticked {
		m.tickOut()
		t.ticked = false
	} else {
		t.Pc--
	}
}

// CallScript runs fn, called by host code, to its end and gives its results.
func (m *Machine) CallScript(fn *ir.Func, clo *ir.Closure, args *ir.Obj, n int) *ir.Obj {
	res := m.CallScriptQuietly(fn, clo, args, n)
	if res == nil {
		panic(HaltPanic{m.Stop})
	}
	return res
}

// CallScriptQuietly is callback for who looks whether a stop has come, and gives nil then: to panic
// through each of thousands of calls that are in each other takes as long as all else.
func (m *Machine) CallScriptQuietly(fn *ir.Func, clo *ir.Closure, args *ir.Obj, n int) *ir.Obj {
	res := &ir.Obj{I: make([]int64, fn.Rw), S: make([]string, fn.Rw), R: make([]any, fn.Rw)}
	if !m.calledInto(res, fn, clo, args, n) {
		return nil
	}
	return res
}

// CallScriptIn is callback with the results in the cells that the arguments were in.
func (m *Machine) CallScriptIn(fn *ir.Func, clo *ir.Closure, cells *ir.Obj, n int) {
	if !m.calledInto(cells, fn, clo, cells, n) {
		panic(HaltPanic{m.Stop})
	}
}

// calledInto runs fn with the first n cells of args, and puts the results in res. It reports false if a
// stop came.
func (m *Machine) calledInto(res *ir.Obj, fn *ir.Func, clo *ir.Closure, args *ir.Obj, n int) bool {
	was := m.Crossing
	m.ToScriptSide()
	m.passed(args.S[:min(len(args.S), n)], longText)
	b := m.NewCallback(fn, clo)
	b.Enter()
	copy(m.I, args.I[:min(len(args.I), n)])
	copy(m.S, args.S[:min(len(args.S), n)])
	copy(m.R, args.R[:min(len(args.R), n)])
	if clo != nil {
		m.R[fn.Params] = clo
	}
	if !b.ran() {
		return false
	}
	copy(res.I, m.I[:fn.Rw])
	copy(res.S, m.S[:fn.Rw])
	copy(res.R, m.R[:fn.Rw])
	b.End()
	m.passed(res.S[:fn.Rw], GivenFree)
	m.Crossing = was
	m.ToHostSide()
	return true
}

// Cells are at least n, empty, for values that cross; free takes them back.
func (m *Machine) Cells(n int) *ir.Obj {
	if o := m.spareCells; o != nil && len(o.I) >= n {
		m.spareCells = nil
		return o
	}
	return ir.NewObj(max(n, fewCells), ir.BankI|ir.BankS|ir.BankR, 1)
}

// fewCells are enough for the arguments of most functions.
const fewCells = 8

// Free takes back cells that nothing has any more, unless they are many.
func (m *Machine) Free(cells *ir.Obj) {
	if len(cells.I) <= manyCells {
		wipe(cells)
		m.spareCells = cells
	}
}

const manyCells = 64

// passed pays for texts, of so many bytes at least, that code of the host has with a callback. Of
// one that the script gave it, it may make copies: any number, where errors hold each other. One
// that it gives the script, it may keep for as long as it calls itself: a name, where a tree of
// directories has no end.
func (m *Machine) passed(texts []string, least int) {
	for _, s := range texts {
		m.passedText(len(s), least)
	}
}

func (m *Machine) passedText(n, least int) {
	if n >= least {
		m.Charge(int64(n))
	}
}
