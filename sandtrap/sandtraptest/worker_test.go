package sandtraptest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNothingRunsHere: with isolation no part of a script is looked at in this process.
func TestNothingRunsHere(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Process})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	report, err := box.Check(t.Context(), sandtrap.Script{Text: "x := 1\nprintln(x)"})
	if err != nil || report.Rewritten() == "" {
		t.Errorf("a check: %v, %v", report, err)
	}
	if _, err := box.Check(t.Context(), sandtrap.Script{Text: "x := \"a\" + 1"}); !errors.Is(err, sandtrap.ErrType) || !errors.Is(err, sandtrap.ErrRefused) {
		t.Errorf("a check of what is no Go: %v", err)
	}
}
