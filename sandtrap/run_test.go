package sandtrap

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// An asked context keeps the stacks of those who ask whether it is over.
type asked struct {
	context.Context
	stacks *[]string
}

func (c asked) Err() error {
	*c.stacks = append(*c.stacks, string(debug.Stack()))
	return c.Context.Err()
}

// Runs that nothing holds up stay on the goroutine of the caller, those of new programs too
// if they are short; others have one of their own, which can be given up.
func TestGoroutineOfRun(t *testing.T) {
	const spin = "package main\nfunc main() { for range 1000000 {} }\n"
	files := func(root string) *Files {
		return &Files{Open: func() (afero.Fs, error) { return afero.NewMemMapFs(), nil }, ModuleRoot: root}
	}
	for _, tc := range []struct {
		name   string
		policy Policy
		script Script
		own    bool // a goroutine of its own
	}{
		{"short", Policy{}, Script{Text: spin}, false},
		{"long", Policy{}, Script{Text: spin + strings.Repeat(" ", briefText)}, true},
		{"types of its own", Policy{}, Script{Text: spin + "type T int"}, true},
		{"standard input", Policy{}, Script{Text: spin, Stdin: strings.NewReader("")}, true},
		{"a function of the host", Policy{Funcs: map[string]any{"f": func() {}}}, Script{Text: strings.Replace(spin, "for", "f(); for", 1)}, true},
		{"files", Policy{Files: files("")}, Script{Text: spin}, false},
		{"packages in files", Policy{Files: files("/")}, Script{Text: spin}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			box, err := New(t.Context(), tc.policy)
			if err != nil {
				t.Fatal(err)
			}
			var stacks []string
			if _, err := box.Run(asked{t.Context(), &stacks}, tc.script); err != nil {
				t.Fatal(err)
			}
			stacks = slices.DeleteFunc(stacks, func(s string) bool { return !strings.Contains(s, "(*run).execute") })
			if len(stacks) == 0 {
				t.Fatal("nobody asked while the script ran")
			}
			for _, s := range stacks {
				if own := !strings.Contains(s, "TestGoroutineOfRun"); own != tc.own {
					t.Fatalf("on a goroutine of its own: %v, want %v\n%s", own, tc.own, s)
				}
			}
		})
	}
}
