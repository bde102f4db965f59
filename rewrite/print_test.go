package rewrite

import (
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
)

// TestTextOfNestedLiterals wants the text of what go/printer takes very long
// for at once, and wants it to be the same program.
func TestTextOfNestedLiterals(t *testing.T) {
	tests := []struct {
		name        string
		open, close string
	}{
		{"statements", "_ = func() { x := 1; _ = x; ", "}\n"},
		{"arguments", "use(func() {\n", "\n}, 1)\n"},
		{"one line", "use(func() { use(nil, 1) ;", "}, 1)"},
		{"values", "_ = func() { \n", "\n}\n"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			depth := 190 / strings.Count(tc.open, "(") // what the bound on nesting lets through
			src := "package main\nvar f func() func()\nfunc use(f func(), n int) {}\nfunc main() {\n" +
				strings.Repeat(tc.open, depth) + strings.Repeat(tc.close, depth) + "}\n"
			p := lower(t, src)
			rewritetest.InTime(t, 300*time.Millisecond, func() { _ = p.Text() })
			if err := recheck(p); err != nil {
				t.Error(err)
			}
		})
	}
}
