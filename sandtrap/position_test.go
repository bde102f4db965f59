package sandtrap

import (
	"errors"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// TestPanicPosition: the place of a panic is that of the text as sent, prose and
// fence included, and the stack has the script's functions and no others.
func TestPanicPosition(t *testing.T) {
	src := "Try this:\n\n```go\npackage main\n\nfunc c(n int) {\n\tif n > 3 {\n\t\tpanic(\"four\")\n\t}\n}\n\nfunc b(n int) {\n\tc(n)\n}\n\nfunc main() {\n\tb(4)\n}\n```\n"
	_, err := box(t, Policy{}).Run(t.Context(), Script{Text: src, Name: "deep.md"})
	e, _ := errors.AsType[*Error](err)
	if e == nil || e.Kind != KindPanic || e.Message != "four" {
		t.Fatalf("error %v, want a panic with four", err)
	}
	if want := (diag.Position{Name: "deep.md", Line: 8, Column: 3}); e.Pos != want || e.Stack[0].Pos != want {
		t.Errorf("position %v, innermost frame at %v, want %v", e.Pos, e.Stack[0].Pos, want)
	}
	var got []string
	for _, f := range e.Stack {
		got = append(got, f.Func)
		if f.Pos.Name != "deep.md" || f.Pos.Line == 0 {
			t.Errorf("%s has no place in the text: %v", f.Func, f.Pos)
		}
	}
	if want := []string{"main.c", "main.b", "main.main"}; !reflect.DeepEqual(got, want) {
		t.Errorf("stack %q, want %q", got, want)
	}
}
