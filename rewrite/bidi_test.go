package rewrite

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestBidi: bidirectional controls are refused in code and in comments, whatever else the text holds,
// and literals that hold them have a warning. So have comments with marks.
func TestBidi(t *testing.T) {
	for _, tc := range []struct{ name, src, refused, warned string }{
		{"comment", "x := 1 // a\u202eb", "1:12", ""},
		{"comment of a program", "package main\n\n/* \u2066 */\nfunc main() {}", "3:4", ""},
		{"first line", "// \u202e\nx := 1", "1:4", ""},
		{"last line", "x := 1\n// a\u202a", "2:5", ""},
		{"CRLF", "x := 1\r\n/* a\r\n\u2069 */\r\n", "3:1", ""},
		{"mark in a comment", "x := 1 // \u05d0\u200f", "", "1:13"},
		{"marks in comments", "// \u200e\u200f\nx := 1 /* a\r\n\u061c */", "", "1:4 3:1"},
		{"control after a mark", "x := 1 // \u200f\u2067", "1:14", ""},
		{"mark in code", "x := \u200f1", "1:6", ""},
		{"mark between comments", "x := 1 /* */\u200e// a", "1:13", ""},
		{"code", "x := \u202e1", "1:6", ""},
		{"in a name", "func a\u2067b() {}", "1:7", ""},
		{"in a fence", "Text:\n```go\nx := 1 // \u202e\n```\n", "3:11", ""},
		{"each line", "x := 1 // \u202e\ny := 2 // \u202d\n_, _ = x, y", "1:11 2:11", ""},
		{"string", "x := \"a\u202eb\"", "", "1:8"},
		{"raw string", "x := `a\r\n\u2068b`", "", "2:1"},
		{"rune", "x := '\u200e'", "", "1:7"},
		{"import", "import \"fm\u202et\"", "1:8", ""},
		{"tag", "type T struct { A int `a:\"\u202e\"` }", "", "1:27"},
		{"both", "x := \"\u202e\" // \u202e", "1:15", ""},
		{"prose around a fence", "\u05e9\u05dc\u05d5\u05dd\u200f https://a/b\n```go\nx := 1\n```\n", "", ""},
		{"written out", "x := \"\\u202e\"", "", ""},
		{"letters of Hebrew and Arabic", "\u05d0 := \"\u0634\" // \u05d0\u0634", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Compile(parse.Source{Text: tc.src}, parse.Bounds{}, newTestUniverse(), nil)
			rs, _ := errors.AsType[diag.Rejections](err)
			var at []string
			for _, r := range rs {
				at = append(at, strings.TrimPrefix(r.Pos.String(), "script.go:"))
				if tc.name != "import" && (r.Code != diag.BadText || !strings.Contains(r.Message, r.Name) || !strings.Contains(r.Hint, `write \u`)) {
					t.Errorf("refused for %v %+v", r.Code, r)
				}
			}
			if got := strings.Join(at, " "); got != tc.refused || (p == nil) != (tc.refused != "") {
				t.Fatalf("refused at %q, want %q: %v", got, tc.refused, err)
			}
			if p == nil {
				return
			}
			want := strings.Fields(tc.warned)
			for i := range want {
				want[i] = "script.go:" + want[i]
			}
			if !slices.EqualFunc(p.Warnings(true), want, strings.HasPrefix) {
				t.Errorf("warnings %q, want %q", p.Warnings(true), want)
			}
		})
	}
}
