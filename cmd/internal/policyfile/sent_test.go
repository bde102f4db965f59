package policyfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
)

// TestSent: a policy that was sent opens nothing of the machine, and what it extends is none of its files; what opens nothing is read.
func TestSent(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "of-machine.yaml")
	if err := os.WriteFile(file, []byte("std: [fmt]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, text := range []string{
		"isolation: none", "level: standard", "allow_degraded: true", "engine: yaegi", "secrets: true",
		"allow_paths: [" + dir + "]", "fs: dir:" + dir, "fs: dir:.:rw", "extends: " + file, "extends: ./of-machine.yaml",
		"network: {secrets: [{name: k, env: HOME, hosts: [a.example]}]}",
		"network: {secrets: [{name: k, file: " + file + ", hosts: [a.example]}]}",
		"network: {rules: [\"GET http://localhost:8080 loopback\"]}", "network: {rules: [\"GET https://a.example\", \"GET https://db.corp private=10.1.0.0/16\"]}",
		"extends: agent\nisolation: none", "std: [fmt]\nfs: dir:/",
	} {
		p := policyfile.Default()
		err := policyfile.New(&p).ReadSent("mine", []byte(text+"\n"))
		if err == nil || !strings.Contains(err.Error(), "nothing of the machine") || !strings.HasPrefix(err.Error(), "mine: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "fs: mem", "fs: none", "extends: agent", "extends: closed", "limits: {timeout: 1s}\nstd: [fmt]", "network: {rules: [\"GET https://a.example/*\"]}"} {
		p := policyfile.Default()
		if err := policyfile.New(&p).ReadSent("mine", []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
