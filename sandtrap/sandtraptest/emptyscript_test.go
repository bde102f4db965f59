package sandtraptest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// empty are texts without code, in the forms in which models send it.
var empty = []string{"", "  \n\t\n", "```go\n```", "```\n\n```\n", "Here it is:\n```go\n\n```\n", "{\"code\": \"\"}", "{\"code\": \" \\n\"}", "<code></code>", "<think>hm</think>", "<think>hm</think>\n```go\n```"}

// TestEmptyScript: a text without code is refused as such, in each form and each mode, as a cell too; comments alone
// are a script that does nothing.
func TestEmptyScript(t *testing.T) {
	refused := func(b bench, text string, res *sandtrap.Result, err error) {
		if e, ok := errors.AsType[*sandtrap.Error](err); !ok || e.Kind != sandtrap.KindSyntax || !errors.Is(err, sandtrap.ErrRefused) || res.Error != e || e.Pos.Line == 0 || e.Hint == "" {
			b.Errorf("%q: %v, %v", text, err, res.Error)
		}
	}
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for _, text := range empty {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			refused(b, text, res, err)
			if _, err := box.Check(b.Context(), sandtrap.Script{Text: text}); !errors.Is(err, sandtrap.ErrRefused) {
				b.Errorf("%q is checked: %v", text, err)
			}
		}
		for _, text := range []string{"// nothing", "/* nothing */\n", "```go\n// nothing\n```", ";"} {
			if res, err := box.Run(b.Context(), sandtrap.Script{Text: text}); err != nil || len(res.Vars) > 0 {
				b.Errorf("%q: %v, %v", text, res.Vars, err)
			}
		}
	})
	eachSession(t, func(b bench) {
		s := b.Session(pure())
		for _, text := range empty {
			res, err := s.Run(b.Context(), sandtrap.Script{Text: text})
			refused(b, text, res, err)
		}
		b.Cells(s, cell{"// nothing", ""}, cell{"1 + 1", "= 2"})
	})
}
