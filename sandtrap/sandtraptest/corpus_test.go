package sandtraptest

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseWants(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Want
		fail       bool
	}{
		{name: "whole", text: "// want: ticks|timeout\npackage main", want: []Want{{Kinds: []string{"ticks", "timeout"}}}},
		{name: "line", text: "a\nb() // reject: denied \"os.\\\"x\\\"\"", want: []Want{{Kinds: []string{"denied"}, Line: 2, Text: `os."x"`}}},
		{name: "engine", text: "// want vm: panic \"[5]\"", want: []Want{{Kinds: []string{"panic"}, Text: "[5]", Engine: "vm"}}},
		{name: "misspelt engine", text: "// want mv: panic", fail: true},
		{name: "misspelt kind", text: "// want: tikcs", fail: true},
		{name: "no kind", text: "// want:", fail: true},
		{name: "open quote", text: `// want: panic "x`, fail: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parseWants(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if !tc.fail && fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestParseLimits(t *testing.T) {
	got, err := parseLimits("text\nlimits: ticks=7 memory=2MiB timeout=50ms\n")
	want := defaultLimits
	want.Ticks, want.Memory, want.Timeout = 7, 2<<20, 50e6
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, bad := range []string{"limits: tick=1", "limits: ticks=x", "limits: timeout=3"} {
		if _, err := parseLimits(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// TestGenerate keeps the templates of long scripts from shrinking to nothing.
func TestGenerate(t *testing.T) {
	got, err := generate(`{{repeat 3 "("}}{{range seq 2}}{{inc .}};{{end}}`)
	if want := "(((1;2;"; got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := generate("{{"); err == nil || !strings.Contains(err.Error(), "template") {
		t.Errorf("a broken template gives %v", err)
	}
}
