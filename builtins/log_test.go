package builtins

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"
	"time"

	shimlog "github.com/sandtrap-go/sandtrap/builtins/internal/shim/log"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// TestLog compares headers with those of Go's log, for every set of flags that
// does not ask for a place in the source.
func TestLog(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 6000, time.FixedZone("HOST", 3600))
	e := &Env{Clock: shimtest.Clock(at)}
	newLogger := value[func(io.Writer, string, int) *shimlog.Logger](t, e, Ref{Kind: abi.BindFunc, Path: "log", Name: "New"})
	for _, tc := range []struct {
		flags int
		want  string
	}{
		{0, "p: x\n"},
		{log.LstdFlags, "p: 2024/01/02 02:04:05 x\n"},
		{log.Lmicroseconds, "p: 02:04:05.000006 x\n"},
		{log.Ldate | log.Lmsgprefix, "2024/01/02 p: x\n"},
	} {
		var b strings.Builder
		newLogger(&b, "p: ", tc.flags).Println("x")
		if got := b.String(); got != tc.want {
			t.Errorf("flags %b: got %q, want %q", tc.flags, got, tc.want)
		}
	}
}

func TestLogFatal(t *testing.T) {
	var errs bytes.Buffer
	code := -1
	e := &Env{Stderr: &errs, Gates: shimtest.Gates{OnExit: func(c int) { code = c; panic(shimtest.ErrRefused) }}}
	value[func(int)](t, e, Ref{Kind: abi.BindFunc, Path: "log", Name: "SetFlags"})(0)
	fatal := value[func(string, ...any)](t, e, Ref{Kind: abi.BindFunc, Path: "log", Name: "Fatalf"})
	if got := shimtest.Outcome(func() { fatal("%d", 1) }); got != shimtest.ErrRefused || code != 1 || errs.String() != "1\n" {
		t.Errorf("got %v, code %d, %q", got, code, errs.String())
	}
	if got := fmt.Sprint(shimtest.Outcome(func() {
		value[func(...any)](t, e, Ref{Kind: abi.BindFunc, Path: "log", Name: "Panic"})("x")
	})); got != "x" {
		t.Errorf("Panic: got %q", got)
	}
}
