package isolate

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// TestSwept: a program that starts one worker, and so has no spawner, removes the control groups that one that was
// killed has left.
func TestSwept(t *testing.T) {
	var left []string
	for _, version := range []string{version1, version2} {
		g, err := cgroups.makeGroup(version, bounds{memory: 1 << 20})
		if err != nil {
			continue
		}
		for _, p := range g.parts {
			left = append(left, filepath.Join(filepath.Dir(p.dir), groupName(deadPid(t))+"1"))
		}
		g.remove()
	}
	if len(left) == 0 {
		cannotBe(t, "control groups for memory", machine.Groups("memory"))
	}
	for _, dir := range left {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(dir)
	}
	sweeping = sync.Once{}
	directly(t, Spec{Path: worker, Level: Maximum, Memory: 256 << 20})
	until(t, "the groups are gone", func() bool {
		for _, dir := range left {
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				return false
			}
		}
		return true
	})
}

// deadPid is the number of a process that has ended.
func deadPid(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
