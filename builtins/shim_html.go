package builtins

import "html"

// htmlEscapeString charges for the text that escaping makes.
func htmlEscapeString(e *Env) func(string) string {
	return func(s string) string {
		e.payText(2*tickTime, len(s))
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
			e.charge(2 * int64(len(s)+more)) // once as bytes, once as a string
		}
		return html.EscapeString(s)
	}
}
