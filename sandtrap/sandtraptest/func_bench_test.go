package sandtraptest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// BenchmarkFuncCall calls a function that a run has left: here, and in the worker that it is
// in.
func BenchmarkFuncCall(b *testing.B) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		b.Run(string(isolation), func(b *testing.B) {
			p := pure()
			p.Isolation = isolation
			box, err := sandtrap.New(b.Context(), p)
			if err != nil {
				b.Skip(err)
			}
			defer box.Close()
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "n := 0\nadd := func(k int) int { n += k; return n }"})
			if err != nil {
				b.Fatal(err)
			}
			add := res.Vars["add"].(*sandtrap.Func)
			calls := 0
			for b.Loop() {
				calls++
				if out, err := add.Call(b.Context(), 1); err != nil || out.Returned[0] != calls {
					b.Fatal(out.Returned, err)
				}
			}
		})
	}
}
