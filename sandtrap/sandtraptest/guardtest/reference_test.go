package guardtest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// guarded is a policy with members that a guard hides, refuses and opens.
func guarded() sandtrap.Policy {
	p := rig.Pure()
	p.Funcs = map[string]any{
		"search": sandtrap.Member{Value: func(text string) []string { return nil }, Doc: "search looks up a text.", Params: []string{"text"}},
		"wipe":   sandtrap.Member{Value: func() error { return nil }, Risk: decide.Critical},
		"reset":  sandtrap.Member{Value: func() {}, Doc: "reset forgets all."},
	}
	p.Packages = []sandtrap.Package{{Path: "example.com/mail", Members: map[string]any{
		"Send": sandtrap.Member{Value: func(to string) error { return nil }, Risk: decide.High}, "Purge": func() {}, "Limit": 7,
	}}}
	p.Guard = &guard.Policy{Hidden: []string{"reset", "example.com/mail.Purge"}, MaxRisk: decide.High}
	return p
}

// TestReferenceHidden: members that the guard hides are not in the reference for a model; what it refuses for another reason is, and
// so is what is no function. A tightening hides more.
func TestReferenceHidden(t *testing.T) {
	plan, err := sandtrap.Compile(guarded())
	if err != nil {
		t.Fatal(err)
	}
	there := func(want ...string) {
		t.Helper()
		text, err := plan.Reference()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"search", "wipe", "reset", "forgets", "Send", "Purge", "Limit"} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == name
			}
			if strings.Contains(text, name) != wanted {
				t.Errorf("%s is there: %v\n%s", name, !wanted, text)
			}
		}
	}
	there("search", "wipe", "Send", "Limit")
	if err := plan.Tighten(&guard.Policy{Hidden: []string{"example.com/mail.Send", "wipe"}}); err != nil {
		t.Fatal(err)
	}
	there("search", "Limit")
}

// TestExplainGuarded: a guard opens nothing, so what a policy opens is said with one as without.
func TestExplainGuarded(t *testing.T) {
	const want = `Std time: functions that need: clock
Packages example.com/mail: the host runs its functions and methods, and shares its variables
Funcs reset: the host runs it, or shares it if it is a value
Funcs search: the host runs it, or shares it if it is a value
Funcs wipe: the host runs it, or shares it if it is a value
Files.Open: files of the file system that it returns, which the host reads and changes for scripts, within Files.Quota
Files.Paths /tmp:rw: what is below it to read, but for secrets such as .env and keys; the host changes it for scripts, within Files.Quota
Isolation none: no wall: who finds a defect of the engine is in the process of the host
`
	p := guarded()
	p.Std = []string{"strings", "time"}
	p.Files = &sandtrap.Files{Paths: []string{"/tmp:rw"}}
	text := ""
	plan, err := sandtrap.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range plan.Explain() {
		text += e.Cause + ": " + e.Opens + "\n"
	}
	if text != want {
		t.Errorf("got\n%s", text)
	}
}
