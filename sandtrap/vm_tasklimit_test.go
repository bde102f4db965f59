package sandtrap

import (
	"fmt"
	"testing"
)

// TestVMTaskLimit: a run has as many goroutines at a time as its limit says, and no more.
func TestVMTaskLimit(t *testing.T) {
	const src = "package main\nfunc main() {\n\tfor range %d {\n\t\tgo func() { select {} }()\n\t}\n}\n"
	for n, want := range map[int]Kind{8: "", 11: KindTasks} {
		_, e := onVM(t, Limits{Tasks: 10}, fmt.Sprintf(src, n))
		if got := kindOf(e); got != want {
			t.Errorf("%d goroutines beside main, of 10: %q, want %q", n, got, want)
		}
	}
}

func kindOf(e *Error) Kind {
	if e == nil {
		return ""
	}
	return e.Kind
}
