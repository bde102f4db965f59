package builtins

import "html"

// htmlEscapeString charges for the text that escaping makes.
func htmlEscapeString(e *Env) func(string) string {
	return func(s string) string {
		e.payText(tickTime, len(s))
		more := 0
		for i := range len(s) {
			switch s[i] {
			case '<', '>':
				more += len("&lt;") - 1
			case '&', '\'', '"':
				more += len("&amp;") - 1
			}
		}
		if more > 0 {
			e.charge(int64(len(s) + more))
		}
		return html.EscapeString(s)
	}
}
