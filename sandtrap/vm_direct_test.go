package sandtrap

import "testing"

// TestVMHostPanics: a panic in a function of the host that is called directly is a panic
// of the script, also where the host called the script.
func TestVMHostPanics(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"recovered", `defer func() { fmt.Print(recover()) }(); strings.Repeat("x", -1)`, "strings: negative Repeat count"},
		{"in a callback", `
			defer func() { fmt.Print(recover(), " ", len(strings.Repeat("x", 3))) }()
			sort.Slice([]int{2, 1}, func(i, j int) bool { return strings.Repeat("x", i-j-2) == "" })`, "strings: negative Repeat count 3"},
		{"recovered in a callback", `
			a := []int{3, 1, 2}
			sort.Slice(a, func(i, j int) bool { defer func() { recover() }(); strings.Repeat("x", -1); return false })
			fmt.Print(a)`, "[3 1 2]"},
		{"of a method", `
			defer func() { fmt.Print(recover()) }()
			var b strings.Builder
			b.WriteString("x")
			c := b
			c.WriteByte('y')`, "strings: illegal use of non-zero Builder copied by value"},
		{"the script's own after it", `
			func() { defer func() { recover() }(); strings.Repeat("x", -1) }()
			defer func() { fmt.Print(recover()) }()
			var p *int
			*p = 1`, "runtime error: invalid memory address or nil pointer dereference"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"sort\"; \"strings\")\nvar _ = sort.Slice\nfunc main() {" + tc.body + "\n}\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, e, tc.want)
			}
		})
	}
}
