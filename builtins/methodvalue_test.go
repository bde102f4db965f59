package builtins

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

func TestMethodValue(t *testing.T) {
	env := &Env{}
	var b strings.Builder
	write := value[func(*strings.Builder) func(string) (int, error)](t, env,
		Ref{Kind: abi.BindMethodValue, Path: "strings", Owner: "Builder", Name: "WriteString", Pointer: true})(&b)
	if n, err := write("xyz"); n != 3 || err != nil || b.String() != "xyz" {
		t.Errorf("WriteString: got %d, %v, %q", n, err, b.String())
	}
	d := time.Minute
	hours := value[func(time.Duration) func() float64](t, env,
		Ref{Kind: abi.BindMethodValue, Path: "time", Owner: "Duration", Name: "Minutes"})(d)
	d = 0
	if got := hours(); got != 1 {
		t.Errorf("Minutes of a kept receiver: got %v, want 1", got)
	}
	text := value[func(fmt.Stringer) func() string](t, env,
		Ref{Kind: abi.BindMethodValue, Path: "fmt", Owner: "Stringer", Name: "String"})
	if got := shimtest.Outcome(func() { text(nil) }); got == nil {
		t.Error("a method of a nil interface was taken without a panic")
	}
	if got := text(time.Second)(); got != "1s" {
		t.Errorf("String: got %q", got)
	}
}
