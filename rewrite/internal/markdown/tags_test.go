package markdown

import (
	"strings"
	"testing"
	"time"
)

// TestTags: what stands between tags of thoughts is no code, of the others only the tags are none; a tag in the middle
// of a line is text of its own.
func TestTags(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string // without space around its lines; "-" for no tags
	}{
		{"none", "x := 1", "-"},
		{"an operator", "if a <b && c> d {", "-"},
		{"another tag", "<div>\nx\n</div>", "-"},
		{"lines of their own", "<code>\nx := 1\n</code>\n", "x := 1"},
		{"around a line", "<code>x := 1</code>", "x := 1"},
		{"at the beginning alone", "<answer>\nx := 1", "x := 1"},
		{"several", "<answer>\n<code>\nx\n</code>\n</answer>", "x"},
		{"thoughts", "<think>\na b\nc\n</think>\nx", "x"},
		{"thoughts on a line", "<think>a b c</think>x", "x"},
		{"thoughts without an end", "<think>\nx", "x"},
		{"attributes", "<function=run_go>\n<parameter name=\"code\">\nx := 1\n</parameter>\n</function>", "x := 1"},
		{"an attribute around a line", "<code language=\"go\">x := 1</code>", "x := 1"},
		{"no attribute", "<code x>\ny", "-"},
		{"attributes at the end of a line", "if a <code = b>\nc {", "-"},
		{"a longer name", "<codes>\nx\n</codes>", "-"},
		{"two of them", "<think>a</think>\nx\n<think>\nb\n</think>\ny", "x\n\n\n\ny"},
		{"with code in them", "<thinking>\n```go\nbroken(\n```\n</thinking>\nx", "x"},
		{"in a string", "s := \"<code>\"", "-"},
		{"in the middle", "a <think> b", "-"},
	} {
		got, found := WithoutTags(tc.text)
		if found != (tc.want != "-") {
			t.Errorf("%s: found %v: %q", tc.name, found, got)
			continue
		}
		if len(got) != len(tc.text) || strings.Count(got, "\n") != strings.Count(tc.text, "\n") {
			t.Errorf("%s: positions are lost: %q", tc.name, got)
		}
		if found && squeezed(got) != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, squeezed(got), tc.want)
		}
	}
}

// TestTagsInTime: the time for a text is in proportion to its length, though each line may have many tags.
func TestTagsInTime(t *testing.T) {
	const n = 4 << 20
	for _, unit := range []string{"x<code>", "x<code ", "<think>x", "<think>\n", "<think>\n</think>", "x <code> ", "x</code>", "Sum: 3\n", "Output:\n"} {
		start := time.Now()
		text := strings.Repeat(unit, n/len(unit))
		WithoutTags(text)
		outputFrom(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%d bytes of %q: %v", n, unit, took)
		}
	}
}

// TestUnquoted: backticks around all of a text go, if they can be no raw string.
func TestUnquoted(t *testing.T) {
	for _, tc := range []struct {
		text string
		want string // "-" if they stay
	}{
		{"`f(x)`", "f(x)"},
		{" `x = 1`\n", "x = 1"},
		{"`fmt.Println(\"a\")`", "fmt.Println(\"a\")"},
		{"``fmt.Println(\"a\")``\n", "fmt.Println(\"a\")"},
		{"`` f(`x`) ``", "f(`x`)"},
		{"`` + f(x) + ``", "-"},
		{"``+f(x)+``", "-"},
		{"```f(x)```", "-"},
		{"````", "-"},
		{"`hello`", "-"},
		{"`a` + `b(`", "-"},
		{"`f(\nx)`", "-"},
		{"f(`x`)", "-"},
		{"``", "-"},
		{"`", "-"},
		{"", "-"},
	} {
		got, ok := unquoted(tc.text)
		if ok != (tc.want != "-") || ok && (strings.TrimSpace(got) != tc.want || len(got) != len(tc.text)) {
			t.Errorf("%q: %q %v, want %q", tc.text, got, ok, tc.want)
		}
	}
}

// TestCandidatesOfTags lists the readings of texts with tags.
func TestCandidatesOfTags(t *testing.T) {
	for _, tc := range []struct{ name, text, last string }{
		{"a tag", "<code>\nx := 1\n</code>", "x := 1"},
		{"thoughts and a fence", "<think>\n```go\ny\n```\n</think>\n```go\nx := 1\n```\n", "x := 1"},
		{"a tag around a fence", "<answer>\n```go\nx := 1\n```\n</answer>", "x := 1"},
		{"a tag and prose", "Here is the program you want:\n<code>\nx := 1\n</code>\n", "x := 1"},
	} {
		last := ""
		for c := range Candidates(tc.text) {
			if c.Code != nil {
				last = squeezed(string(c.Code))
			}
		}
		if last != tc.last {
			t.Errorf("%s: the last reading is %q, want %q", tc.name, last, tc.last)
		}
	}
}
