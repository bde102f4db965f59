package sandtrap_test

import (
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func TestSessionAsk(t *testing.T) {
	s := newSession(t, nil)
	runSteps(t, s, []step{
		{"import str \"strings\"\ntype T struct{ Alpha int; beta string }\nfunc (t *T) Adds(n int) {}\nconst c = 3\nfunc fun(n int) string { return str.Repeat(\"a\", n) }\nt1 := &T{}", ""},
	})
	want := []sandtrap.Binding{
		{Kind: "import", Name: "str", Type: "strings"}, {Kind: "type", Name: "T", Type: "struct{Alpha int; beta string}"}, {Kind: "const", Name: "c", Type: "untyped int"},
		{Kind: "func", Name: "fun", Type: "func(n int) string"}, {Kind: "var", Name: "t1", Type: "*T"},
	}
	if got, err := s.Bindings(); err != nil || !slices.Equal(got, want) {
		t.Errorf("bindings are %q, want %q", got, want)
	}
	for expr, want := range map[string]string{
		"t1": "*T", "fun(2)": "string", "1 + 2": "int", "t1.beta": "string", "[]T{}": "[]T", "str.Split": "func(string, string) []string",
		"len(t1.beta)": "int", "nothing": "", "x := 1": "", "": "",
	} {
		if got, err := s.TypeOf(expr); got != want || (err == nil) != (want != "") {
			t.Errorf("type of %s is %q (%v), want %q", expr, got, err, want)
		}
	}
	for text, want := range map[string][]string{
		"t1.": {"Adds", "Alpha", "beta"}, "x + t1.Al": {"Alpha"}, "fu": {"fun", "func"}, "str.Rep": {"Repeat", "Replace", "ReplaceAll", "Replacer"},
		"math.Sqrt2": {"Sqrt2"}, "(*t1).be": {"beta"}, "zzz.": {}, "t1.zzz": {}, "strco": {"strconv"},
	} {
		if got, err := s.Complete(text, len(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is completed by %q, want %q", text, got, want)
		}
	}
	if got, err := s.Complete("t1.Al + 1", 5); err != nil || !slices.Equal(got, []string{"Alpha"}) {
		t.Errorf("in the middle of a text: %q", got)
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	runSteps(t, s, []step{{"t1", "! type undefined: t1"}, {"t1 := 2\nt1", "= 2"}})
}
