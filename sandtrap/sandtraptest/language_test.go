package sandtraptest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestReservedNames: a name that belongs to gates is refused where it stands, in
// every position.
func TestReservedNames(t *testing.T) {
	for _, tc := range []struct {
		name, line string // the third line of a program
		column     int
	}{
		{"variable", "var __stx = 1", 5}, {"constant", "const __stC = 1", 7}, {"type", "type __st1 int", 6},
		{"alias", "type __stA = int", 6}, {"function", "func __st() {}", 6}, {"method", "func (t T) __stTick() {}", 12},
		{"receiver", "func (__st T) M() {}", 7}, {"parameter", "func f(__st int) {}", 8}, {"result", "func f() (__st int) { return }", 11},
		{"type parameter", "func f[__stT any](x __stT) {}", 8}, {"field", "type S struct{ __stF int }", 16},
		{"interface method", "type I interface{ __stM() }", 19}, {"label", "func f() { __stL: for { break __stL } }", 12},
		{"goto", "func f() { goto __st1 }", 17}, {"selector", "var x = t.__stB0", 11}, {"key", "var x = T2{__stK: 1}", 12},
		{"call of a gate", "func f() { __st.Tick() }", 12}, {"other case", "var __ST_x = 1", 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(sandtrap.Policy{}, "package main\ntype T int\n"+tc.line+"\nfunc main() {}")
				if !errors.Is(err, sandtrap.KindRejected) || res.Error.Pos.Line != 3 || res.Error.Pos.Column != tc.column || !strings.Contains(res.Error.Message, "reserved") {
					b.Errorf("error %v, want a rejection at 3:%d", err, tc.column)
				}
			})
		})
	}
}

// TestRefusedConstructs: what has no place in a sandbox is refused by its name.
func TestRefusedConstructs(t *testing.T) {
	for _, tc := range []struct{ name, src, says string }{
		{"dot import", "package main\nimport . \"strings\"\nfunc main() { ToUpper(\"\") }", "dot import"},
		{"blank import", "package main\nimport _ \"strings\"\nfunc main() {}", "blank import"},
		{"cgo", "package main\n// int x;\nimport \"C\"\nfunc main() { _ = C.x }", "cgo"},
		{"unsafe", "package main\nimport \"unsafe\"\nfunc main() { _ = unsafe.Pointer(nil) }", "unsafe"},
		{"linkname", "package main\n//go:linkname now time.now\nfunc now()\nfunc main() {}", "go:linkname"},
		{"embed", "package main\n//go:embed x\nvar x string\nfunc main() {}", "go:embed"},
		{"wasm", "package main\n//go:wasmimport a b\nfunc f()\nfunc main() {}", "go:wasmimport"},
		{"no body", "package main\nfunc f() int\nfunc main() { f() }", "no body"},
		{"finaliser", "package main\nimport \"runtime\"\nfunc main() { x := new(int); runtime.SetFinalizer(x, func(*int) {}) }", "runtime"},
		{"cleanup", "package main\nimport \"runtime\"\nfunc main() { x := new(int); runtime.AddCleanup(x, func(int) {}, 1) }", "runtime"},
		{"finaliser, snippet", "x := new(int)\nruntime.SetFinalizer(x, func(*int) {})", "runtime"},
		{"weak pointers", "package main\nimport \"weak\"\nfunc main() { x := new(int); _ = weak.Make(x) }", "weak"},
		{"reflection that makes types", "package main\nimport \"reflect\"\nfunc main() { reflect.StructOf(nil) }", "reflect.StructOf"},
		{"reflection past types", "package main\nimport \"reflect\"\nfunc main() { reflect.NewAt(reflect.TypeOf(1), nil) }", "reflect.NewAt"},
		{"plug-ins", "package main\nimport \"plugin\"\nfunc main() { plugin.Open(\"x\") }", "plugin"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(pure(), tc.src)
				if !errors.Is(err, sandtrap.ErrRefused) || engineRefused(res) || !strings.Contains(err.Error(), tc.says) || res.Error.Pos.Line == 0 {
					b.Errorf("error %v, want a refusal that says %s", err, tc.says)
				}
			})
		})
	}
}

// TestShadowing: a script may call its own things by Go's names; the gates do not
// notice.
func TestShadowing(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      error
	}{
		{"len", "len := func(s string) int { return 1 << 20 }\nx := len(\"a\")", nil},
		{"types", "package main\ntype int string\ntype bool string\ntype any struct{}\nvar true, false, nil = 1, 2, 3\nfunc main() {}", nil},
		{"recover", "func recover() any { return 1 }\nfunc f() { defer func() { recover() }(); for {} }\nf()", sandtrap.KindTicks},
		{"panic", "func panic(any) {}\nfor { panic(1) }", sandtrap.KindTicks},
		{"make", "func make(n int) []byte { return nil }\nfor { make(1 << 40) }", sandtrap.KindTicks},
		{"print", "func println(string) {}\nprintln(\"not printed\")", nil},
		{"package", "fmt := 1\nx := fmt + 1", nil},
		{"main's names", "Tick, Recover, Echo, B0 := 1, 2, 3, 4\nfor { Tick += Recover + Echo + B0 }", sandtrap.KindTicks},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Limits.Ticks = 1000
				res, err := b.RunOnce(p, tc.src)
				if b.RefusedByEngine(res) {
					return
				}
				if !errors.Is(err, tc.want) || res.Stderr != "" {
					b.Errorf("error %v, want %v; stderr %q", err, tc.want, res.Stderr)
				}
			})
		})
	}
}
