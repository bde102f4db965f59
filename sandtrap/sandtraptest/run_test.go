package sandtraptest

import (
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestOutOfTime: a case that is not about time gets more of it once, and not for ever.
func TestOutOfTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, tc := range []struct {
		text string
		want string
		fail bool
	}{
		{"time.Sleep(200 * time.Millisecond)", "ok", false},
		{"for { time.Sleep(time.Hour) }", "ok", true},
		{"for { time.Sleep(time.Hour) }", "timeout", false},
	} {
		c := Case{Script: tc.text, Wants: []Want{{Kinds: []string{tc.want}}}, Limits: defaultLimits}
		c.Limits.Timeout = 100 * time.Millisecond
		out := Run(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm"}, c)
		if (len(out.Failures) > 0) != tc.fail {
			t.Errorf("%s, want %s: %v", tc.text, tc.want, out.Failures)
		}
	}
}

// TestCompare is the test of the harness: each of these must be noticed.
func TestCompare(t *testing.T) {
	ended := func(kind sandtrap.Kind, line int, message string) *sandtrap.Result {
		return &sandtrap.Result{Error: &sandtrap.Error{Kind: kind, Message: message, Pos: diag.Position{Line: line}}}
	}
	on := func(engine string, res *sandtrap.Result) *sandtrap.Result {
		res.Engine = engine
		return res
	}
	for _, tc := range []struct {
		name, file string
		res        *sandtrap.Result
		fails      string
	}{
		{"as expected", "// want: ticks|timeout", ended("ticks", 3, ""), ""},
		{"other kind", "// want: ticks", ended("timeout", 3, ""), "want ticks"},
		{"ended well", "// want: ticks", &sandtrap.Result{}, "got ok"},
		{"ended badly", "// want: ok", ended("panic", 1, "boom"), "boom"},
		{"other text", `// want: panic "divide"`, ended("panic", 1, "index"), "divide"},
		{"other line", "\nx // reject: type", ended("type", 1, ""), "line 2"},
		{"right line", "\nx // reject: type", ended("type", 2, ""), ""},
		{"this engine", "// want: panic\n// want vm: panic \"[5]\"", on("vm", ended("panic", 1, "index")), "[5]"},
		{"other engine", "// want: panic\n// want vm: panic \"[5]\"", on("yaegi", ended("panic", 1, "index")), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := newCase("a/b.go", tc.file)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(c.Compare(tc.res), "\n")
			if (got == "") != (tc.fails == "") || !strings.Contains(got, tc.fails) {
				t.Errorf("got %q, want it to hold %q", got, tc.fails)
			}
		})
	}
	c := Case{Wants: []Want{{Kinds: []string{"ok"}}}, Sections: map[string]string{"stdout": "a\n"}}
	if got := c.Compare(&sandtrap.Result{Stdout: "b\n"}); len(got) != 1 {
		t.Errorf("other output gives %q", got)
	}
}
