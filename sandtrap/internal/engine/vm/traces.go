package vm

import (
	"cmp"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// maxTraces is how many tasks a deadlock is told of.
const maxTraces = 50

// deadlock ends a run in which nothing can go on.
func (m *machine) deadlock() {
	text := "all goroutines are asleep - deadlock!"
	if m.main.dead {
		text = "no goroutines (main called runtime.Goexit) - deadlock!"
	}
	m.stop = &stopped{reason: "deadlock", text: text, tasks: m.traces()}
}

// traces tells of the tasks that have not ended, in the order in which they were
// started.
func (m *machine) traces() []engine.Task {
	tasks := slices.SortedFunc(slices.Values(m.alive), func(a, b *task) int { return cmp.Compare(a.id, b.id) })
	list := make([]engine.Task, 0, min(len(tasks), maxTraces))
	for _, t := range tasks[:min(len(tasks), maxTraces)] {
		list = append(list, m.traced(t, t.waitFor))
	}
	return list
}

// traced tells of one task. What it waits for is Go's word.
func (m *machine) traced(t *task, state string) engine.Task {
	out := engine.Task{ID: t.id, State: state}
	if !t.dead {
		out.Stack = m.frames(m.trace(t))
	}
	if t.creator > 0 {
		out.Creator = t.creator
		if at := m.frames([]int{t.from - 1}); len(at) > 0 {
			out.Created = at[0]
		}
	}
	return out
}

// running tells of the task that a panic with this trace ended the run in.
func (m *machine) running(trace []int) []engine.Task {
	if m.t == nil {
		return nil
	}
	t := m.traced(m.t, "running")
	if trace != nil {
		t.Stack = m.frames(trace)
	}
	return []engine.Task{t}
}
