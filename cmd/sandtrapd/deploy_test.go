package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnit: systemd reads the unit, and no setting takes from workers what isolation kernel needs.
func TestUnit(t *testing.T) {
	unit, err := os.ReadFile(filepath.Join("deploy", "sandtrapd.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"RestrictNamespaces=no", "ProtectControlGroups=no", "NoNewPrivileges=yes", "CapabilityBoundingSet="} {
		if !strings.Contains(string(unit), "\n"+line+"\n") {
			t.Errorf("the unit does not have %s", line)
		}
	}
	if !strings.Contains(string(unit), "@mount") || strings.Contains(string(unit), "PrivateUsers=") {
		t.Error("workers could not mount, or map users")
	}
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not on this machine")
	}
	self, err := os.Executable() // systemd wants the program to be there
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sandtrapd.service")
	text := strings.ReplaceAll(string(unit), "/usr/local/bin/sandtrapd", self)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "verify", path).CombinedOutput()
	if about := strings.Contains(string(out), path); err != nil || about {
		t.Errorf("%v: %s", err, out)
	}
}

// TestContainerfile: the image has the static program, runs it as a user that is not root, and keeps its data in a volume.
func TestContainerfile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("deploy", "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CGO_ENABLED=0", "distroless/static", "\nUSER 65532:65532\n", "\nVOLUME /data\n", `"--data", "/data"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the Containerfile does not have %q", want)
		}
	}
}
