package sandtrap

import "testing"

// BenchmarkCompilePolicy is what a policy with all packages costs, in a host once and in each
// new worker.
func BenchmarkCompilePolicy(b *testing.B) {
	b.ReportAllocs()
	policy := Policy{Std: StdDefault()}
	for b.Loop() {
		if _, err := Compile(policy); err != nil {
			b.Fatal(err)
		}
	}
}
