package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// answers are texts as models send them, each with what it prints.
var answers = []struct{ text, want string }{
	{"<code>\nfmt.Println(1)\n</code>", "1"},
	{"<code>fmt.Println(2)</code>", "2"},
	{"<think>\nI use `x` and {a b}.\n```go\nbroken(\n```\n</think>\n\n```go\nfmt.Println(3)\n```\nDone.", "3"},
	{"<think>I should print.</think>fmt.Println(4)", "4"},
	{"<tool_call>\nfmt.Println(5)\n</tool_call>", "5"},
	{"Here is the code you asked for:\n<answer>\n```go\npackage main\nimport \"fmt\"\nfunc main() { fmt.Println(6) }\n```\n</answer>\n", "6"},
	{"<tool_call>\n```go\nfmt.Println(7)\n```\n</tool_call>", "7"},
	{"`fmt.Println(8)`", "8"},
	{`{"code": "x := 9\nfmt.Println(x)"}`, "9"},
	{`{"name": "run", "arguments": {"code": "package main\n\nfunc main() { fmt.Println(10) }\n"}}`, "10"},
	{`{"name": "run", "arguments": "{\"code\": \"fmt.Println(11)\"}"}`, "11"},
	{"s := \"<code>\"\nfmt.Println(s)", "<code>"},
	{"s := `<think>\nx\n</think>`\nfmt.Println(len(s))", "18"},
	{"fmt.Println(`{\"code\": \"1\"}`)", `{"code": "1"}`},
	{"```go\nfmt.Println(12)\n```\nOutput:\n```\n12\n```\n", "12"},
}

// TestAnswersUnwrapped: code is found in what models put around it, in each mode; what a string holds is no wrapping.
func TestAnswersUnwrapped(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}})
		for _, tc := range answers {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			if err != nil || strings.TrimSpace(res.Stdout) != tc.want {
				b.Errorf("%q: printed %q and ended with %v, want %q", tc.text, res.Stdout, err, tc.want)
			}
		}
		for _, tc := range []struct{ text, want string }{
			{"<code>\nx := y\n</code>", "x := y\n     ^"},
			{`{"code": "a := 1\nx := y + a"}`, "x := y + a\n     ^"},
			{"<think>\nx\n</think>\n```go\nx := y\n```\n", "x := y\n     ^"},
		} {
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text}); excerpt(err) != tc.want {
				b.Errorf("%q: %v: %q, want %q", tc.text, err, excerpt(err), tc.want)
			}
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "`hello`", Echo: "all"})
		if err != nil || len(res.Echo) != 1 || res.Echo[0].Text != `"hello"` {
			b.Errorf("a raw string: %v %v", res.Echo, err)
		}
	})
}

// TestDroppedAppend: a result of append that goes nowhere is a warning, but for the last line of a snippet, which is its
// result.
func TestDroppedAppend(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}})
		for _, tc := range []struct{ text, warning string }{
			{"xs := []int{1}\nappend(xs, 2)\nfmt.Println(xs)", "script.go:2:1: the result of append is dropped, and xs stays as it was; write xs = append(xs, ...)"},
			{"xs := []int{1}\nappend(xs, 2)", ""},
			{"xs := []int{1}\nxs = append(xs, 2)\nlen(xs)\nfmt.Println(xs)", ""},
			{"append := func(xs []int, n int) int { return n }\nappend(nil, 2)\nfmt.Println(1)", ""},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			if got := strings.Join(res.Warnings, "\n"); err != nil || got != tc.warning {
				b.Errorf("%q: warnings %q and %v, want %q", tc.text, got, err, tc.warning)
			}
		}
	})
}
