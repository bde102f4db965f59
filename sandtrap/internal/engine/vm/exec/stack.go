package exec

import (
	"fmt"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A stack holds the registers of a task, by bank, and where its calls return to.
type stack struct {
	ir.Obj
	Frames []frame
}

// firstCells and firstFrames are the size of a stack that has not grown.
const (
	firstCells  = Window + 64
	firstFrames = 16
)

func newStack() stack {
	return stack{
		Obj:    ir.Obj{I: make([]int64, firstCells), S: make([]string, firstCells), R: make([]any, firstCells)},
		Frames: make([]frame, firstFrames),
	}
}

// Where there are many tasks, those that wait keep the cells in use alone; the rest of
// their stacks, which all are as long as the loop needs them, goes to those that run.
const fewTasks = 64

// cellsFor gives t, which goes on, a stack, and takes that of the task before it.
func (m *Machine) cellsFor(t *Task) {
	last := m.WindowOf
	if last == t {
		return
	}
	if last != nil && len(m.Alive) > fewTasks {
		m.parkStack(last)
	}
	if len(t.I) < firstCells {
		m.unparkStack(t)
	}
}

// parkStack leaves t what is in use of its stack, unless frames of the host know of the rest.
func (m *Machine) parkStack(t *Task) {
	n := m.cellsInUse(t)
	if t.dead || n < 0 || len(t.I) != firstCells || len(t.callbacks) > 0 || t.driver != nil {
		return
	}
	if t.kept == nil || len(t.kept.I) < n {
		m.Alloc(ir.ObjBytes + int64(n)*CellBytes)
		t.kept = Follow(m, ir.NewObj(n, ir.BankI|ir.BankS|ir.BankR, 1))
	}
	k := t.kept
	copy(k.I, t.I[:n])
	copy(k.S, t.S)
	copy(k.R, t.R)
	m.takeCells(t)
	t.I, t.S, t.R = k.I, k.S, k.R
}

// cellsInUse is how many cells t needs, or -1 if that cannot be told.
func (m *Machine) cellsInUse(t *Task) int {
	if t.Start != nil {
		return 0
	}
	n := -1
	for _, pc := range [2]int{t.Pc - 1, t.Pc} { // it may be about to enter a function
		if f := m.P.FuncAt(pc); f != nil && pc >= len(ir.FirstExts) {
			n = max(n, t.Base+f.Nregs)
		}
	}
	return min(n, len(t.I))
}

// takeCells takes those of a task, of which nothing is left.
func (m *Machine) takeCells(t *Task) {
	if len(t.I) == firstCells {
		s := &ir.Obj{I: t.I, S: t.S, R: t.R}
		wipe(s)
		m.spares = append(m.spares, s)
	}
	t.I, t.S, t.R = nil, nil, nil
	if m.WindowOf == t {
		m.WindowOf = nil
	}
}

// unparkStack gives t a stack with what it has kept.
func (m *Machine) unparkStack(t *Task) {
	var s Bank
	if n := len(m.spares); n > 0 {
		s, m.spares[n-1] = m.spares[n-1], nil
		m.spares = m.spares[:n-1]
	} else {
		m.Alloc(ir.ObjBytes + firstCells*CellBytes)
		s = Follow(m, ir.NewObj(firstCells, ir.BankI|ir.BankS|ir.BankR, 1))
	}
	if k := t.kept; k != nil {
		copy(s.I, k.I)
		copy(s.S, k.S)
		copy(s.R, k.R)
		wipe(k)
	}
	t.I, t.S, t.R = s.I, s.S, s.R
	m.WindowOf = nil
}

// defaultDepth bounds the calls of one task that are nested, and their memory those of all.
const defaultDepth = 1 << 21

// beneath is how many frames are none of those: the first one is not used, the second calls
// what is to be initialised, and main.
const beneath = 2

// moreFrames makes room for calls in t, as many as may be.
func (m *Machine) moreFrames(t *Task) {
	n := min(2*len(t.Frames), m.maxFrames)
	if n == len(t.Frames) {
		m.Halt(tooDeep(n - beneath))
	}
	m.Alloc(int64(n-len(t.Frames)) * frameBytes)
	Follow(m, t)
	t.Frames = grown(m, t.Frames, n)
}

// maxStack bounds the cells of one task's stack.
const maxStack = 16 << 20

func tooDeep(limit int) *Stopped {
	return &Stopped{Reason: "depth", Text: fmt.Sprintf("stack overflow: calls are nested too deep: the limit is %d, or what fits the stack", limit)}
}

// A recursion that does not end takes all memory before it is too deep, where its frames are
// wide, or each call keeps something. Such a stop is one for its depth if the stack has its share
// of the memory.
const (
	manyCalls  = 1000
	stackShare = 4 // of the limit, at least the fourth part
)

// overflow is the stop to report for one of the meter's.
func (m *Machine) overflow(stop *gates.Stop) *gates.Stop {
	t := m.last()
	if stop.Reason != gates.Memory || t == nil || t.Fp < manyCalls {
		return stop
	}
	if held := int64(len(t.I))*CellBytes + int64(len(t.Frames))*frameBytes; held < m.Live.Limit/stackShare {
		return &gates.Stop{Reason: gates.Memory, Message: fmt.Sprintf("%s; %d calls are nested", stop.Message, t.Fp)}
	}
	return &gates.Stop{Reason: gates.Depth, Message: fmt.Sprintf("stack overflow: %d calls are nested, and their frames take the memory: %s", t.Fp, stop.Message)}
}

// stacks keeps those of main tasks from one run to another, empty.
var stacks = sync.Pool{New: func() any { s := newStack(); return &s }}

// Leave takes the stack from a task that is over. Nothing of it is left for the
// next one that gets it.
func (t *Task) Leave() {
	s := t.stack
	t.stack = stack{}
	if len(s.I) != firstCells || cap(s.Frames) != firstFrames {
		return
	}
	s.Frames = s.Frames[:firstFrames]
	wipe(&s.Obj)
	clear(s.Frames)
	stacks.Put(&s)
}

// wipe leaves nothing in the cells of o.
func wipe(o *ir.Obj) {
	clear(o.I)
	clear(o.S)
	clear(o.R)
}
