package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		name string
		want string
		end  ending
		verdict
	}{
		{"same", "x\n", ending{Stdout: "x\n"}, pass},
		{"print goes to stderr", "x\n", ending{Stderr: "x\n"}, pass},
		{"expectation without last newline", "x", ending{Stdout: "x\n"}, pass},
		{"both streams", "a\n1\nb\n", ending{Stdout: "a\nb\n", Stderr: "1\n"}, pass},
		{"both streams, out of order", "b\n1\na\n", ending{Stdout: "a\nb\n", Stderr: "1\n"}, wrong},
		{"both streams, one line more", "a\n1\n", ending{Stdout: "a\nb\n", Stderr: "1\n"}, wrong},
		{"other", "x\n", ending{Stdout: "y\n"}, wrong},
		{"silent", "x\n", ending{}, wrong},
		{"unexpected output", "", ending{Stderr: "x"}, wrong},
		{"refused", "", ending{Kind: "rejected"}, refused},
		{"panic with the right output", "x\n", ending{Stdout: "x\n", Kind: "panic"}, failed},
		{"internal", "", ending{Kind: "internal"}, failed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := judge(program{want: tc.want}, tc.end); got.verdict != tc.verdict {
				t.Errorf("got %s (%s), want %s", got.verdict, got.reason, tc.verdict)
			}
		})
	}
}

func TestDenied(t *testing.T) {
	for path, want := range map[string]bool{
		"os": false, "os/exec": true, "net/http": true, "network": false, "go/ast": true,
		"strings": false, "runtime/debug": true, "C": true, "unsafe": true,
	} {
		if got := isDenied(path); got != want {
			t.Errorf("isDenied(%q) = %t, want %t", path, got, want)
		}
	}
}

// TestHeldUp: only work counts, not what a busy machine adds.
func TestHeldUp(t *testing.T) {
	timeout := judge(program{}, ending{Kind: "timeout", Message: "the program did not end"})
	for _, tc := range []struct {
		r    result
		used time.Duration
		want bool
	}{
		{timeout, runTimeout / 2, true},
		{timeout, runTimeout, false},
		{result{verdict: hang}, runTimeout / 2, true},
		{result{verdict: hang}, patience * runTimeout, false},
		{result{verdict: failed, reason: "memory"}, runTimeout / 2, false},
		{result{verdict: pass}, runTimeout / 2, false},
	} {
		if got := heldUp(tc.r, tc.used); got != tc.want {
			t.Errorf("%s %q after %v: %v, want %v", tc.r.verdict, tc.r.reason, tc.used, got, tc.want)
		}
	}
}

func TestTrim(t *testing.T) {
	e := ending{Stdout: " a b \n"}
	if got := judge(program{want: "a b\n", trim: true}, e); got.verdict != pass {
		t.Errorf("with trim: got %s, want pass", got.verdict)
	}
	if got := judge(program{want: "a b\n"}, e); got.verdict != wrong {
		t.Errorf("without: got %s, want wrong", got.verdict)
	}
}

// TestSets fails if a rule stops finding the programs it is about.
func TestSets(t *testing.T) {
	atLeast := map[string]int{"go": 700, "yaegi": 200}
	for _, s := range sets {
		programs, err := s.load()
		if err != nil {
			t.Fatal(err)
		}
		if len(programs) < atLeast[s.name] {
			t.Errorf("set %s has %d programs, want at least %d", s.name, len(programs), atLeast[s.name])
		}
		for _, p := range programs {
			if slices.ContainsFunc(p.imports, isDenied) {
				t.Errorf("%s imports %v", p.name, p.imports)
			}
		}
	}
}

func TestOutputComment(t *testing.T) {
	got, ok := outputComment("package main\n\n// Output:\n// a\n//\n// b\n")
	if want := "a\n\nb\n"; got != want || !ok {
		t.Errorf("got %q, %t, want %q", got, ok, want)
	}
	if _, ok := outputComment("package main\n"); ok {
		t.Error("found a comment where there is none")
	}
}

// TestPage writes sections of two engines, and reads the counts back.
func TestPage(t *testing.T) {
	results := []result{
		{program{name: "a.go"}, pass, ""},
		{program{name: "ken/b.go", imports: []string{"os"}}, wrong, "line 1"},
	}
	one := section("one", sets[0], "go1", results)
	two := section("two", sets[0], "go1", results[:1])
	page := replaceSection(replaceSection("", marker("one", "go"), one), marker("two", "go"), two)
	page = replaceSection(page, marker("one", "go"), one)
	if n := strings.Count(page, "<!-- one go -->"); n != 1 {
		t.Fatalf("the section is there %d times:\n%s", n, page)
	}
	for _, want := range []string{"| ken/b.go | wrong | line 1 |", "| without os | 1 | 1 |"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for engine, want := range map[string]int{"one": 2, "two": 1} {
		got, err := committed(page, marker(engine, "go"))
		if err != nil || got.total != want || got.by[pass] != 1 {
			t.Errorf("%s: got %+v, %v, want %d programs, 1 passed", engine, got, err, want)
		}
	}
	if _, err := committed(page, marker("three", "go")); err == nil {
		t.Error("read the counts of an engine that is not there")
	}
}

func TestRegression(t *testing.T) {
	base := counts{by: map[verdict]int{pass: 10, wrong: 1}}
	for _, tc := range []struct {
		name  string
		now   map[verdict]int
		slow  int
		worse bool
	}{
		{"same", map[verdict]int{pass: 10, wrong: 1}, 0, false},
		{"better", map[verdict]int{pass: 12, refused: 3}, 0, false},
		{"fewer pass", map[verdict]int{pass: 9, wrong: 1}, 0, true},
		{"more wrong", map[verdict]int{pass: 10, wrong: 2}, 0, true},
		{"a crash", map[verdict]int{pass: 10, wrong: 1, crash: 1}, 0, true},
		{"out of time", map[verdict]int{pass: 9, wrong: 1}, 1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := regression(base, counts{by: tc.now, slow: tc.slow}); (got != "") != tc.worse {
				t.Errorf("got %q, want one: %t", got, tc.worse)
			}
		})
	}
}
