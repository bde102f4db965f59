package vm

import "sync"

// A stack holds the registers of a task, by bank, and where its calls return to.
type stack struct {
	I      []int64
	S      []string
	R      []any
	frames []frame
}

// firstCells and firstFrames are the size of a stack that has not grown.
const (
	firstCells  = window + 64
	firstFrames = 16
)

func newStack() stack {
	return stack{
		I: make([]int64, firstCells), S: make([]string, firstCells), R: make([]any, firstCells),
		frames: make([]frame, firstFrames),
	}
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
	clear(s.I)
	clear(s.S)
	for i := range s.R { // most are nil, and writing a pointer costs more than reading it
		if s.R[i] != nil {
			s.R[i] = nil
		}
	}
	clear(s.frames)
	stacks.Put(&s)
}
