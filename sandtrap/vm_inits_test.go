package sandtrap

import "testing"

// TestVMInitialisers: what initialises packages is left out only where it does nothing.
func TestVMInitialisers(t *testing.T) {
	for _, tc := range []struct {
		name, decls, out string
		kind             Kind
	}{
		{"nothing to do", ``, "main", ""},
		{"a value", `var x = 7`, "main", ""},
		{"a call for nothing but what it does", `var _ = say("var ")`, "var main", ""},
		{"a function of the host's", `var _, _ = fmt.Print("host ")`, "host main", ""},
		{"init", `func init() { say("init ") }`, "init main", ""},
		{"through nil", "var p *int\nvar _ = *p", "", KindPanic},
		{"a receive that waits", "var c chan int\nvar _ = <-c", "", KindDeadlock},
		{"an assertion that fails", "var v any\nvar _ = v.(int)", "", KindPanic},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport \"fmt\"\n" + tc.decls + "\nfunc say(s string) int { fmt.Print(s); return 0 }\nfunc main() { say(\"main\") }\n"
			res, e := onVM(t, Limits{}, src)
			kind := Kind("")
			if e != nil {
				kind = e.Kind
			}
			if res.Stdout != tc.out || kind != tc.kind {
				t.Errorf("got %q and %v, want %q and %s", res.Stdout, e, tc.out, tc.kind)
			}
		})
	}
}
