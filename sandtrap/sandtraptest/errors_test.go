package sandtraptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNothingRunsBeforeTheCheck: an error in line 40 stops the 39 lines before it
// from having any effect.
func TestNothingRunsBeforeTheCheck(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		kind       sandtrap.Kind
	}{
		{"unknown function", "note(missing(1))", sandtrap.KindType},
		{"wrong type", `note("x")`, sandtrap.KindType},
		{"denied member", `os.Getenv("HOME")`, sandtrap.KindDenied},
		{"denied package", `exec.Command("ls")`, sandtrap.KindDenied},
		{"reserved name", "__st_x := 1", sandtrap.KindRejected},
		{"syntax", "note(1", sandtrap.KindSyntax},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				calls := 0
				p := pure()
				p.Funcs = map[string]any{"note": func(int) { calls++ }}
				src := map[int]string{40: tc.line}
				for i := 1; i < 40; i++ {
					src[i] = fmt.Sprintf("note(%d); fmt.Println(%d)", i, i)
				}
				res, err := b.RunOnce(p, numbered(40, src))
				if !errors.Is(err, sandtrap.ErrRefused) || res.Error.Kind != tc.kind || res.Error.Pos.Line != 40 {
					b.Errorf("error %v, want a refusal of kind %s in line 40", err, tc.kind)
				}
				if calls != 0 || res.Stdout != "" || res.Ticks != 0 || len(res.Vars) != 0 || len(res.Echo) != 0 {
					b.Errorf("%d calls, result %+v, want that nothing ran", calls, res)
				}
			})
		})
	}
}

// TestEveryError: Err values match by errors.Is, the *Error is found by errors.As,
// and a refusal has a position.
func TestEveryError(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		limits    sandtrap.Limits
		want      error
		group     error
	}{
		{name: "syntax", src: "x := := 1", want: sandtrap.KindSyntax, group: sandtrap.ErrRefused},
		{name: "rejected", src: "__st := 1", want: sandtrap.KindRejected, group: sandtrap.ErrRefused},
		{name: "type", src: "var n int = \"x\"", want: sandtrap.KindType, group: sandtrap.ErrRefused},
		{name: "import", src: "import \"os/exec\"\nexec.Command(\"x\")", want: sandtrap.ErrImport, group: sandtrap.KindDenied},
		{name: "denied", src: "os.Getenv(\"HOME\")", want: sandtrap.KindDenied, group: sandtrap.ErrRefused},
		{name: "panic", src: "panic(1)", want: sandtrap.KindPanic},
		{name: "exit", src: "os.Exit(3)", want: sandtrap.KindExit},
		{name: "timeout", src: "for {}", limits: sandtrap.Limits{Timeout: 20 * time.Millisecond}, want: sandtrap.KindTimeout, group: sandtrap.ErrLimit},
		{name: "ticks", src: "for {}", limits: sandtrap.Limits{Ticks: 10}, want: sandtrap.KindTicks, group: sandtrap.ErrLimit},
		{name: "memory", src: "n := 1 << 30\n_ = make([]int, n)", limits: sandtrap.Limits{Memory: 1 << 20}, want: sandtrap.KindMemory, group: sandtrap.ErrLimit},
		{name: "depth", src: "func f() { f() }\nf()", limits: sandtrap.Limits{Depth: 10}, want: sandtrap.KindDepth, group: sandtrap.ErrLimit},
		{name: "deadlock", src: "c := make(chan int)\n<-c", want: sandtrap.KindDeadlock},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: tc.limits}, tc.src)
				if b.RefusedByEngine(res) {
					return
				}
				e, ok := errors.AsType[*sandtrap.Error](err)
				if !ok || e != res.Error {
					b.Fatalf("error %v, want an *Error, the one in the Result", err)
				}
				for _, want := range []error{tc.want, tc.group} {
					if want != nil && !errors.Is(err, want) {
						b.Errorf("error %v (%s) does not match %q", err, e.Kind, want)
					}
				}
				if errors.Is(err, sandtrap.ErrRefused) && (e.Pos.Line == 0 || e.Pos.Column == 0) {
					b.Errorf("the refusal %v has no line and column", err)
				}
			})
		})
	}
}

// chain is a program whose innermost call panics in line 17.
var chain = numbered(40, map[int]string{
	1: "package main",
	3: `import "strings"`,
	5: "type account struct{ limit int }",
	8: "func outer(n int) int {", 9: "\treturn middle(n) + 1", 10: "}",
	12: "func middle(n int) int {", 13: "\ta := &account{n}", 14: "\treturn a.draw(func(i int) int {",
	15: `		s := strings.Repeat("x", i)`, 16: "\t\tif len(s) > 2 {",
	17: "\t\t\tpanic(\"overdrawn: \" + s)",
	18: "\t\t}; return i })", 19: "}",
	21: "func (a *account) draw(f func(int) int) int {", 22: "\tfor i := range 3 {",
	23: "\t\tif i == 2 {", 24: "\t\t\treturn f(a.limit)", 25: "\t\t}", 26: "\t}", 27: "\treturn 0", 28: "}",
	30: "func main() {", 31: "\tx := outer(4)", 32: "\t_ = x", 33: "}",
})

// TestStackOfTheScript: every frame has its line in the text as sent, innermost
// first.
func TestStackOfTheScript(t *testing.T) {
	want := []struct {
		name         string
		starts, line int // where the function begins, and where in it the call is
	}{
		{"main.middle.func1", 14, 17}, {"main.(*account).draw", 21, 24}, {"main.middle", 12, 14},
		{"main.outer", 8, 9}, {"main.main", 30, 31},
	}
	eachMode(t, func(b bench) {
		res, err := b.RunOnce(pure(), chain)
		if !errors.Is(err, sandtrap.KindPanic) || res.Error.Message != "overdrawn: xxxx" {
			b.Fatalf("error %v, want a panic", err)
		}
		if res.Error.Pos.Line != 17 || len(res.Error.Stack) != len(want) {
			b.Fatalf("panic at %v, stack %v, want line 17 and %d frames", res.Error.Pos, res.Error.Stack, len(want))
		}
		for i, f := range res.Error.Stack {
			line := want[i].line
			if b.StartLines && i > 0 {
				line = want[i].starts
			}
			if f.Func != want[i].name || f.Pos.Line != line {
				b.Errorf("frame %d is %s:%d, want %s:%d", i, f.Func, f.Pos.Line, want[i].name, line)
			}
		}
	})
}

// TestLookAlikes: a script cannot make an error that passes for one of ours.
func TestLookAlikes(t *testing.T) {
	const own = `package main
type e struct{}
func (e) Error() string { return "sandtrap: timeout" }
func (e) Is(error) bool { return true }
func (e) Timeout() bool { return true }
func main() { %s }`
	for _, tc := range []struct{ name, src string }{
		{"text", `panic(errors.New("sandtrap: timeout"))`},
		{"own type", fmt.Sprintf(own, "panic(e{})")},
		{"own pointer", fmt.Sprintf(own, "panic(&e{})")},
		{"re-panicked", "func() { defer func() { panic(recover()) }(); panic(\"the program did not end within 1s\") }()"},
		{"wrapped", `panic(fmt.Errorf("x: %w", errors.New("sandtrap: ticks")))`},
		{"deadline", "package main\nimport \"time\"\nfunc main() { _ = time.Now(); panic(\"context deadline exceeded\") }"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				_, err := b.RunOnce(pure(), tc.src)
				if !errors.Is(err, sandtrap.KindPanic) || errors.Is(err, sandtrap.KindTimeout) || errors.Is(err, sandtrap.ErrLimit) || errors.Is(err, sandtrap.ErrRefused) {
					b.Errorf("error %v, want a panic and nothing else", err)
				}
			})
		})
	}
}

type hostError struct{ secret string }

func (e *hostError) Error() string { return "host says no" }

// TestNoHostErrorEscapes: the host's own error, thrown by the script, comes back
// as text.
func TestNoHostErrorEscapes(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"fail": func() error { return &hostError{"hunter2"} }}
		for _, src := range []string{
			"panic(fail())",
			`panic(fmt.Errorf("wrapped: %w", fail()))`,
			"func() { defer func() { panic(recover()) }(); panic(fail()) }()",
		} {
			_, err := b.RunOnce(p, src)
			if !errors.Is(err, sandtrap.KindPanic) || !strings.Contains(err.Error(), "host says no") {
				b.Errorf("%s: error %v, want the panic with the host's text", src, err)
			}
			if _, there := errors.AsType[*hostError](err); there {
				b.Errorf("%s: the host's error can be reached", src)
			}
			if text := fmt.Sprintf("%+v %#v", err, err); strings.Contains(text, "hunter2") {
				b.Errorf("%s: a field of the host's error shows in %s", src, text)
			}
		}
	})
}

// TestRefusalsSayWhatToDo: the reason, and what to write in place of it.
func TestRefusalsSayWhatToDo(t *testing.T) {
	for _, tc := range []struct {
		src           string
		message, hint string
	}{
		{`os.Getenv("HOME")`, "os.Getenv is not allowed by this policy: this policy gives scripts no environment", "the policy will not change during this program: do not retry, solve it another way or leave it out"},
		{
			"import \"os/exec\"\nexec.Command(\"x\")", `package "os/exec" is not allowed by this policy: scripts may not start programs`,
			"the policy will not change during this program: do not retry, solve it another way or leave it out",
		},
		{
			`os.ReadFile("/etc/passwd")`, "os.ReadFile is not allowed by this policy: this policy gives scripts no files",
			"the policy will not change during this program: do not retry, solve it another way or leave it out",
		},
		{`net.Dial("tcp", "example.com:80")`, "net.Dial is not allowed by this policy: scripts make no connections of their own, but requests, where the policy has a Network", "use net/http instead"},
		{
			"import \"syscall\"\nsyscall.Kill(1, 9)", "syscall.Kill is not allowed by this policy: scripts may not reach the operating system",
			"the policy will not change during this program: do not retry, solve it another way or leave it out",
		},
		{"import \"unsafe\"\nunsafe.Pointer(nil)", `import "unsafe" is not allowed: it reaches memory outside of the script's values`, "write it without"},
		{`strings.ToUppr("x")`, "there is no strings.ToUppr", "did you mean strings.ToUpper?"},
		{"var b strings.Builder\nb.Grow2(1)", "there is no strings.Builder.Grow2", "did you mean Grow?"},
		{"x, y := 1, 2\nx, y", "several expressions where one belongs", "write a statement for each; fmt.Println(x, y) prints several"},
		{`import "nosuch/pkg"`, `there is no package "nosuch/pkg" here`, "check the path, or remove the import"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(pure(), tc.src)
				if err == nil || res.Error.Message != tc.message || res.Error.Hint != tc.hint {
					b.Errorf("got\n%+v\nwant message %q, hint %q", res.Error, tc.message, tc.hint)
				}
			})
		})
	}
}

// TestNilErrors: an *Error that is nil, or has one in it, matches nothing and ends nothing.
func TestNilErrors(t *testing.T) {
	var none *sandtrap.Error
	for _, err := range []error{none, &sandtrap.Error{Kind: sandtrap.KindType, More: []*sandtrap.Error{nil}}} {
		if errors.Is(err, sandtrap.KindTimeout) || errors.Is(err, sandtrap.ErrLimit) {
			t.Errorf("%#v matches what it is not", err)
		}
	}
}
