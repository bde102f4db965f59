package sandtraptest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPanicText: a panic that nobody recovers has Go's text, the line it came
// from, and the frames of the functions whose deferred calls were at work.
func TestPanicText(t *testing.T) {
	const decls = `package main
import ("errors"; "fmt")
var _, _ = errors.New, fmt.Sprint
type Err struct{ Code int }
func (e *Err) Error() string { return fmt.Sprint("code ", e.Code) }
type Str string
type Name int
func (n Name) String() string { return "name" }
func main() {
`
	for _, tc := range []struct {
		name, body, text string
		line             int
		funcs            []string
	}{
		{"error", "panic(&Err{3})", "code 3", 10, []string{"main.main"}},
		{"Stringer", "panic(Name(1))", "name", 10, []string{"main.main"}},
		{"string type", `panic(Str("a\nb"))`, "main.Str(\"a\n\tb\")", 10, []string{"main.main"}},
		{"from a deferred call", "defer func() {\npanic(\"b\") }()\npanic(\"a\")", "a\n\tpanic: b", 11, []string{"main.main.func1", "main.main"}},
		{"three", "defer func() { defer func() { panic(\"c\") }(); panic(\"b\") }()\npanic(\"a\")", "a\n\tpanic: b\n\tpanic: c", 10, []string{"main.main.func1.1", "main.main.func1", "main.main"}},
		{"after one that is over", "defer func() { panic(\"b\") }()\ndefer func() { recover() }()\npanic(\"a\")", "b", 10, []string{"main.main.func1", "main.main"}},
		{"within one that is not", "defer func() { defer func() { panic(\"c\") }(); func() { defer func() { recover() }(); panic(\"b\") }() }()\npanic(\"a\")", "a\n\tpanic: c", 10, []string{"main.main.func1.1", "main.main.func1", "main.main"}},
		{"from a deferred nil", "var f func()\ndefer f()\npanic(1)", "1\n\tpanic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]", 12, []string{"main.main"}},
		{"the same twice", "defer func() { panic(\"b\") }()\nfor range 2 { defer func() { panic(\"a\") }() }\npanic(\"a\")", "a\n\tpanic: b", 10, []string{"main.main.func1", "main.main"}},
		{"again and again", "for range 2 { defer func() { panic(recover()) }() }\npanic(\"a\")", "a [recovered, repanicked]", 10, []string{"main.main.func1", "main.main"}},
		{"again", "defer func() { panic(recover()) }()\npanic(\"a\")", "a [recovered, repanicked]", 10, []string{"main.main.func1", "main.main"}},
		{"wrapped", "defer func() { panic(fmt.Errorf(\"w: %w\", recover().(error))) }()\npanic(errors.New(\"in\"))", "in [recovered]\n\tpanic: w: in", 10, []string{"main.main.func1", "main.main"}},
		{"index", "var xs []int\nprintln(xs[len(xs)+2])", "runtime error: index out of range [2] with length 0", 11, []string{"main.main"}},
		{"nil array", "var p *[3]int\nprintln(p[1])", "runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]", 11, []string{"main.main"}},
		{"nil array, then another", "defer func() {\npanic(\"b\") }()\nvar p *[3]int\nprintln(p[1])", "runtime error: invalid memory address or nil pointer dereference\n\tpanic: b\n[signal SIGSEGV: segmentation violation]", 11, []string{"main.main.func1", "main.main"}},
		{"nil interface", "var e error\n_ = e.Error", "runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]", 11, []string{"main.main"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pure()
			p.Engine = "vm"
			box, err := sandtrap.New(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			res, err := box.Run(context.Background(), sandtrap.Script{Text: decls + tc.body + "\n}\n"})
			if res == nil || res.Error == nil {
				t.Fatalf("got %v, want a panic", err)
			}
			var funcs []string
			for _, f := range res.Error.Stack {
				funcs = append(funcs, f.Func)
			}
			text := strings.TrimPrefix(res.Error.Message, "panic: ")
			if text != tc.text || res.Error.Pos.Line != tc.line || !slices.Equal(funcs, tc.funcs) {
				t.Errorf("got %q in line %d of %v, want %q in line %d of %v", text, res.Error.Pos.Line, funcs, tc.text, tc.line, tc.funcs)
			}
		})
	}
}
