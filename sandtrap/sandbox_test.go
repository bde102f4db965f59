package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
)

// box makes a sandbox for p.
func box(t *testing.T, p Policy) *Sandbox {
	t.Helper()
	b, err := New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// program wraps statements in a main function.
func program(imports, body string) string {
	var b strings.Builder
	b.WriteString("package main\n")
	for p := range strings.FieldsSeq(imports) {
		fmt.Fprintf(&b, "import %q\n", p)
	}
	return b.String() + "func main() {\n" + body + "\n}\n"
}

// TestKinds runs a script for each kind that a script can bring about, and wants
// an error that is of the kind, and of no other.
func TestKinds(t *testing.T) {
	kinds := []Kind{
		KindSyntax, KindRejected, KindType, KindDenied, KindPanic, KindExit, KindTimeout, KindTicks, KindMemory, KindDepth,
		KindTasks, KindOutput, KindCancelled, KindDeadlock, KindContract, KindIsolation, KindWorker, KindInternal,
	}
	for _, tc := range []struct {
		name    string
		policy  Policy
		src     string
		want    Kind
		refused bool
		limit   bool
	}{
		{name: "syntax", src: "package main\nfunc main( {", want: KindSyntax, refused: true},
		{name: "rejected", src: program("unsafe", "var _ unsafe.Pointer"), want: KindRejected, refused: true},
		{name: "type", src: program("", `var n int = "x"; _ = n`), want: KindType, refused: true},
		{name: "denied", src: program("fmt", "fmt.Println()"), want: KindDenied, refused: true},
		{name: "panic", src: program("", `panic("x")`), want: KindPanic},
		{name: "timeout", policy: Policy{Limits: Limits{Timeout: 50 * time.Millisecond}}, src: program("", "for {}"), want: KindTimeout, limit: true},
		{name: "ticks", policy: Policy{Limits: Limits{Ticks: 100}}, src: program("", "for {}"), want: KindTicks, limit: true},
		{name: "memory", policy: Policy{Limits: Limits{Memory: 1 << 20}}, src: program("", "n := 1 << 30; _ = make([]byte, n)"), want: KindMemory, limit: true},
		{name: "depth", policy: Policy{Limits: Limits{Depth: 50}}, src: "package main\nfunc f(n int) int { return f(n+1) + 1 }\nfunc main() { f(0) }", want: KindDepth, limit: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := box(t, tc.policy).Run(t.Context(), Script{Text: tc.src})
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("error %v, want an *Error", err)
			}
			if e.Kind != tc.want {
				t.Errorf("kind %s, want %s: %v", e.Kind, tc.want, e)
			}
			if res.Error != e {
				t.Errorf("Result.Error is %v, want what Run returned", res.Error)
			}
			for _, kind := range kinds {
				if got := errors.Is(err, kind); got != (kind == tc.want) {
					t.Errorf("errors.Is(err, %v) = %v", kind, got)
				}
			}
			for sentinel, want := range map[error]bool{ErrRefused: tc.refused, ErrLimit: tc.limit, ErrPolicy: false} {
				if got := errors.Is(err, sentinel); got != want {
					t.Errorf("errors.Is(err, %v) = %v, want %v", sentinel, got, want)
				}
			}
			if tc.refused && (res.Ticks != 0 || res.Stdout != "" || len(res.Vars) != 0) {
				t.Errorf("a refused script left %+v", res)
			}
			if tc.refused && e.Pos.Line == 0 {
				t.Errorf("no position in %v", e)
			}
		})
	}
}

// TestZeroPolicy: the language, and nothing else.
func TestZeroPolicy(t *testing.T) {
	b := box(t, Policy{})
	res, err := b.Run(t.Context(), Script{Text: "x := 1\nfor i := range 10 { x += i }\nprintln(x)"})
	if err != nil || res.Vars["x"] != 46 || res.Stderr != "46\n" || res.Stdout != "" {
		t.Errorf("got %+v, %v", res, err)
	}
	for _, path := range []string{"fmt", "os", "strings", "net/http", "nosuch"} {
		_, err := b.Run(t.Context(), Script{Text: "package main\n\nimport x \"" + path + "\"\nfunc main() { x.F() }"})
		if !errors.Is(err, ErrRefused) || !errors.Is(err, ErrImport) || !strings.Contains(err.Error(), path) {
			t.Errorf("import %q: %v, want a refused import that names it", path, err)
		}
	}
	if got := b.plan.limits.Timeout; got != 30*time.Second {
		t.Errorf("timeout %v, want 30s", got)
	}
}

// TestImportForms: whichever way a script goes, what is listed is there and what
// is not is not.
func TestImportForms(t *testing.T) {
	b := box(t, Policy{Std: []string{"strings", "fmt"}})
	for _, tc := range []struct {
		name, src string
		ok        bool
	}{
		{"plain", "import \"strings\"\nfunc main() { strings.ToUpper(\"x\") }", true},
		{"renamed", "import s \"strings\"\nfunc main() { s.ToUpper(\"x\") }", true},
		{"group", "import (\n\"fmt\"\n\"strings\"\n)\nfunc main() { fmt.Println(strings.ToUpper(\"x\")) }", true},
		{"denied", "import \"os/exec\"\nfunc main() { exec.Command(\"ls\") }", false},
		{"denied, renamed", "import strings \"os/exec\"\nfunc main() { strings.Command(\"ls\") }", false},
		{"denied, in a group", "import (\n\"fmt\"\n\"os/exec\"\n)\nfunc main() { fmt.Println(exec.Command(\"ls\")) }", false},
		{"denied, dot", "import . \"os/exec\"\nfunc main() { Command(\"ls\") }", false},
		{"denied, blank", "import _ \"os/exec\"\nfunc main() {}", false},
		{"below a listed one", "import \"strings/internal\"\nfunc main() { internal.F() }", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := b.Run(t.Context(), Script{Text: "package main\n" + tc.src})
			if (err == nil) != tc.ok {
				t.Errorf("error %v, want it to run: %v", err, tc.ok)
			}
			if !tc.ok && !errors.Is(err, ErrRefused) {
				t.Errorf("error %v, want a refusal", err)
			}
		})
	}
}

func TestPolicyErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		policy Policy
		want   string
	}{
		{"timeout", Policy{Limits: Limits{Timeout: -1}}, "Policy.Limits.Timeout"},
		{"ticks", Policy{Limits: Limits{Ticks: -1}}, "Policy.Limits.Ticks"},
		{"memory", Policy{Limits: Limits{Memory: -1}}, "Policy.Limits.Memory"},
		{"output", Policy{Limits: Limits{Output: -1}}, "Policy.Limits.Output"},
		{"tasks", Policy{Limits: Limits{Tasks: -1}}, "Policy.Limits.Tasks"},
		{"depth", Policy{Limits: Limits{Depth: -1}}, "Policy.Limits.Depth"},
		{"source", Policy{Limits: Limits{Source: -1}}, "Policy.Limits.Source"},
		{"nesting", Policy{Limits: Limits{Nesting: -1}}, "Policy.Limits.Nesting"},
		{"too much nesting", Policy{Limits: Limits{Nesting: math.MaxInt}}, "Policy.Limits.Nesting"},
		{"processors", Policy{Isolation: Kernel, Limits: Limits{CPU: -1}}, "Policy.Limits.CPU"},
		{"no number of processors", Policy{Isolation: Kernel, Limits: Limits{CPU: math.NaN()}}, "Policy.Limits.CPU"},
		{"endless processors", Policy{Isolation: Kernel, Limits: Limits{CPU: math.Inf(1)}}, "Policy.Limits.CPU"},
		{"too many processors", Policy{Isolation: Kernel, Limits: Limits{CPU: 1025}}, "Policy.Limits.CPU"},
		{"too little of a processor", Policy{Isolation: Kernel, Limits: Limits{CPU: 0.001}}, "Policy.Limits.CPU"},
		{"rate", Policy{Isolation: Kernel, Files: &Files{Paths: []string{"/"}}, Limits: Limits{ReadRate: -1}}, "Policy.Limits.ReadRate"},
		{"rate of nothing", Policy{Isolation: Kernel, Limits: Limits{ReadRate: 1 << 20}}, "Policy.Limits.ReadRate"},
		{"rate in process", Policy{Files: &Files{Paths: []string{"/"}}, Limits: Limits{ReadRate: 1 << 20}}, "Policy.Limits.ReadRate"},
		{"processors in process", Policy{Limits: Limits{CPU: 1}}, "Policy.Limits.CPU"},
		{"std", Policy{Std: []string{"nosuch"}}, "Policy.Std"},
		{"engine", Policy{Engine: "v8"}, "Policy.Engine"},
		{"isolation", Policy{Isolation: "moat"}, "Policy.Isolation"},
		{"level", Policy{Isolation: Kernel, Level: "utter"}, "Policy.Level"},
		{"audit of nothing", Policy{Isolation: Process, Audit: func(audit.Refusal) {}}, "Policy.Audit"},
		{"level of nothing", Policy{Isolation: Process, Level: isolate.Strict}, "Policy.Level"},
		{"echo", Policy{Echo: "loud"}, "Policy.Echo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := New(t.Context(), tc.policy)
			if !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want ErrPolicy that names %s", err, tc.want)
			}
		})
	}
}

// TestLimitsValidated fails when Limits gets a field that validate does not
// look at.
func TestLimitsValidated(t *testing.T) {
	typ := reflect.TypeFor[Limits]()
	for i := range typ.NumField() {
		var l Limits
		field := reflect.ValueOf(&l).Elem().Field(i)
		field.Set(reflect.ValueOf(-1).Convert(field.Type()))
		if err := l.validate(&Policy{}); err == nil || !strings.Contains(err.Error(), typ.Field(i).Name) {
			t.Errorf("%s = -1: %v", typ.Field(i).Name, err)
		}
	}
}

// The program of this test is no worker.
func TestIsolationNotAvailable(t *testing.T) {
	for _, mode := range []Isolation{Process, Kernel} {
		for _, degraded := range []bool{false, true} {
			_, err := New(t.Context(), Policy{Isolation: mode, AllowDegraded: degraded})
			if !errors.Is(err, KindIsolation) {
				t.Errorf("%s: %v, want KindIsolation", mode, err)
			}
		}
	}
}

// TestPolicyCopied: changing a policy after Compile changes nothing.
func TestPolicyCopied(t *testing.T) {
	p := Policy{Std: []string{"strings"}}
	b := box(t, p)
	p.Std[0] = "os"
	if _, err := b.Run(t.Context(), Script{Text: program("strings", `strings.ToUpper("x")`)}); err != nil {
		t.Error(err)
	}
}

func TestInputs(t *testing.T) {
	b := box(t, Policy{Std: []string{"fmt", "strings"}})
	inputs := map[string]any{"n": 3, "words": []string{"b", "a"}, "m": map[string]any{"k": 1.5}, "fmt2": "x", "kept": "a"}
	res, err := b.Run(t.Context(), Script{Text: `
total := n * 2
joined := strings.Join(words, "+")
f := m["k"].(float64)
fmt2 := 7
kept = kept + "!"
`, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"total": 6, "joined": "b+a", "f": 1.5, "fmt2": 7, "kept": "a!"}
	if !reflect.DeepEqual(res.Vars, want) {
		t.Errorf("vars %v, want %v", res.Vars, want)
	}
}

// TestLookAlike: a script cannot make an error that passes for one of ours.
func TestLookAlike(t *testing.T) {
	b := box(t, Policy{Std: []string{"errors"}})
	_, err := b.Run(t.Context(), Script{Text: program("errors", `panic(errors.New("sandtrap: timeout"))`)})
	if !errors.Is(err, KindPanic) || errors.Is(err, KindTimeout) || errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want a panic and no timeout", err)
	}
}

func TestCancel(t *testing.T) {
	b := box(t, Policy{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := b.Run(ctx, Script{Text: program("", "for {}")})
	if !errors.Is(err, KindCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want KindCancelled and context.Canceled", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = b.Run(ctx, Script{Text: program("", "for {}")})
	if !errors.Is(err, KindTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want KindTimeout and context.DeadlineExceeded", err)
	}
}

func TestClose(t *testing.T) {
	b := box(t, Policy{})
	b.Close()
	if res, err := b.Run(t.Context(), Script{Text: "x := 1"}); !errors.Is(err, ErrClosed) || res == nil {
		t.Errorf("Run after Close: %v, %v", res, err)
	}
	if _, err := b.Check(t.Context(), Script{Text: "x := 1"}); !errors.Is(err, ErrClosed) {
		t.Errorf("Check after Close: %v", err)
	}
}

// TestConcurrentRuns: runs of one plan, of which none has run before, see nothing of each other.
func TestConcurrentRuns(t *testing.T) {
	for range 50 {
		plan, err := Compile(Policy{Std: []string{"fmt", "strings"}})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() { runMarked(t, plan, fmt.Sprintf("marker-%d", i)) })
		}
		wg.Wait()
	}
}

// runMarked runs a script that hands its input on in all ways, in a sandbox of its own.
func runMarked(t *testing.T, plan *Plan, marker string) {
	b, err := plan.New(t.Context())
	if err != nil {
		t.Error(err)
		return
	}
	defer b.Close()
	res, err := b.Run(t.Context(), Script{
		Text:   "s := strings.ToUpper(in)\nfor range 3 { fmt.Println(in) }\nprintln(in)",
		Inputs: map[string]any{"in": marker},
	})
	if err != nil || res.Stdout != strings.Repeat(marker+"\n", 3) || res.Stderr != marker+"\n" || res.Vars["s"] != strings.ToUpper(marker) {
		t.Errorf("run %s: %+v, %v", marker, res, err)
	}
}

// TestAllReasons: every reason of a refusal comes back, in order of position.
func TestAllReasons(t *testing.T) {
	_, err := box(t, Policy{}).Run(t.Context(), Script{Text: program("", "var a int = \"x\"\nb := 1\n_ = a\nundefinedThing()")})
	e, _ := errors.AsType[*Error](err)
	if e == nil || len(e.All()) != 3 {
		t.Fatalf("error %v, want three reasons", err)
	}
	if got := strings.Count(err.Error(), "\n"); got != 2 {
		t.Errorf("text has %d line breaks, want 2:\n%v", got, err)
	}
}

func TestCheck(t *testing.T) {
	b := box(t, Policy{Std: []string{"fmt", "strings"}})
	rep, err := b.Check(t.Context(), Script{Text: program("fmt strings", "var b strings.Builder\nb.WriteString(\"x\")\nfmt.Println(b.String())\npanic(1)")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range rep.Bindings {
		got = append(got, b.Kind+" "+b.Name)
		if b.Pos.Line == 0 || b.Type == "" {
			t.Errorf("binding %+v has no position or no type", b)
		}
	}
	want := []string{"type strings.Builder", "method (*strings.Builder).WriteString", "func fmt.Println", "method (*strings.Builder).String"}
	if !sameElements(got, want) {
		t.Errorf("bindings %q, want %q", got, want)
	}
}

func sameElements(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestProfiles wants Pure to hold nothing by which two runs could differ, and
// Default all.
func TestProfiles(t *testing.T) {
	pure, all := StdPure(), StdDefault()
	for _, path := range []string{"time", "math/rand", "math/rand/v2", "log"} {
		if slices.Contains(pure, path) || !slices.Contains(all, path) {
			t.Errorf("%s: in Pure %v, in Default %v", path, slices.Contains(pure, path), slices.Contains(all, path))
		}
	}
	for _, path := range []string{"fmt", "strings", "sort", "math"} {
		if !slices.Contains(pure, path) {
			t.Errorf("%s is not in Pure", path)
		}
	}
	box, err := New(context.Background(), Policy{Std: StdPure()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := box.Run(context.Background(), Script{Text: "import \"time\"\ntime.Now()"}); !errors.Is(err, ErrImport) {
		t.Errorf("time under Pure: got %v", err)
	}
}
