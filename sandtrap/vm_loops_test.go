package sandtrap

import (
	"strings"
	"testing"
)

// TestVMTicksOfLoops: an iteration is one tick however it ends, and a call is one.
func TestVMTicksOfLoops(t *testing.T) {
	const n = 1000
	for _, tc := range []struct {
		name, body string
		want       int64 // a thousand times round, beside what is around it
	}{
		{"for", `for i := 0; i < 1000; i++ { s += i }`, n},
		{"range over a number", `for i := range 1000 { s += i }`, n},
		{"continue", `for i := range 1000 { if i%3 == 0 { continue }; if i%7 == 0 { s++ } else if s > 5 { s-- } else { s += 2 } }`, n},
		{"break of an inner loop", `for i := range 500 { for k := 0; ; k++ { if k == 2 { break }; s += i } }`, 3 * n / 2},
		{"condition at the end", `i := 0; for { i++; if i == 1000 { break } }`, n},
		{"switch", `for i := range 1000 { switch { case i%2 == 0: continue; case i%3 == 0: s++; default: s-- } }`, n},
		{"goto", `i := 0; again: if i++; i < 1000 { goto again }`, n},
		{"call", `for i := range 500 { s = id(s + i) }`, n},
		{"range over a slice", `for i, x := range make([]int, 1000) { s += i + x }`, n},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nfunc id(x int) int { return x }\nfunc main() { s := id(0); " + tc.body + "; _ = s }\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Ticks < tc.want-10 || res.Ticks > tc.want+10 {
				t.Errorf("%d ticks, %v, want about %d", res.Ticks, e, tc.want)
			}
			if _, e := onVM(t, Limits{Ticks: tc.want - 10}, src); e == nil || !strings.Contains(e.Message, "ticks") {
				t.Errorf("with fewer ticks: %v", e)
			}
		})
	}
}
