package parse

import (
	"strings"
	"testing"
)

// TestUnwrapped: code in objects of JSON is found where tools are given it; what only looks like such an object stays
// as it is.
func TestUnwrapped(t *testing.T) {
	const code = "x := \"a\"\nfmt.Println(x)"
	const quoted = `"x := \"a\"\nfmt.Println(x)"`
	for name, text := range map[string]string{
		"code":                 `{"code": ` + quoted + `}`,
		"source with language": `{"language": "go", "source": ` + quoted + "}\n",
		"a call":               `{"name": "run_go", "arguments": {"code": ` + quoted + `}}`,
		"arguments as a text":  `{"name": "run_go", "arguments": "{\"code\": \"x := \\\"a\\\"\\nfmt.Println(x)\"}"}`,
		"a call in a call":     `{"type": "function", "function": {"name": "run", "arguments": {"code": ` + quoted + `}}}`,
		"in tags":              "<tool_call>\n{\"name\": \"run\", \"arguments\": {\"code\": " + quoted + "}}\n</tool_call>",
		"after thoughts":       "<think>a {b} c</think>\n{\"code\": " + quoted + "}",
		"a list of one call":   `[TOOL_CALLS] [{"name": "run_go", "arguments": {"code": ` + quoted + `}}]`,
		"a call behind words":  `[{"type": "text", "text": "I add them."}, {"type": "tool_use", "name": "run", "input": {"code": ` + quoted + `}}]`,
		"a message":            `{"role": "assistant", "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "input": {"code": ` + quoted + `}}]}`,
		"a message with calls": `{"content": "Sure.", "tool_calls": [{"function": {"arguments": "{\"code\": \"x := \\\"a\\\"\\nfmt.Println(x)\"}"}}]}`,
		"in a fence":           "```json\n{\"code\": " + quoted + "}\n```\n",
		"in a plain fence":     "```\n{\"code\": " + quoted + "}\n```\n",
		"in prose":             "Here is the call:\n\n{\"code\": " + quoted + "}\n\nIt prints the letter a.\n",
		"in a fence in prose":  "Here is the call:\r\n```json\r\n{\r\n\"code\": " + quoted + "\r\n}\r\n```\r\nThat should do.\r\n",
		"behind a mark":        "\ufeff{\"code\": " + quoted + "}",
	} {
		if got := Unwrapped(text); got != code {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{
		"", "{}", "{ x := 1 }", `{"a": 1}`, `{"code": 1}`, `{"code": {"x": "y"}}`, `{"result": "x := 1"}`, `{"code": "x"`, `["code"]`, `[{"code": "x"}, {"code": "y"}]`, `[{"type": "text", "text": "x := 1"}]`, `{"code": "x"} y`,
		"x := `\n{\"code\": \"x\"}\n`", "Two calls are made here.\n{\"code\": \"x\"}\n{\"code\": \"y\"}\n",
		`m := map[string]string{"code": "x"}`, "```go\n{\"code\": \"x\"}\n```",
		strings.Repeat(`{"arguments": `, 9) + `{"code": "x"}` + strings.Repeat("}", 9),
		`{"code": "` + strings.Repeat("x", maxWrapped) + `"}`,
	} {
		if got := Unwrapped(text); got != text {
			t.Errorf("%.60q has become %.60q", text, got)
		}
	}
}
