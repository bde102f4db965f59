package sandtrap

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestCompileTimeout gives up a script that is compiled for longer than it may run.
func TestCompileTimeout(t *testing.T) {
	var src strings.Builder
	src.WriteString("package main\n")
	for i := range 3000 {
		fmt.Fprintf(&src, "func f%d(n int) int { if n > %[1]d { return n*%[1]d + 1 }; return n - %[1]d }\n", i)
	}
	src.WriteString("func main() {}\n")
	for _, run := range []func(*Sandbox, Script) error{
		func(box *Sandbox, s Script) error { _, err := box.Run(t.Context(), s); return err },
		func(box *Sandbox, s Script) error { _, err := box.Check(t.Context(), s); return err },
	} {
		box, err := New(t.Context(), Policy{Limits: Limits{Timeout: time.Millisecond, Source: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		err = run(box, Script{Text: src.String()})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != KindTimeout || e.Hint != stillCompiling {
			t.Errorf("got %v", err)
		}
	}
}
