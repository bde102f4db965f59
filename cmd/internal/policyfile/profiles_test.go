package policyfile

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// An approver notes that it was asked.
type approver struct{ asked *bool }

func (a approver) Ask(context.Context, []decide.Request) ([]decide.Answer, error) {
	*a.asked = true
	return nil, nil
}

// tried is what becomes of a call under a profile: made, asked, or the text of the refusal.
func tried(t *testing.T, profile, text string, funcs map[string]any) string {
	t.Helper()
	var p sandtrap.Policy
	f := New(&p)
	if err := f.Extend(profile); err != nil {
		t.Fatal(err)
	}
	asked := false
	f.Guard.Approver = approver{&asked}
	p.Funcs, p.Guard = funcs, f.GuardOf(*f.Guard)
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	_, err = box.Run(context.Background(), sandtrap.Script{Text: text})
	switch {
	case asked:
		return "asked"
	case err != nil:
		return err.Error()
	}
	return "made"
}

// TestProfiles: each profile compiles, with functions and without, and decides as it says.
func TestProfiles(t *testing.T) {
	const closed, risk = "the policy denies *", "and the policy allows"
	rows := []struct{ name, open, low, high, critical, restricted string }{ // functions that declare that
		{"agent", "made", "asked", "asked", "asked", "restricted data"},
		{"batch", "made", "made", risk, risk, "restricted data"},
		{"closed", closed, risk, risk, risk, closed},
		{"compute", "made", "made", risk, risk, "restricted data"},
		{"files", "made", "made", risk, risk, "restricted data"},
		{"review", "asked", "asked", "asked", "asked", "asked"},
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.name)
		t.Run(row.name, func(t *testing.T) {
			if got := tried(t, row.name, "println(1)", nil); got != "made" {
				t.Errorf("without functions: %s", got)
			}
			do := func() {}
			funcs := map[string]any{
				"open": do, "low": sandtrap.Member{Value: do, Risk: decide.Low}, "high": sandtrap.Member{Value: do, Risk: decide.High},
				"critical": sandtrap.Member{Value: do, Risk: decide.Critical}, "restricted": sandtrap.Member{Value: do, Class: decide.Restricted},
			}
			for name, want := range map[string]string{"open": row.open, "low": row.low, "high": row.high, "critical": row.critical, "restricted": row.restricted} {
				if got := tried(t, row.name, name+"()", funcs); !strings.Contains(got, want) {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
		})
	}
	if !slices.Equal(names, Profiles()) {
		t.Errorf("there are %v", Profiles())
	}
}

// TestFilesProfile: a script has files, but for those that hold secrets.
func TestFilesProfile(t *testing.T) {
	if got := tried(t, "files", `if err := os.WriteFile("a", nil, 0o600); err != nil { panic(err) }`, nil); got != "made" {
		t.Errorf("a file: %s", got)
	}
	if got := tried(t, "files", `if err := os.WriteFile(".env", nil, 0o600); err != nil { panic(err) }`, nil); !strings.Contains(got, "may hold keys") {
		t.Errorf("a secret: %s", got)
	}
}
