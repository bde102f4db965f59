package cli

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPolicyText: what is printed of a preset is that preset when it is read.
func TestPolicyText(t *testing.T) {
	for _, name := range sandtrap.Presets() {
		var out, errs bytes.Buffer
		if code := Main([]string{"policy", name}, nil, &out, &errs); code != exitOK {
			t.Fatalf("%s: %d, %s", name, code, errs.String())
		}
		want, err := sandtrap.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		got := defaultPolicy()
		if err := decodePolicy(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Echo == sandtrap.EchoNone {
			got.Echo = ""
		}
		if (got.Files == nil) != (want.Files == nil) {
			t.Errorf("%s: files are %v", name, got.Files)
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(sandtrap.Policy{}, "Files", "Env")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestPolicyKeysDocumented: the policy file in docs/policy.md has each key, and can be read.
func TestPolicyKeysDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## In a file\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var file strings.Builder
	for line := range strings.Lines(section) {
		if text, ok := strings.CutPrefix(line, "    "); ok {
			file.WriteString(text)
		}
	}
	var p sandtrap.Policy
	here := strings.NewReplacer("~/data", t.TempDir(), "/usr/share/dict", t.TempDir()) // directories that there are
	if err := decodePolicy([]byte(here.Replace(file.String())), &p); err != nil {
		t.Errorf("the file cannot be read: %v", err)
	}
	for indent, keys := range map[string]map[string]setter{"\n": policyKeys(&p), "\n  ": limitKeys(&p.Limits)} {
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if !strings.Contains("\n"+file.String(), indent+key+":") {
				t.Errorf("there is no key %s", key)
			}
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
	for _, object := range []any{jsonResult{}, jsonEcho{}, jsonArtifact{}, jsonPending{}, jsonBinding{}, jsonStatus{}} {
		for field := range reflect.TypeOf(object).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("there is no %s", name)
			}
		}
	}
}
