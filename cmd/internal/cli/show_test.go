package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNothingToObey: a block about an error has nothing in it that a terminal would obey, in whichever
// part of what a script, or its worker, says of itself.
func TestNothingToObey(t *testing.T) {
	const evil = "a\x1b]0;title\x07\x9b2J\u202e\u009b\r"
	at := diag.Position{Name: evil, Line: 3, Column: 1}
	stack := []sandtrap.Frame{{Func: evil, Pos: at}}
	tasks := []sandtrap.Task{{ID: 1, State: evil, Stack: stack, Creator: 2, Created: stack[0]}}
	for _, kind := range []sandtrap.Kind{sandtrap.KindPanic, sandtrap.KindDeadlock, sandtrap.KindTimeout, sandtrap.KindType, sandtrap.KindExit, sandtrap.KindWorker} {
		for _, of := range [][]sandtrap.Task{nil, tasks} {
			var out bytes.Buffer
			c := &call{stderr: &out}
			c.printError(&sandtrap.Error{Kind: kind, Message: evil, Hint: evil, Pos: at, Stack: stack, Tasks: of, More: []*sandtrap.Error{{Kind: kind, Message: evil, Pos: at}}})
			if text := out.String(); !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\x07\u009b\r\u202e") || !strings.Contains(text, `a\x1b]0;title\x07\x9b2J\u202e\u009b\r`) {
				t.Errorf("%s: %q", kind, text)
			}
		}
	}
}
