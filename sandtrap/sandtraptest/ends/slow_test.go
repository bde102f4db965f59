package ends

import (
	"strings"
	"testing"
)

// slowly are programs whose single steps take long.
var slowly = map[string]string{
	"copies":     "a, b := make([]byte, 20<<20), make([]byte, 20<<20)\nfor { copy(a, b) }",
	"comparing":  "a := strings.Repeat(\"x\", 20<<20)\nb := strings.Repeat(\"x\", 20<<20)\nn := 0\nfor { if a == b { n++ } }",
	"host calls": "a := strings.Repeat(\"x\", 20<<20)\nfor { strings.Index(a, \"y\") }",
	"arrays":     "type A [1 << 20]int\nfunc f() { var a, b A; for { if a != b { return } } }\nf()",
	"straight":   "n := 1\nfor { " + strings.Repeat("n = n*3 + 1; ", 8_000) + "}",
}

// TestSlowSteps: a stop does not wait for many steps that each take long.
func TestSlowSteps(t *testing.T) { wantStopped(t, slowly) }
