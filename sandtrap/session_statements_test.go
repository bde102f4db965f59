package sandtrap_test

import (
	"fmt"
	"testing"
)

// TestSessionStatements: what later cells can call of one stays when its statements are over, with other cells in the
// place that those had.
func TestSessionStatements(t *testing.T) {
	s := newSession(t, nil)
	runSteps(t, s, []step{
		{"n := 0\nadd := func(k int) func() int { return func() int { n += k; return n } }\nby2 := add(2)", ""},
		{"package main\n\nfunc main() { n += 100 }", ""},
		{"m := main\nagain := func() { main() }", ""},
		{"type T struct{ v int }\nfunc (t T) Get() int { return t.v + n }\nget := T{1}.Get", ""},
	})
	for i := range 20 {
		runCell(t, s, fmt.Sprintf("v%d := %d\nfor range 3 { v%d++ }\nfmt.Sprint(v%d, %q)", i, i, i, i, fmt.Sprint("text", i)))
	}
	runSteps(t, s, []step{
		{"n", "= 100"}, {"m(); again(); main(); n", "= 400"}, {"by2()", "= 402"}, {"add(5)()", "= 407"}, {"get()", "= 408"}, {"T{1}.Get()", "= 408"},
		{"v0 + v19", "= 25"},
	})
}
