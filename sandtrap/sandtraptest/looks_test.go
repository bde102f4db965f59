package sandtraptest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A counted context counts how often the run looks at it.
type counted struct {
	context.Context
	looks atomic.Int64
}

func (c *counted) Err() error {
	c.looks.Add(1)
	return c.Context.Err()
}

// TestLooksInLongInstructions wants single instructions over much memory to let stops
// through: each of these moves or compares 32 times 8 MiB with few ticks. A text is
// hashed in one go, after a look.
func TestLooksInLongInstructions(t *testing.T) {
	const setup = "s := strings.Repeat(\"a\", 8<<20)\nu := strings.Repeat(\"a\", 8<<20)\nn := 0\n_, _ = u, n\n"
	for name, src := range map[string]string{
		"nothing":         "",
		"text == text":    "for range 32 { if s == u { n++ } }",
		"structs":         "type T struct{ a, b, c, d string }\nx, y := T{s, s, s, s}, T{u, u, u, u}\nfor range 8 { if x == y { n++ } }",
		"arrays":          "x, y := [4]string{s, s, s, s}, [4]string{u, u, u, u}\nfor range 8 { if x == y { n++ } }",
		"interfaces":      "var x, y any = s, u\nfor range 32 { if x == y { n++ } }",
		"keys":            "m := map[string]int{}\nfor range 16 { m[s]++ ; delete(m, s) }",
		"interface keys":  "var k any = s\nm := map[any]int{}\nfor range 16 { m[k]++ }",
		"struct keys":     "type K struct{ a, b string }\nm := map[K]int{}\nfor range 16 { m[K{s, s}]++ }",
		"converted":       "for range 16 { _ = string([]byte(s)) }",
		"copied":          "x, y := make([]int, 1<<20), make([]int, 1<<20)\nfor range 32 { copy(x, y) }",
		"joined together": "for range 16 { _ = s + u }",
	} {
		t.Run(name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.Default(), Engine: "vm"})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			ctx := &counted{Context: t.Context()}
			if _, err := box.Run(ctx, sandtrap.Script{Text: setup + src}); err != nil {
				t.Fatal(err)
			}
			want := int64(32 * 16)
			if strings.HasSuffix(name, "keys") {
				want = 16
			}
			if looks := ctx.looks.Load(); (looks < want) != (src == "") {
				t.Errorf("the run looked %d times, want at least %d", looks, want)
			}
		})
	}
}
