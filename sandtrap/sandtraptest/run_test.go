package sandtraptest

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// runKnown is for those who mend what is known to fail. Some of these cases take
// the process down, which is why they are not run without it.
var runKnown = flag.Bool("known", false, "run the cases that are known to fail, too")

// mostKnown only goes down.
const mostKnown = 0

// TestCorpora runs every case on every engine, all in this process: a case that
// takes the process down fails the test of all.
func TestCorpora(t *testing.T) {
	for _, engine := range engines {
		dirs := []string{"testdata/accept", "docs/examples", "testdata/snippets", "testdata/reject", "testdata/escape"}
		if engine == "vm" {
			dirs = append(dirs, "testdata/regress")
		}
		for _, dir := range dirs {
			t.Run(engine+"/"+dir, func(t *testing.T) {
				if testing.Short() && dir == "testdata/escape" {
					t.Skip("waits for many timeouts")
				}
				runAll(t, engine, load(t, dir))
			})
		}
	}
}

func runAll(t *testing.T, engine string, cases []Case) {
	refused, known := 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.Known.On(engine); why != "" && !*runKnown {
				known++
				t.Skip("known to fail: " + why)
			}
			out := Run(t.Context(), sandtrap.Policy{Std: sandtrap.Default(), Engine: engine}, c)
			if out.Refused {
				refused++
			}
			for _, f := range out.Failures {
				t.Error(f)
			}
		})
	}
	t.Logf("%d cases, %d refused by the engine, %d known to fail", len(cases), refused, known)
}

// TestOutOfTime: a case that is not about time gets more of it once, and not for ever.
func TestOutOfTime(t *testing.T) {
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
		out := Run(t.Context(), sandtrap.Policy{Std: sandtrap.Default(), Engine: "vm"}, c)
		if (len(out.Failures) > 0) != tc.fail {
			t.Errorf("%s, want %s: %v", tc.text, tc.want, out.Failures)
		}
	}
}

// TestKnown keeps the cases that are known to fail from becoming more.
func TestKnown(t *testing.T) {
	known := 0
	for _, c := range load(t, "testdata/accept", "docs/examples", "testdata/snippets", "testdata/reject", "testdata/escape") {
		if len(c.Known) > 0 {
			known++
		}
	}
	if known > mostKnown {
		t.Errorf("%d cases are known to fail, want at most %d", known, mostKnown)
	}
}

// TestCompare is the test of the harness: each of these must be noticed.
func TestCompare(t *testing.T) {
	ended := func(kind sandtrap.Kind, line int, message string) *sandtrap.Result {
		return &sandtrap.Result{Error: &sandtrap.Error{Kind: kind, Message: message, Pos: sandtrap.Position{Line: line}}}
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
			got := strings.Join(c.compare(tc.res), "\n")
			if (got == "") != (tc.fails == "") || !strings.Contains(got, tc.fails) {
				t.Errorf("got %q, want it to hold %q", got, tc.fails)
			}
		})
	}
	c := Case{Wants: []Want{{Kinds: []string{"ok"}}}, Sections: map[string]string{"stdout": "a\n"}}
	if got := c.compare(&sandtrap.Result{Stdout: "b\n"}); len(got) != 1 {
		t.Errorf("other output gives %q", got)
	}
}
