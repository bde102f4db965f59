package vm

import "sync"

// A stack holds the registers of a task, by bank, and where its calls return to.
type stack struct {
	Obj
	frames []frame
}

// firstCells and firstFrames are the size of a stack that has not grown.
const (
	firstCells  = window + 64
	firstFrames = 16
)

func newStack() stack {
	return stack{
		Obj:    Obj{make([]int64, firstCells), make([]string, firstCells), make([]any, firstCells)},
		frames: make([]frame, firstFrames),
	}
}

// Where there are many tasks, those that wait keep the cells in use alone; the rest of
// their stacks, which all are as long as the loop needs them, goes to those that run.
const fewTasks = 64

// cellsFor gives t, which goes on, a stack, and takes that of the task before it.
func (m *machine) cellsFor(t *task) {
	last := m.windowOf
	if last == t {
		return
	}
	if last != nil && len(m.alive) > fewTasks {
		m.stow(last)
	}
	if len(t.I) < firstCells {
		m.unstow(t)
	}
}

// stow leaves t what is in use of its stack, unless frames of the host know of the rest.
func (m *machine) stow(t *task) {
	n := m.cellsInUse(t)
	if t.dead || n < 0 || len(t.I) != firstCells || len(t.backs) > 0 || t.driver != nil {
		return
	}
	if t.kept == nil || len(t.kept.I) < n {
		m.alloc(objBytes + int64(n)*cellBytes)
		t.kept = follow(m, newObj(n, mI|mS|mR, 1))
	}
	k := t.kept
	copy(k.I, t.I[:n])
	copy(k.S, t.S)
	copy(k.R, t.R)
	m.takeCells(t)
	t.I, t.S, t.R = k.I, k.S, k.R
}

// cellsInUse is how many cells t needs, or -1 if that cannot be told.
func (m *machine) cellsInUse(t *task) int {
	if t.start != nil {
		return 0
	}
	n := -1
	for _, pc := range [2]int{t.pc - 1, t.pc} { // it may be about to enter a function
		if f := m.p.funcAt(pc); f != nil && pc >= len(firstExts) {
			n = max(n, t.base+f.nregs)
		}
	}
	return min(n, len(t.I))
}

// takeCells takes those of a task, of which nothing is left.
func (m *machine) takeCells(t *task) {
	if len(t.I) == firstCells {
		s := &Obj{t.I, t.S, t.R}
		s.wipe()
		m.spares = append(m.spares, s)
	}
	t.I, t.S, t.R = nil, nil, nil
	if m.windowOf == t {
		m.windowOf = nil
	}
}

// unstow gives t a stack with what it has kept.
func (m *machine) unstow(t *task) {
	var s bank
	if n := len(m.spares); n > 0 {
		s, m.spares[n-1] = m.spares[n-1], nil
		m.spares = m.spares[:n-1]
	} else {
		m.alloc(objBytes + firstCells*cellBytes)
		s = follow(m, newObj(firstCells, mI|mS|mR, 1))
	}
	if k := t.kept; k != nil {
		copy(s.I, k.I)
		copy(s.S, k.S)
		copy(s.R, k.R)
		k.wipe()
	}
	t.I, t.S, t.R = s.I, s.S, s.R
	m.windowOf = nil
}

// stacks keeps those of main tasks from one run to another, empty.
var stacks = sync.Pool{New: func() any { s := newStack(); return &s }}

// leave takes the stack from a task that is over. Nothing of it is left for the
// next one that gets it.
func (t *task) leave() {
	s := t.stack
	t.stack = stack{}
	if len(s.I) != firstCells || len(s.frames) != firstFrames {
		return
	}
	s.wipe()
	clear(s.frames)
	stacks.Put(&s)
}

// wipe leaves nothing in the cells of o.
func (o *Obj) wipe() {
	clear(o.I)
	clear(o.S)
	clear(o.R)
}
