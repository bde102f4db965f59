package yaegi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

func TestGoSyntax(t *testing.T) {
	cycle := []any{nil}
	cycle[0] = cycle
	loop := map[string]any{}
	loop["a"] = loop
	deep := any(1)
	for range 1000 {
		deep = []any{deep}
	}
	type node struct{ next *node }
	self := &node{}
	self.next = self
	const tooLarge = "(too large to show)"
	for _, tc := range []struct {
		name string
		v    any
		want string
	}{
		{"number", 7, "7"},
		{"nil", nil, "<nil>"},
		{"text", "a\"b", `"a\"b"`},
		{"slice", []string{"a"}, `[]string{"a"}`},
		{"hexadecimal", []uint32{0xdeadbeef}, `[]uint32{0xdeadbeef}`},
		{"slice in itself", cycle, tooLarge},
		{"map in itself", loop, tooLarge},
		{"deep", deep, tooLarge},
		{"long text", strings.Repeat("x", maxEchoSize), tooLarge},
		{"long slice", make([]int, maxEchoSize), tooLarge},
		{"pointer to itself", self, "&yaegi.node{next:(*yaegi.node)(0x0)}"},
		{"function", strings.ToUpper, "(func(string) string)(0x0)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := goSyntax(tc.v, asGo); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// asGo prints all that a value holds.
func asGo(v any) fmt.Formatter { return (&engine.Run{Host: showAll{}}).Shown(v) }
