package sandtraptest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNothingRunsHere: with isolation no part of a script is looked at in this process:
// what has no way to a worker yet is refused.
func TestNothingRunsHere(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Process})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if s, err := box.Session(); !errors.Is(err, sandtrap.ErrPolicy) {
		t.Errorf("a session: %v, %v", s, err)
	}
	report, err := box.Check(t.Context(), sandtrap.Script{Text: "x := 1\nprintln(x)"})
	if err != nil || report.Rewritten() == "" {
		t.Errorf("a check: %v, %v", report, err)
	}
	if _, err := box.Check(t.Context(), sandtrap.Script{Text: "x := \"a\" + 1"}); !errors.Is(err, sandtrap.ErrType) || !errors.Is(err, sandtrap.ErrRefused) {
		t.Errorf("a check of what is no Go: %v", err)
	}
}
