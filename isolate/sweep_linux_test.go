package isolate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// TestSwept: a program that starts one worker, and so has no spawner, removes the control groups of a host that was killed,
// and none of one that lives.
func TestSwept(t *testing.T) {
	killed, pids := startHost(t, Maximum)
	left := groupsNamed(fmt.Sprintf("sandtrap-%d-", killed.Process.Pid))
	if len(left) == 0 {
		killed.Process.Kill()
		killed.Wait()
		cannotBe(t, "control groups for memory", machine.Groups("memory"))
	}
	lives, _ := startHost(t, Maximum)
	defer func() {
		lives.Process.Kill()
		lives.Wait()
		cgroups.sweep()
	}()
	stay := groupsNamed(fmt.Sprintf("sandtrap-%d-", lives.Process.Pid))
	killed.Process.Kill()
	killed.Wait()
	until(t, "the killed host's workers are gone", func() bool { return !slices.ContainsFunc(pids, runs) })
	if len(groupsNamed(fmt.Sprintf("sandtrap-%d-", killed.Process.Pid))) == 0 {
		t.Fatal("it has left none")
	}
	sweeping = sync.Once{}
	directly(t, Spec{Path: worker, Level: Maximum, Memory: 256 << 20})
	until(t, "the groups are gone", func() bool { return !slices.ContainsFunc(left, exists) })
	if now := groupsNamed(fmt.Sprintf("sandtrap-%d-", lives.Process.Pid)); !slices.Equal(now, stay) {
		t.Errorf("a host that lives had %v and has %v", stay, now)
	}
}

// TestSweptOwners: a group goes if its process has ended, also if another process has its number now, and stays
// if that is not sure.
func TestSweptOwners(t *testing.T) {
	g, err := cgroups.makeGroup(version1, bounds{memory: 1 << 20})
	if err != nil {
		g, err = cgroups.makeGroup(version2, bounds{memory: 1 << 20})
	}
	if err != nil {
		cannotBe(t, "control groups for memory", machine.Groups("memory"))
	}
	below := filepath.Dir(g.parts[0].dir)
	g.remove()
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	pid := other.Process.Pid
	its := strings.Fields(read(t, fmt.Sprintf("/proc/%d/stat", pid))) // sleep has no space in its name
	space, err := os.Stat(fmt.Sprintf("/proc/%d/ns/pid", pid))
	if err != nil {
		t.Fatal(err)
	}
	inode := fmt.Sprint(space.Sys().(*syscall.Stat_t).Ino)
	for name, goes := range map[string]bool{
		fmt.Sprintf("sandtrap-%d-%s-%s-1", pid, its[21], inode):           false, // it lives
		fmt.Sprintf("sandtrap-%d-%s1-%s-1", pid, its[21], inode):          true,  // it has the number of one that began at another time
		fmt.Sprintf("sandtrap-%d-%s-%s-2", deadPid(t), its[21], inode):    true,
		fmt.Sprintf("sandtrap-%d-%s-%s1-1", deadPid(t), its[21], inode):   false, // of another namespace
		fmt.Sprintf("sandtrap-%d-0-%s-1", deadPid(t), inode):              false, // not known
		fmt.Sprintf("sandtrap-%d-%s-x-1", deadPid(t), its[21]):            false, // of another program
		fmt.Sprintf("sandtrapped-%d-%s-%s-1", deadPid(t), its[21], inode): false,
	} {
		dir := filepath.Join(below, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(dir)
		cgroups.sweep()
		if exists(dir) == goes {
			t.Errorf("%s: it goes: %t", name, !goes)
		}
	}
	if !strings.HasPrefix(groupName(), fmt.Sprintf("sandtrap-%d-", os.Getpid())) || !strings.HasSuffix(groupName(), "-"+inode+"-") {
		t.Errorf("groups of this process are named %s", groupName())
	}
}

// TestSweptBusy: a group of a process that has ended stays as long as it has one, and goes after that.
func TestSweptBusy(t *testing.T) {
	g, err := cgroups.makeGroup(version1, bounds{memory: 1 << 20})
	if err != nil {
		cannotBe(t, "control groups of version 1", machine.Groups("memory"))
	}
	last := exec.Command("sleep", "600")
	if err := last.Start(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(g.parts[0].dir), owner{deadPid(t), 1, pidNamespace()}.name()+"1")
	g.remove()
	defer os.Remove(dir)
	defer func() { last.Process.Kill(); last.Wait() }()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (part{dir: dir}).write("cgroup.procs", fmt.Sprint(last.Process.Pid)); err != nil {
		t.Fatal(err)
	}
	if !cgroups.sweepOnce() || !exists(dir) {
		t.Error("it is not busy")
	}
	last.Process.Kill()
	last.Wait()
	until(t, "the group is gone", func() bool { return !cgroups.sweepOnce() && !exists(dir) })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// groupsNamed are the groups whose names begin so, at most two levels below the root.
func groupsNamed(prefix string) []string {
	all := []string{}
	for _, below := range []string{"*/", "*/*/", "*/*/*/"} {
		list, _ := filepath.Glob("/sys/fs/cgroup/" + below + prefix + "*")
		all = append(all, list...)
	}
	return all
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
