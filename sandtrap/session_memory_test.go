package sandtrap_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// limitedSession is a session of which no more may be held than that.
func limitedSession(t *testing.T, bytes int64) *sandtrap.Session {
	t.Helper()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: bytes}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// untilMemory runs the cells that make gives until one ends for the memory, and returns how
// many did not.
func untilMemory(t *testing.T, s *sandtrap.Session, most int, cell func(i int) string) int {
	t.Helper()
	for i := range most {
		res, err := s.Run(context.Background(), sandtrap.Script{Text: cell(i)})
		if e := res.Error; e != nil {
			if e.Kind != sandtrap.KindMemory {
				t.Fatalf("cell %d: %v", i, err)
			}
			return i
		}
	}
	return most
}

// TestSessionMemoryIsOfAllCells: what earlier cells hold counts in later ones, and what
// nothing holds any more does not.
func TestSessionMemoryIsOfAllCells(t *testing.T) {
	s := limitedSession(t, 64<<20)
	if n := untilMemory(t, s, 50, func(i int) string { return fmt.Sprintf("a%d := make([]byte, 5<<20)", i) }); n < 9 || n > 12 {
		t.Errorf("%d cells could keep 5 MiB each, want what is in 64 MiB", n)
	}
	s = limitedSession(t, 64<<20)
	if n := untilMemory(t, s, 50, func(i int) string { return "a := make([]byte, 5<<20)" }); n < 50 {
		t.Errorf("cell %d ends for the memory, where each lets go of what the one before held", n)
	}
}

// TestSessionCodeCounts: the code of functions that names lead to is memory of the session.
func TestSessionCodeCounts(t *testing.T) {
	body := strings.Repeat("x = x*3 ^ 5\n", 2000)
	long := func(name string) string { return "func " + name + "(x int) int {\n" + body + "return x }" }
	s := limitedSession(t, 4<<20)
	if n := untilMemory(t, s, 40, func(i int) string { return long(fmt.Sprintf("f%d", i)) }); n == 40 {
		t.Errorf("%d functions of %d bytes are held in 4 MiB", n, len(body))
	} else {
		t.Logf("%d functions of %d bytes", n, len(body))
	}
	s = limitedSession(t, 4<<20)
	if n := untilMemory(t, s, 40, func(i int) string { return long("f") }); n < 40 {
		t.Errorf("cell %d ends for the memory, where each declares the same function again", n)
	}
}

// TestCallsCountWhatIsHeld: a function that is called after its run has no room of its own
// for each call.
func TestCallsCountWhatIsHeld(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: "var all [][]byte\nkeep := func() { all = append(all, make([]byte, 5<<20)) }"})
	if err != nil {
		t.Fatal(err)
	}
	keep := res.Vars["keep"].(*sandtrap.Func)
	for i := range 50 {
		if _, err := keep.Call(t.Context()); err != nil {
			if !errors.Is(err, sandtrap.KindMemory) || i < 9 {
				t.Errorf("call %d: %v", i, err)
			}
			return
		}
	}
	t.Error("50 calls could keep 5 MiB each in 64 MiB")
}
