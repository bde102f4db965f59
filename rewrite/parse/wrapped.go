package parse

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// Models that call tools send code in an object of JSON, and some send the whole call.
var (
	codeKeys  = []string{"code", "source", "script", "program", "snippet", "go"}
	innerKeys = []string{"arguments", "args", "input", "parameters", "params", "function", "tool_input", "content", "tool_calls"}
)

const (
	maxWraps   = 5       // how deep in objects and lists code may be
	maxWrapped = 4 << 20 // bytes of a text that is looked into
)

// Unwrapped is the code in text, if text is an object of JSON that has some, or a fence or tags with one; else text. Positions in
// the code are those of the code alone.
func Unwrapped(text string) string {
	if len(text) > maxWrapped {
		return text
	}
	inner := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	inner = strings.TrimSpace(withoutWords(inner))
	if plain, ok := markdown.WithoutTags(inner); ok { // <tool_call>{"code": ...}</tool_call>
		inner = strings.TrimSpace(plain)
	}
	inner = strings.TrimSpace(strings.TrimPrefix(inner, "[TOOL_CALLS]"))
	if code, ok := codeIn(inner, maxWraps); ok {
		return code
	}
	return text
}

// withoutWords is text without the lines of prose and the fences before and behind an object of JSON.
func withoutWords(text string) string {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if !isWords(line) {
			break
		}
		text = rest
	}
	for text != "" {
		start := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
		if !isWords(text[start:]) {
			break
		}
		text = text[:start]
	}
	return text
}

// isWords tells whether a line is no part of an object of JSON.
func isWords(line string) bool {
	mark, info, fence := markdown.FenceLine(line)
	return strings.TrimSpace(line) == "" || fence && mark[0] == '`' && (info == "" || info == "json") || markdown.IsProse(line)
}

// codeIn is the code in an object of JSON, or in the only one of a list that has some, as a call behind words has.
func codeIn(text string, deep int) (code string, ok bool) {
	if deep > 0 && strings.HasPrefix(text, "[") {
		var list []json.RawMessage
		if json.Unmarshal([]byte(text), &list) != nil {
			return "", false
		}
		for _, part := range list {
			if in, has := codeIn(string(part), deep-1); has && ok {
				return "", false
			} else if has {
				code, ok = in, true
			}
		}
		return code, ok
	}
	if deep == 0 || !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return "", false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return "", false
	}
	for _, key := range slices.Concat(codeKeys, innerKeys) {
		value, ok := object[key]
		if !ok {
			continue
		}
		var code string
		isText := json.Unmarshal(value, &code) == nil
		if isText && slices.Contains(codeKeys, key) {
			return code, true
		}
		if !isText {
			code = string(value)
		}
		if code, ok = codeIn(strings.TrimSpace(code), deep-1); ok {
			return code, true
		}
	}
	return "", false
}
