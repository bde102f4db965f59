package durabletest

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestAnotherPolicy: a journal is gone on with under its policy alone: whatever of that a script can see, and its limits, is part
// of the run. Its isolation is not.
func TestAnotherPolicy(t *testing.T) {
	policy := func() sandtrap.Policy {
		p := corpusPolicy(sandtrap.None, true)
		p.Funcs["limit"], p.Funcs["names"] = 5, [1]string{"a"}
		p.Packages = []sandtrap.Package{{Path: "own", Members: map[string]any{"N": 1, "F": func() int { return 1 }}}}
		p.Env = map[string]string{"A": "1"}
		return p
	}
	_, pause, err := mustBox(t, policy()).Start(t.Context(), sandtrap.Script{Text: `fmt.Println(ask("a"), limit)`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := saved(t, pause)
	for name, change := range map[string]func(p *sandtrap.Policy){
		"a constant":              func(p *sandtrap.Policy) { p.Funcs["limit"] = 6 },
		"a value":                 func(p *sandtrap.Policy) { p.Funcs["names"] = [1]string{"b"} },
		"a constant of a package": func(p *sandtrap.Policy) { p.Packages[0].Members["N"] = 2 },
		"a function less":         func(p *sandtrap.Policy) { delete(p.Funcs, "keep") },
		"a package less":          func(p *sandtrap.Policy) { p.Std = p.Std[1:] },
		"a member less":           func(p *sandtrap.Policy) { p.Exclude = []string{"strings.Repeat"} },
		"a parameter's type":      func(p *sandtrap.Policy) { p.Packages[0].Members["F"] = func(int) int { return 1 } },
		"the environment":         func(p *sandtrap.Policy) { p.Env["A"] = "2" },
		"a limit":                 func(p *sandtrap.Policy) { p.Limits.Ticks++ },
		"echo":                    func(p *sandtrap.Policy) { p.Echo = "" },
		"no files":                func(p *sandtrap.Policy) { p.Files = nil },
		"a quota":                 func(p *sandtrap.Policy) { p.Files = &sandtrap.Files{Quota: vfs.Quota{Bytes: 7}} },
		"the working directory":   func(p *sandtrap.Policy) { p.Files = &sandtrap.Files{Cwd: "/x"} },
	} {
		p := policy()
		change(&p)
		if _, _, err := mustBox(t, p).Resume(t.Context(), bytes.NewReader(file), nil); !errors.Is(err, durable.ErrDiverged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(p *sandtrap.Policy){
		"isolation":       func(p *sandtrap.Policy) { p.Isolation = sandtrap.Process },
		"a function":      func(p *sandtrap.Policy) { p.Packages[0].Members["F"] = func() int { return 2 } },
		"seed and epoch":  func(p *sandtrap.Policy) { p.Seed, p.Epoch = 99, time.Now() },
		"nothing changes": func(p *sandtrap.Policy) {},
	} {
		p := policy()
		change(&p)
		if _, again, err := mustBox(t, p).Resume(t.Context(), bytes.NewReader(file), nil); err != nil || !bytes.Equal(saved(t, again), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
