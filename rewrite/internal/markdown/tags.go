package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tags that models put around code, each on its line or at an end of the text. Those in thoughts go with all that is
// between them, of the others only the tags.
var (
	thoughts = []string{"think", "thinking", "thought", "reasoning", "reflection"}
	wrappers = []string{"code", "pre", "go", "golang", "answer", "output", "response", "result", "solution", "snippet", "tool_call", "tool_code", "function_call", "execute", "run",
		"tool_use", "tool", "function_calls", "invoke", "function", "parameters", "parameter", "arguments", "input", "script", "source", "program"}
)

// WithoutTags is text without them, and as long; false if there are none.
func WithoutTags(text string) (string, bool) {
	out, found := []byte(text), false
	for _, name := range thoughts {
		closing := "</" + name + ">"
		last := strings.LastIndex(text, closing)
		for from := 0; ; {
			start, after, ok := tagAt(text, from, "<"+name+">")
			if !ok {
				break
			}
			end := after
			if last >= after {
				end += strings.Index(text[after:], closing) + len(closing)
			}
			Blank(out, start, end)
			from, found = end, true
		}
	}
	for _, name := range wrappers {
		for _, tag := range []string{"<" + name + ">", "</" + name + ">"} {
			for from := 0; ; found = true {
				start, after, ok := tagAt(text, from, tag)
				if !ok {
					break
				}
				Blank(out, start, after)
				from = after
			}
		}
	}
	return string(out), found
}

// tagAt finds a tag from an offset on that begins or ends a line, with attributes begins one.
func tagAt(text string, from int, tag string) (start, after int, ok bool) {
	for {
		i := strings.Index(text[from:], strings.TrimSuffix(tag, ">"))
		if i < 0 {
			return 0, 0, false
		}
		start, after = from+i, from+i+len(tag)-1
		end := endOfTag(text[after:])
		if end == 0 {
			from = after
			continue
		}
		after += end
		if endsLine(strings.TrimRight(text[:start], " \t\r")) || end == 1 && startsLine(strings.TrimLeft(text[after:], " \t\r")) {
			return start, after, true
		}
		from = after
	}
}

// maxAttributes bounds the bytes behind the name of a tag: the whole text may be one line, with a tag at each place.
const maxAttributes = 200

func endsLine(text string) bool   { return text == "" || strings.HasSuffix(text, "\n") }
func startsLine(text string) bool { return text == "" || strings.HasPrefix(text, "\n") }

// endOfTag is how long the rest of a tag is, which may have attributes, as in <code lang="go"> and <function=run>; 0 if it is none.
func endOfTag(text string) int {
	line, _, _ := strings.Cut(text[:min(len(text), maxAttributes)], "\n")
	end := strings.IndexByte(line, '>') + 1
	if end > 1 && (line[0] != ' ' && line[0] != '=' || !strings.ContainsRune(line[:end], '=')) {
		return 0
	}
	return end
}

// unquoted is text without the backticks around all of it, and as long, if they hold a call or an assignment, which no raw
// string would: models quote short code so. Two on each side, around what begins with a name, may have raw strings in between.
func unquoted(text string) (string, bool) {
	trimmed := strings.TrimSpace(text)
	marks := 1
	if strings.HasPrefix(trimmed, "``") && strings.HasSuffix(trimmed, "``") {
		marks = 2
	}
	if len(trimmed) <= 2*marks || trimmed[0] != '`' || trimmed[len(trimmed)-1] != '`' {
		return "", false
	}
	inner := trimmed[marks : len(trimmed)-marks]
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(inner))
	if marks == 1 && strings.Contains(inner, "`") || marks == 2 && !unicode.IsLetter(first) || !strings.ContainsAny(inner, "(=") || strings.Contains(inner, "\n") {
		return "", false
	}
	before, after, _ := strings.Cut(text, trimmed)
	space := strings.Repeat(" ", marks)
	return before + space + inner + space + after, true
}
