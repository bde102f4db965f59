package exec

import "testing"

// TestStackLeavesNothing: what a run had on its stack is not there for the next one.
func TestStackLeavesNothing(t *testing.T) {
	s := newStack()
	for i := range s.I {
		s.I[i], s.S[i], s.R[i] = 7, "secret", new(int)
	}
	for i := range s.Frames {
		s.Frames[i] = frame{1, 2}
	}
	owner := &Task{stack: s}
	owner.Leave()
	if owner.I != nil || owner.S != nil || owner.R != nil || owner.Frames != nil {
		t.Error("a task that is over still has its stack")
	}
	for i := range s.I {
		if s.I[i] != 0 || s.S[i] != "" || s.R[i] != nil {
			t.Fatalf("cell %d holds %d, %q, %v after the run", i, s.I[i], s.S[i], s.R[i])
		}
	}
	for i, f := range s.Frames {
		if f != (frame{}) {
			t.Fatalf("frame %d is %v after the run", i, f)
		}
	}
}
