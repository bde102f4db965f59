package yaegi

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// TestNotCompiledIsARefusal runs what the interpreter does not compile.
func TestNotCompiledIsARefusal(t *testing.T) {
	o, _, _, out := runSource(t, `package main
func main() {
	print("ran")
	a := []byte("ab")
	b := (*[2]byte)(a)
	p := &b[0]
	*p = 1
}`, gates.Limits{Ticks: 1000})
	r, ok := errors.AsType[diag.Rejections](o.Fault)
	if !ok || len(r) != 1 {
		t.Fatalf("got %v, %v; want one rejection", o.Fault, o.Panic)
	}
	if r[0].Code != diag.EngineCannot || r[0].Pos.Line != 6 {
		t.Errorf("got code %v at line %d, want EngineCannot at line 6", r[0].Code, r[0].Pos.Line)
	}
	if out != "" {
		t.Errorf("it printed %q", out)
	}
}
