package explain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/internal/explain"
	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// TestPublic: the same policy is explained with what it names of the machine, and, for the public, without.
func TestPublic(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	token := filepath.Join(dir, "token.txt")
	base, path := filepath.Join(dir, "base.yaml"), filepath.Join(dir, "web.yaml")
	for name, text := range map[string]string{
		token: "a-secret-of-some-length",
		base:  "extends: agent\nstd: [fmt, net/http]\nlimits: {timeout: 3s}\n",
		path: "extends: base.yaml\nallow_paths: [" + data + ":rw]\nsecrets: true\nnetwork:\n  rules: [\"GET https://api.example.com\"]\n" +
			"  secrets:\n    - {name: one, file: token.txt, hosts: [api.example.com]}\n    - {name: two, env: CANARY_VARIABLE, hosts: [api.example.com]}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CANARY_VARIABLE", "another-secret-of-some-length")
	p := policyfile.Default()
	f := policyfile.New(&p)
	if err := f.Read(path); err != nil {
		t.Fatal(err)
	}
	gate, err := f.Gate(egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	p.Network = gate
	p.Guard = f.GuardOf(*f.Guard)
	plan, err := sandtrap.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	text := func(public string) string {
		e, err := explain.Of(explain.Policy{File: f, Guard: p.Guard.(*policyfile.Guard), Plan: plan, Public: public})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole, public := text(""), text("web@1")
	for _, canary := range []string{dir, data, "token.txt", "CANARY_VARIABLE"} {
		if !strings.Contains(whole, canary) {
			t.Errorf("%s is not in %s", canary, whole)
		}
		if strings.Contains(public, canary) {
			t.Errorf("%s is in %s", canary, public)
		}
	}
	for _, want := range []string{`"Network secret two"`, `{"name":"timeout","value":"3s","from":{"file":"web@1","line":3}}`, `GET https://api.example.com`, "preset agent", "a directory of the machine"} {
		if !strings.Contains(public, want) {
			t.Errorf("%s is not in %s", want, public)
		}
	}
}
