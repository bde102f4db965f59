package markdown

import "strings"

// Tags that models put around code, each on its line or at an end of the text. Those in thoughts go with all that is
// between them, of the others only the tags.
var (
	thoughts = []string{"think", "thinking", "thought", "reasoning", "reflection"}
	wrappers = []string{"code", "pre", "go", "golang", "answer", "output", "response", "result", "solution", "snippet", "tool_call", "tool_code", "function_call", "execute", "run"}
)

// WithoutTags is text without them, and as long; false if there are none.
func WithoutTags(text string) (string, bool) {
	out, found := []byte(text), false
	for _, name := range thoughts {
		for from := 0; ; {
			start, after, ok := tagAt(text, from, "<"+name+">")
			if !ok {
				break
			}
			end := after
			if i := strings.Index(text[after:], "</"+name+">"); i >= 0 {
				end += i + len("</"+name+">")
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

// tagAt finds a tag from an offset on that begins or ends a line.
func tagAt(text string, from int, tag string) (start, after int, ok bool) {
	for {
		i := strings.Index(text[from:], tag)
		if i < 0 {
			return 0, 0, false
		}
		start, after = from+i, from+i+len(tag)
		before := text[strings.LastIndexByte(text[:start], '\n')+1 : start]
		rest, _, _ := strings.Cut(text[after:], "\n")
		if strings.TrimSpace(before) == "" || strings.TrimSpace(rest) == "" {
			return start, after, true
		}
		from = after
	}
}

// unquoted is text without the backticks around all of it, and as long, if these are the only ones and hold a call or
// an assignment, which no raw string would: models quote short code so.
func unquoted(text string) (string, bool) {
	trimmed := strings.TrimSpace(text)
	if len(trimmed) < 3 || trimmed[0] != '`' || trimmed[len(trimmed)-1] != '`' || strings.Count(trimmed, "`") != 2 {
		return "", false
	}
	inner := trimmed[1 : len(trimmed)-1]
	if !strings.ContainsAny(inner, "(=") || strings.Contains(inner, "\n") {
		return "", false
	}
	return strings.ReplaceAll(text, "`", " "), true
}
