package template

import (
	"html"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// HtmlEscapeString charges for the text that escaping makes.
func HtmlEscapeString(e *shim.Env) func(string) string {
	return func(s string) string {
		e.PayText(2*shim.TickTime, len(s))
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
			e.Charge(2 * int64(len(s)+more)) // once as bytes, once as a string
		}
		return html.EscapeString(s)
	}
}
