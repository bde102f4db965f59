package yaegi

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
)

// What Go's run time panics with is a panic of the script here too, with Go's text
// as far as the interpreter knows the details, and the script can recover it.
var runtimePanics = []struct{ name, body, want string }{
	{"index", `s, i := []int{1, 2, 3}, 5; println(s[i])`, "runtime error: index out of range"},
	{"nil map", `var m map[string]int; m["a"] = 1`, "assignment to entry in nil map"},
	{"nil map of structs", `var m map[string]struct{ a int }; m["a"] = struct{ a int }{1}`, "assignment to entry in nil map"},
	{"nil map counted", `var m map[string]int; m["a"]++`, "assignment to entry in nil map"},
	{"nil function", `var f func() int; println(f())`, nilDereference},
	{"nil interface", `var e error; println(e.Error())`, nilDereference},
	{"nil field", `var p *struct{ a int }; println(p.a)`, nilDereference},
	{"nil field set", `var p *struct{ a int }; p.a = 1`, nilDereference},
	{"nil pointer", `var p *int; println(*p)`, nilDereference},
	{"nil pointer set", `var p *int; *p = 1`, nilDereference},
	{"nil array", `var p *[3]int; println(p[1])`, nilDereference},
	{"divide", `a, b := 1, 0; println(a / b)`, "runtime error: integer divide by zero"},
	{"modulo", `a, b := 1, 0; println(a % b)`, "runtime error: integer divide by zero"},
	{"divide assign", `a, b := 1, 0; a /= b; println(a)`, "runtime error: integer divide by zero"},
	{"assertion", `var v any = "x"; println(v.(int))`, "interface conversion: interface {} is string, not int"},
	{"assertion of nil", `var v any; println(v.(int))`, "interface conversion: interface {} is nil, not int"},
	{"missing method", `var v any = 1; println(v.(error))`, "interface conversion: int is not error: missing method Error"},
	{"map key", `m := map[any]int{}; var k any = []int{1}; m[k] = 1`, "runtime error: hash of unhashable type []int"},
	{"map key read", `m := map[any]int{}; var k any = []int{1}; println(m[k])`, "runtime error: hash of unhashable type []int"},
	{"compare", `var a, b any = []int{1}, []int{1}; println(a == b)`, "runtime error: comparing uncomparable type []int"},
	{"slice", `s, n := []int{1, 2, 3}, 7; println(len(s[:n]))`, "runtime error: slice bounds out of range"},
	{"slice string", `s, n := "abc", 7; println(s[:n])`, "runtime error: slice bounds out of range"},
	{"to array", `s := []int{1, 2}; a := [4]int(s); println(a[0])`, "runtime error: cannot convert slice with length 2 to array or pointer to array with length 4"},
	{"shift", `a, n := 1, -1; println(a << n)`, "runtime error: negative shift amount"},
	{"shift assign", `a, n := 1, -1; a >>= n; println(a)`, "runtime error: negative shift amount"},
	{"make", `n := -1; println(len(make([]int, n)))`, "runtime error: makeslice: len out of range"},
	{"host", `n := -1; println(strings.Repeat("x", n))`, "strings: negative Repeat count"},
}

const nilDereference = "runtime error: invalid memory address or nil pointer dereference"

func TestRuntimePanics(t *testing.T) {
	for _, tc := range runtimePanics {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			src := "package main\nimport \"strings\"\nvar _ = strings.Repeat\nfunc main() {\n" + tc.body + "\n}"
			o, _, _, _ := runSource(t, src, gates.Limits{})
			if o.Panic == nil {
				t.Fatalf("outcome %+v, want a panic", o)
			}
			if !strings.HasPrefix(o.Panic.Text, tc.want) {
				t.Errorf("the text is %q, want %q", o.Panic.Text, tc.want)
			}
		})
	}
}

func TestRuntimePanicsRecovered(t *testing.T) {
	for _, tc := range runtimePanics {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			src := "package main\nimport (\"fmt\"; \"strings\")\nvar _ = strings.Repeat\n" +
				"func f() (err error) {\n" +
				"defer func() { if r := recover(); r != nil { if e, ok := r.(error); ok { err = e } else { err = fmt.Errorf(\"%v\", r) } } }()\n" +
				tc.body + "\nreturn nil }\nfunc main() { fmt.Print(f()) }"
			o, f, _, _ := runSource(t, src, gates.Limits{})
			if o.Panic != nil || o.Fault != nil || o.Stop != nil {
				t.Fatalf("outcome %+v, want none", o)
			}
			if got := f.stdout.String(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("recovered %q, want %q", got, tc.want)
			}
		})
	}
}
