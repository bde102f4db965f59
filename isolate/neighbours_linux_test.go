package isolate

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestNeighbours: native code in a worker opens no file of another worker of the same host, signals no process of it and
// connects to no socket of it. The filter ends it at its first attempt, or reports each to its own audit and to no other.
// Where filter, Landlock and limits are missing, the namespaces alone refuse each attempt; without any layer each succeeds.
func TestNeighbours(t *testing.T) {
	front := []string{posture.Seccomp, posture.Landlock, posture.Rlimits}
	var told, others refusals
	for _, tc := range []struct {
		name  string
		from  Spec
		level Level // of the other worker
		held  func(got string, err error) bool
	}{
		{"all layers", Spec{Level: Maximum}, Maximum, func(_ string, err error) bool { return isDeath(err, Syscall) }},
		{"audit", Spec{Level: Maximum, Audit: told.add}, Maximum, func(got string, err error) bool {
			return err == nil && strings.HasSuffix(got, "operation not permitted") && len(told.take()) > 0
		}},
		{"namespaces", Spec{Level: Maximum, AllowDegraded: true, without: front}, Maximum, func(got string, err error) bool {
			return err == nil && got != "survived: <nil>"
		}},
		{"none", Spec{Level: Bare}, Bare, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := handed(t)
			dir := spec.Dirs[0].Name()
			file := filepath.Join(dir, "in.txt")
			if err := os.Chmod(filepath.Join(dir, "../.."), 0o755); err != nil { // which MkdirTemp has made for this user alone
				t.Fatal(err)
			}
			spec.Level, spec.AllowDegraded, spec.without = tc.level, true, front // with a filter it could not listen
			other := mustStart(t, spec)
			text, err := other.Do(t.Context(), []byte("listen"), Handlers{})
			if err != nil {
				t.Fatal(err)
			}
			third := mustStart(t, Spec{Path: worker, Level: Maximum, Audit: others.add})
			tc.from.Path = worker
			w := mustStart(t, tc.from)
			attempts := []string{
				"open " + file,
				fmt.Sprintf("open /proc/%d/fd/4/in.txt", other.Pid()), // by the descriptor that it was handed
				fmt.Sprintf("open /proc/%d/environ", other.Pid()),
			}
			for at := range strings.Lines(string(text)) {
				attempts = append(attempts, "dial "+strings.TrimSpace(at))
			}
			attempts = append(attempts, fmt.Sprint("kill ", other.Pid()))
			if len(attempts) != 6 {
				t.Fatalf("attempts %q", attempts)
			}
			for _, attempt := range attempts {
				got, err := w.Do(t.Context(), []byte(attempt), Handlers{})
				if tc.held == nil {
					if string(got) != "survived: <nil>" || err != nil {
						t.Errorf("%s: without layers: %q, %v", attempt, got, err)
					}
				} else if !tc.held(string(got), err) {
					t.Errorf("%s: %q, %v", attempt, got, err)
				}
				if err != nil {
					w = mustStart(t, tc.from)
				}
			}
			if tc.held == nil {
				until(t, "the end of the other", func() bool { return !runs(strconv.Itoa(other.Pid())) })
				return
			}
			if got, err := other.Do(t.Context(), []byte("heard"), Handlers{}); string(got) != "0" || err != nil {
				t.Errorf("the other worker has %q connections, %v", got, err)
			}
			if text, err := os.ReadFile(file); string(text) != "inside" {
				t.Errorf("its file is %q, %v", text, err)
			}
			if _, err := third.Do(t.Context(), []byte("echo"), Handlers{}); err != nil || len(others.take()) > 0 {
				t.Errorf("another worker: %v; or its audit was called", err)
			}
		})
	}
}
