package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLargeFile: a file of which not all is read is named, and not run or measured in part.
func TestLargeFile(t *testing.T) {
	var stderr strings.Builder
	in := strings.NewReader(strings.Repeat(" ", maxFile+1))
	if code := Main([]string{"run", "-"}, in, io.Discard, &stderr); code != exitUsage || stderr.String() != "sandtrap: stdin.go is larger than 64MiB\n" {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

// TestPrecedence: a flag goes before the environment, that before the policy file, and that before what the command does by
// itself.
func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("limits: {timeout: 2s}\nisolation: process\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name      string
		env       bool
		args      []string
		timeout   time.Duration
		isolation sandtrap.Isolation
	}{
		{"default", false, nil, 5 * time.Second, ""},
		{"file", false, []string{"--policy", file}, 2 * time.Second, sandtrap.Process},
		{"environment", true, nil, 3 * time.Second, sandtrap.Kernel},
		{"environment and file", true, []string{"--policy", file}, 3 * time.Second, sandtrap.Kernel},
		{"flags and all", true, []string{"--timeout", "4s", "--policy", file, "--isolation", "none"}, 4 * time.Second, sandtrap.None},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.env {
				t.Setenv("SANDTRAP_TIMEOUT", "3s")
				t.Setenv("SANDTRAP_ISOLATION", "kernel")
			}
			o, err := (&call{}).parse("run", append(tc.args, "x.go"))
			if err != nil {
				t.Fatal(err)
			}
			if o.policy.Limits.Timeout != tc.timeout || o.policy.Isolation != tc.isolation {
				t.Errorf("timeout %v, isolation %q; want %v, %q", o.policy.Limits.Timeout, o.policy.Isolation, tc.timeout, tc.isolation)
			}
		})
	}
	t.Setenv("SANDTRAP_MAX_OUTPUT", "much")
	if _, err := (&call{}).parse("run", []string{"x.go"}); err == nil || !strings.Contains(err.Error(), `invalid value "much" of SANDTRAP_MAX_OUTPUT: want a size`) {
		t.Errorf("error %v", err)
	}
}

// TestLimitsHelp: each flag of a limit has its line.
func TestLimitsHelp(t *testing.T) {
	for _, l := range policyfile.Limits {
		if l.Flag != "" && !strings.Contains(runHelp, "\n  --"+l.Flag+" "+l.Like+" ") {
			t.Errorf("--%s is not in the help", l.Flag)
		}
		if l.Zero == "" {
			t.Errorf("%s: 0 has no name", l.Key)
		}
	}
}
