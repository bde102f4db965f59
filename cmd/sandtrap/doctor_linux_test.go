package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// TestDoctor: what doctor says of isolation kernel is what a run of it meets, on this
// machine as it is, where nobody may make namespaces, and for who is root of a user
// namespace with one user in it. What is left out of a worker is not made for its host: he keeps
// his files.
func TestDoctor(t *testing.T) {
	command := buildCommand(t)
	script := filepath.Join(filepath.Dir(command), "hello.go")
	if err := os.WriteFile(script, []byte("package main\nfunc main() { println(1) }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		inside []string // what the machine is made into
		lacks  []string // at least
	}{
		{name: "as it is"},
		{name: "one user", inside: []string{"unshare", "--user", "--map-root-user"}},
		{
			name:   "no namespaces",
			inside: []string{"unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && "$@"; code=$?; test -x "$1" || exit 99; exit $code`, "sh"},
			lacks:  []string{"user_namespace", "net_namespace", "root"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := func(args ...string) (string, int) { return runIn(t, test.inside, append([]string{command}, args...)) }
			if len(test.inside) > 0 {
				if out, code := runIn(t, test.inside, []string{"/bin/true"}); code != 0 {
					cannot(t, "it does not let this test make namespaces: "+out)
				}
			}
			said, verdict := run("doctor")
			out, code := run("run", "--isolation", "kernel", "--json", script)
			if code != verdict {
				t.Fatalf("doctor exits with %d, a run with %d\n%s\n%s", verdict, code, said, out)
			}
			out, code = run("run", "--isolation", "kernel", "--allow-degraded", "--json", script)
			var result struct{ Isolation struct{ Missing []string } }
			if err := json.Unmarshal([]byte(out), &result); err != nil || code != 0 {
				t.Fatalf("degraded: %v, exit code %d\n%s", err, code, out)
			}
			missing := missingOf(said)
			slices.Sort(result.Isolation.Missing)
			if !slices.Equal(missing, result.Isolation.Missing) {
				t.Errorf("doctor misses %q, a run %q", missing, result.Isolation.Missing)
			}
			if got, code := missingInJSON(run("doctor", "--json")); code != verdict || !slices.Equal(got, missing) {
				t.Errorf("doctor --json misses %q with exit code %d, doctor %q with %d", got, code, missing, verdict)
			}
			if (verdict == 0) != (len(missing) == 0) {
				t.Errorf("exit code %d, missing %q", verdict, missing)
			}
			for _, name := range test.lacks {
				if !slices.Contains(missing, name) {
					t.Errorf("%s is not missing\n%s", name, said)
				}
			}
			if test.lacks == nil && verdict != 0 {
				cannot(t, said)
			}
		})
	}
}

// buildCommand is the path of the command, in a directory that is gone after the test.
func buildCommand(t *testing.T) string {
	t.Helper()
	command := filepath.Join(t.TempDir(), "sandtrap")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return command
}

// cannot skips a test of what this machine cannot do, by what the kernel says; where it can, or
// SANDTRAP_KERNEL_TESTS is "required", that is a failure.
func cannot(t *testing.T, why string) {
	t.Helper()
	lacks := machine.Confinement()
	if lacks == "" || os.Getenv("SANDTRAP_KERNEL_TESTS") == "required" {
		t.Fatalf("this machine lacks %q: %s", lacks, why)
	}
	t.Skipf("this machine cannot: %s: %s", lacks, why)
}

// missingInJSON lists the layers of isolation kernel that doctor --json calls missing, sorted.
func missingInJSON(text string, code int) (missing []string, _ int) {
	var said struct {
		Isolations []struct {
			Mode   string
			Layers []struct{ Name, State string }
		}
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		return []string{err.Error()}, code
	}
	for _, isolation := range said.Isolations {
		for _, l := range isolation.Layers {
			if isolation.Mode == "kernel" && l.State == "missing" {
				missing = append(missing, l.Name)
			}
		}
	}
	slices.Sort(missing)
	return missing, code
}

// missingOf lists the layers that doctor calls missing, sorted.
func missingOf(said string) []string {
	names := []string{}
	for line := range strings.Lines(said) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == "missing:" {
			names = append(names, f[0])
		}
	}
	slices.Sort(names)
	return names
}

// runIn runs a command inside of what another makes, and returns what it printed, and its
// exit code.
func runIn(t *testing.T, inside, command []string) (string, int) {
	t.Helper()
	args := append(slices.Clone(inside), command...)
	out, err := exec.Command(args[0], args[1:]...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}
