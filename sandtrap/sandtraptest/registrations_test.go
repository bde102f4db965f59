package sandtraptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestWrongRegistrations: what a host gets wrong in a policy is an error that names the field
// and the reason.
func TestWrongRegistrations(t *testing.T) {
	pkg := func(p sandtrap.Package) sandtrap.Policy {
		if p.Path == "" {
			p.Path = "corp/x"
		}
		return sandtrap.Policy{Packages: []sandtrap.Package{p}}
	}
	member := func(name string, v any) sandtrap.Policy {
		return pkg(sandtrap.Package{Members: map[string]any{name: v}})
	}
	funcs := func(name string, v any) sandtrap.Policy { return sandtrap.Policy{Funcs: map[string]any{name: v}} }
	f := func() {}
	for _, tc := range []struct {
		name   string
		policy sandtrap.Policy
		want   []string
	}{
		{"nil func", funcs("f", nil), []string{"Funcs", "f", "nil"}},
		{"typed nil func", funcs("f", (func())(nil)), []string{"Funcs", "f", "nil"}},
		{"no name", funcs("", f), []string{"Funcs", `""`}},
		{"no identifier", funcs("get-price", f), []string{"Funcs", "get-price"}},
		{"keyword", funcs("range", f), []string{"Funcs", "range"}},
		{"reserved", funcs("__st", f), []string{"Funcs", "__st"}},
		{"dotted", funcs("db.Get", f), []string{"Funcs", "db.Get"}},
		{"unexported member", member("get", f), []string{"Packages", "corp/x", "get"}},
		{"no path", sandtrap.Policy{Packages: []sandtrap.Package{{Members: map[string]any{"F": f}}}}, []string{"Packages", "import path"}},
		{"path of blanks", pkg(sandtrap.Package{Path: "a b", Members: map[string]any{"F": f}}), []string{"Packages", "a b"}},
		{"no package name", pkg(sandtrap.Package{Path: "corp/my-tools", Members: map[string]any{"F": f}}), []string{"Packages", "my-tools", "Name"}},
		{"package name", pkg(sandtrap.Package{Name: "no name", Members: map[string]any{"F": f}}), []string{"Packages", "no name"}},
		{"empty", pkg(sandtrap.Package{}), []string{"Packages", "corp/x", "Members"}},
		{"path twice", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Members: map[string]any{"F": f}}, {Path: "a", Members: map[string]any{"G": f}}}}, []string{"Packages", `"a"`, "twice"}},
		{"bad pattern", pkg(sandtrap.Package{Members: map[string]any{"F": f}, Include: []string{"[F"}}), []string{"Packages", "[F"}},
		{"include of nothing", pkg(sandtrap.Package{Members: map[string]any{"F": f}, Include: []string{"G"}}), []string{"Packages", "G"}},
		{"comment on nothing", pkg(sandtrap.Package{Members: map[string]any{"F": f}, Docs: map[string]string{"G": "G is not there."}}), []string{"Packages", "G"}},
		{"comment on no func", sandtrap.Policy{Funcs: map[string]any{"f": f}, Docs: map[string]string{"g": "g is not there."}}, []string{"Docs", "g"}},
		{"std", sandtrap.Policy{Std: []string{"stings"}}, []string{"Std", "stings", "strings"}},
		{"std denied", sandtrap.Policy{Std: []string{"os/exec"}}, []string{"Std", "os/exec"}},
		{"std member", sandtrap.Policy{Std: []string{"strings.Repeat"}}, []string{"Std", "strings.Repeat"}},
		{"exclude", sandtrap.Policy{Std: []string{"strings"}, Exclude: []string{"strings.Repat"}}, []string{"Exclude", "Repat", "strings"}},
		{"wrapper", sandtrap.Policy{Wrappers: []any{f}}, []string{"Wrappers", "func()"}},
		{"wrapper of nothing", sandtrap.Policy{Wrappers: []any{nil}}, []string{"Wrappers"}},
		{"files", sandtrap.Policy{Files: &sandtrap.Files{Quota: vfs.Quota{Open: -1}}}, []string{"Files.Quota"}},
		{"engine", sandtrap.Policy{Engine: "v8"}, []string{"Engine", "v8", "vm"}},
		{"echo", sandtrap.Policy{Echo: "some"}, []string{"Echo", "some", "last"}},
		{"isolation", sandtrap.Policy{Isolation: "docker"}, []string{"Isolation", "docker", "kernel"}},
		{"timeout", sandtrap.Policy{Limits: sandtrap.Limits{Timeout: -time.Second}}, []string{"Limits.Timeout", "negative"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := sandtrap.New(t.Context(), tc.policy)
			t.Log(err)
			if !errors.Is(err, sandtrap.ErrPolicy) {
				t.Fatalf("error %v", err)
			}
			for _, part := range tc.want {
				if !strings.Contains(fmt.Sprint(err), part) {
					t.Errorf("no %q in: %v", part, err)
				}
			}
		})
	}
}
