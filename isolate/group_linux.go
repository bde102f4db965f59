package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A controlGroup is one that was made for processes, one at a time.
type controlGroup struct {
	version *groupVersion
	dir     string
	limit   int64
	kills   int // that the kernel had counted when the process began
}

// A groupVersion is a row of the control groups that there may be.
type groupVersion struct {
	name       string
	controller string // in /proc/self/cgroup
	mounts     []string
	limits     []string // files that take the limit, the lower limit first; all but the first may be missing
	events     string   // file that counts kills
	threads    string   // file that takes single threads, if there is one
}

var groupVersions = []*groupVersion{
	{"cgroup v2", "", []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}, []string{"memory.max"}, "memory.events", ""},
	{"cgroup v1", "memory", []string{"/sys/fs/cgroup/memory"}, []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}, "memory.oom_control", "tasks"},
}

// groups counts those that were made, for their names.
var groups atomic.Int64

// make makes a group below the one that this process is in, and puts id there by the file.
func (v *groupVersion) make(file string, id int, limit int64) (*controlGroup, error) {
	own, err := ownGroup(v.controller)
	if err != nil {
		return nil, err
	}
	for _, mount := range v.mounts {
		name := groupName(os.Getpid()) + strconv.FormatInt(groups.Add(1), 10)
		g := &controlGroup{version: v, dir: filepath.Join(mount, own, name)}
		if err = os.Mkdir(g.dir, 0o755); err != nil {
			continue
		}
		if err = g.set(limit); err == nil {
			err = g.write(file, strconv.Itoa(id))
		}
		if err == nil {
			return g, nil
		}
		g.remove()
	}
	return nil, err
}

// groupName begins the names of the groups of a process.
func groupName(pid int) string { return fmt.Sprintf("sandtrap-%d-", pid) }

// set sets the limit of a group that has had none.
func (g *controlGroup) set(limit int64) error {
	for i, file := range g.version.limits {
		err := g.write(file, strconv.FormatInt(limit, 10))
		if err != nil && (i == 0 || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	g.limit = limit
	return nil
}

// renew makes the group ready for another process: nothing is left of the one before but its
// count.
func (g *controlGroup) renew(limit int64) error {
	g.kills = g.events()
	if g.limit == limit {
		return nil
	}
	for _, file := range slices.Backward(g.version.limits) {
		if err := g.write(file, "-1"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return g.set(limit)
}

// write writes to a file of the group. It makes none: a directory that has no such file
// is no group, whatever it is.
func (g *controlGroup) write(file, text string) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// events is how often the kernel has killed in the group.
func (g *controlGroup) events() int {
	text, _ := os.ReadFile(filepath.Join(g.dir, g.version.events))
	for line := range strings.Lines(string(text)) {
		if name, n, _ := strings.Cut(strings.TrimSpace(line), " "); name == "oom_kill" {
			kills, _ := strconv.Atoi(n)
			return kills
		}
	}
	return 0
}

// killed says whether the kernel has killed the process, which is gone.
func (g *controlGroup) killed() bool { return g.events() > g.kills }

// remove removes the group. What was in it is gone, or goes at once.
func (g *controlGroup) remove() {
	for range 50 {
		if err := os.Remove(g.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// sweepGroups removes what hosts that were killed have left.
func sweepGroups() {
	for _, v := range groupVersions {
		own, err := ownGroup(v.controller)
		if err != nil {
			continue
		}
		for _, mount := range v.mounts {
			dirs, _ := filepath.Glob(filepath.Join(mount, own, "sandtrap-*-*"))
			for _, dir := range dirs {
				pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), "sandtrap-"), "-")
				if _, err := os.Stat("/proc/" + pid); errors.Is(err, os.ErrNotExist) {
					os.Remove(dir) // one with a process of another namespace stays
				}
			}
		}
	}
}

// ownGroup is the path of this process' group for a controller of version 1, or of
// version 2 if it is empty.
func ownGroup(controller string) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && parts[1] == controller {
			return parts[2], nil
		}
	}
	return "", fmt.Errorf("no group for %q in /proc/self/cgroup", controller)
}
