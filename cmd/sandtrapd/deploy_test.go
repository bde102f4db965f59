package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
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

// manifests are the programs of sandtrapd that compose.yaml and kubernetes.yaml start, as the arguments of the command.
func manifests(t *testing.T) (all [][]string) {
	t.Helper()
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			if v["image"] == "sandtrapd" {
				all = append(all, programOf(v))
			}
			for _, one := range v {
				walk(one)
			}
		}
	}
	for _, name := range []string{"compose.yaml", "kubernetes.yaml"} {
		file, err := os.Open(filepath.Join("deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for dec := yaml.NewDecoder(file); ; {
			var doc map[string]any
			err := dec.Decode(&doc)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			delete(doc, "x-program")
			walk(doc)
		}
	}
	return all
}

// programOf is the command that a container starts: that of the Containerfile, unless it says otherwise.
func programOf(c map[string]any) (args []string) {
	args = []string{"serve", "--listen", "0.0.0.0:8080", "--data", "/data"}
	own := func(v any) (list []string) {
		items, _ := v.([]any)
		for _, one := range items {
			list = append(list, one.(string))
		}
		return list
	}
	rest := own(c["args"])
	if compose, kubernetes := own(c["entrypoint"]), own(c["command"]); len(rest) == 0 { // of Compose
		rest = kubernetes
		if len(compose) > 0 {
			args = compose[1:]
		}
	} else if len(kubernetes) > 0 {
		args = kubernetes[1:]
	}
	return append(args, rest...)
}

// TestManifests: what the manifests start has flags that the command knows.
func TestManifests(t *testing.T) {
	all := manifests(t)
	if len(all) != 4 {
		t.Fatalf("there are %d programs: %q", len(all), all)
	}
	for _, args := range all {
		var out strings.Builder
		code := cli.Main(append(args, "an-argument"), &out, &out) // which is refused when the flags were read
		if code != 1 || !strings.Contains(out.String(), args[0]+" takes no arguments") {
			t.Errorf("%q: %d, %s", args, code, out.String())
		}
	}
}

// TestNATS: the server of NATS reads its configuration: three servers, JetStream on disk before it acknowledges, users with the rights of their part.
func TestNATS(t *testing.T) {
	for name, value := range map[string]string{
		"NATS_NAME": "nats-0", "NATS_FRONT_PASSWORD": "front1", "NATS_WORKER_PASSWORD": "worker2", "NATS_ROUTE_PASSWORD": "route3",
		"NATS_ROUTES": "[nats://route:route3@nats-0:6222, nats://route:route3@nats-1:6222, nats://route:route3@nats-2:6222]",
	} {
		t.Setenv(name, value)
	}
	o, err := server.ProcessConfigFile(filepath.Join("deploy", "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if o.ServerName != "nats-0" || len(o.Routes) != 3 || o.Routes[2].Host != "nats-2:6222" || !o.JetStream || !o.SyncAlways || o.StoreDir != "/data" || o.MaxPayload != 8<<20 || len(o.Users) != 2 {
		t.Errorf("%+v", o)
	}
	for _, u := range o.Users {
		if worker := u.Username == "worker"; worker != (u.Permissions != nil) || u.Password == "" {
			t.Errorf("%+v", u)
		}
	}
}
