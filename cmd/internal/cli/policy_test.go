package cli

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// TestPolicyText: what is printed of a preset or a profile is that when it is read.
func TestPolicyText(t *testing.T) {
	for _, name := range policyfile.Names() {
		var out, errs bytes.Buffer
		if code := Main([]string{"policy", "init", name}, nil, &out, &errs); code != exitOK {
			t.Fatalf("%s: %d, %s", name, code, errs.String())
		}
		path := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var want sandtrap.Policy
		got := policyfile.Default()
		profile, file := policyfile.New(&want), policyfile.New(&got)
		if err := errors.Join(profile.Extend(name), file.Read(path)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.Echo, want.Echo = cmp.Or(got.Echo, sandtrap.EchoNone), cmp.Or(want.Echo, sandtrap.EchoNone)
		if (got.Files == nil) != (want.Files == nil) {
			t.Errorf("%s: files are %v", name, got.Files)
		}
		if d := gocmp.Diff(want, got, cmpopts.IgnoreFields(sandtrap.Policy{}, "Files", "Env")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := gocmp.Diff(profile.Guard, file.Guard, cmpopts.IgnoreTypes(&guard.Budget{})); d != "" || profile.Budget != file.Budget {
			t.Errorf("%s: the guard differs: %s", name, d)
		}
	}
}

// TestJSONDocumented: docs/policy.md names each field of the objects of run and check.
func TestJSONDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## The JSON of the command\n")
	if !found {
		t.Fatal("the page has no such part")
	}
	for _, object := range []any{runjson.Result{}, runjson.Echo{}, runjson.Artifact{}, runjson.Pending{}, jsonBinding{}, runjson.Status{}} {
		for field := range reflect.TypeOf(object).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("there is no %s", name)
			}
		}
	}
}
