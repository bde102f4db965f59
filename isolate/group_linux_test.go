package isolate

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// settingsOf are the files that the kernel makes in a group that has a controller, by their prefixes.
var settingsOf = map[string][]string{
	"v2 memory": {"memory.max", "memory.swap.max", "memory.events"}, "v2 pids": {"pids.max"}, "v2 cpu": {"cpu.max"}, "v2 io": {"io.max"}, "blkio": {"blkio.throttle.read_bps_device"},
	"memory": {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"}, "pids": {"pids.max"}, "cpu": {"cpu.cfs_period_us", "cpu.cfs_quota_us"},
}

// fakeTree is a tree of files that looks like control groups: each text of dirs is a directory, then of
// version 2 what it may give and gives to those below it, and "busy" if it has processes.
func fakeTree(t *testing.T, membership string, dirs ...string) *groupTree {
	t.Helper()
	root := t.TempDir()
	put := func(dir, file, text string) {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("", "membership", membership)
	for _, line := range dirs {
		f := append(strings.Split(line, "|"), "", "", "", "")
		put(f[0], "cgroup.procs", map[bool]string{true: "1\n"}[f[3] == "busy"])
		put(f[0], "cgroup.controllers", f[1])
		put(f[0], "cgroup.subtree_control", f[2])
	}
	mkdir := func(dir string) error {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		files := []string{"cgroup.procs", "tasks"}
		rel, _ := filepath.Rel(root, dir)
		if top, _, _ := strings.Cut(rel, "/"); settingsOf[top] != nil {
			files = append(files, settingsOf[top]...)
		}
		given, _ := os.ReadFile(filepath.Join(filepath.Dir(dir), "cgroup.subtree_control"))
		for _, c := range strings.Fields(strings.ReplaceAll(string(given), "+", " ")) {
			files = append(files, settingsOf["v2 "+c]...)
		}
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(dir, file), nil, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	return &groupTree{root, filepath.Join(root, "membership"), mkdir}
}

// TestGroupPlaces: which groups are made on which machines, and what they hold.
func TestGroupPlaces(t *testing.T) {
	const all = "cpu memory pids"
	for _, tc := range []struct {
		name       string
		membership string
		dirs       []string
		bounds     bounds
		version    string // that is asked for
		at         string // below which it is made, "" for an error
		holds      string
	}{
		{"delegated, and this process beside", "0::/app/main\n", []string{"|" + all + "|" + all, "app|" + all + "|" + all, "app/main|" + all + "||busy"}, bounds{memory: 1 << 20, cpu: 1.5}, version2, "app", "memory, pids, cpu"},
		{"delegated, and not yet given", "0::/app/main\n", []string{"|" + all + "|" + all, "app|" + all, "app/main|" + all + "||busy"}, bounds{memory: 1 << 20}, version2, "app", "memory, pids"},
		{"a group with processes gives nothing", "0::/app\n", []string{"|memory|memory", "app|memory||busy"}, bounds{memory: 1 << 20}, version2, ".", "memory"},
		{"no cpu near, but farther", "0::/app/main\n", []string{"|" + all + "|" + all, "app|memory|memory", "app/main|||busy"}, bounds{memory: 1 << 20, cpu: 2}, version2, ".", "memory, pids, cpu"},
		{"no cpu at all", "0::/app\n", []string{"|memory|memory", "app|||busy"}, bounds{memory: 1 << 20, cpu: 2}, version2, ".", "memory"},
		{"no memory", "0::/\n", []string{"|hugetlb|hugetlb|busy"}, bounds{memory: 1 << 20}, version2, "", ""},
		{"no version 2", "4:memory:/a\n", []string{"memory/a"}, bounds{memory: 1 << 20}, version2, "", ""},
		{"hybrid", "8:pids:/p\n4:memory:/a\n1:cpu,cpuacct:/\n0::/\n", []string{"unified|hugetlb", "memory/a", "pids/p", "cpu"}, bounds{memory: 1 << 20, cpu: 0.5}, version1, "memory/a", "memory, pids, cpu"},
		{"rates", "0::/app/main\n", []string{"|" + all + " io|" + all, "app|" + all + " io", "app/main|||busy"}, bounds{memory: 1 << 20, reads: 5, disks: "8:0"}, version2, "app", "memory, pids, io"},
		{"rates of version 1", "4:memory:/a\n3:blkio:/b\n", []string{"memory/a", "blkio/b"}, bounds{memory: 1 << 20, reads: 5, disks: "8:0"}, version1, "memory/a", "memory, io"},
		{"no rates near, but farther", "0::/app/main\n", []string{"|memory io|memory io", "app|memory|memory", "app/main|||busy"}, bounds{memory: 1 << 20, reads: 5, disks: "8:0"}, version2, ".", "memory, io"},
		{"version 1 without pids", "4:memory:/a\n", []string{"memory/a"}, bounds{memory: 1 << 20}, version1, "memory/a", "memory"},
		{"version 1 without memory", "8:pids:/p\n", []string{"pids/p"}, bounds{memory: 1 << 20}, version1, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tree := fakeTree(t, tc.membership, tc.dirs...)
			g, err := tree.makeGroup(tc.version, tc.bounds)
			if (err == nil) != (tc.at != "") {
				t.Fatalf("%+v, %v", g, err)
			}
			if err != nil {
				if left, _ := filepath.Glob(tree.root + "/*/*/sandtrap-*"); len(left) > 0 {
					t.Errorf("left: %v", left)
				}
				return
			}
			if at, _ := filepath.Rel(tree.root, filepath.Dir(g.parts[0].dir)); at != tc.at || g.holds() != tc.holds {
				t.Errorf("in %s with %q, not in %s with %q", at, g.holds(), tc.at, tc.holds)
			}
		})
	}
}

// TestGroupSettings: what is written to the files of a group, when it is made and when it is used
// again.
func TestGroupSettings(t *testing.T) {
	tree := fakeTree(t, "0::/\n", "|cpu memory pids|cpu memory pids")
	g, err := tree.makeGroup(version2, bounds{memory: 1 << 20, cpu: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	check := func(file, want string) {
		t.Helper()
		if got := readText(g.parts[0].dir, file); got != want {
			t.Errorf("%s is %q, not %q", file, got, want)
		}
	}
	check("memory.max", "1048576")
	check("memory.swap.max", "0")
	check("cpu.max", "150000 100000")
	check("pids.max", strconv.Itoa(maxThreads))
	if g.fits(bounds{memory: 1 << 20, cpu: 1.5, reads: 1}) {
		t.Error("a group without rates fits one with a rate")
	}
	os.WriteFile(g.parts[0].dir+"/memory.events", []byte("low 0\noom 1\noom_kill 1\n"), 0o644)
	if !g.killed() {
		t.Error("a kill is not seen")
	}
	os.WriteFile(g.parts[0].dir+"/memory.max", nil, 0o644) // files of the kernel hold what was written last
	if err := g.renew(bounds{memory: 2 << 20, cpu: 1.5}); err != nil {
		t.Fatal(err)
	}
	if got := readText(g.parts[0].dir, "memory.max"); !strings.HasSuffix(got, "2097152") && !strings.HasPrefix(got, "2097152") {
		t.Errorf("memory.max is %q", got)
	}
	if g.killed() {
		t.Error("a kill of the process before counts")
	}
	if g.fits(bounds{memory: 1}) || !g.fits(bounds{memory: 1, cpu: 2}) {
		t.Error("a group with a limit for processors fits one without")
	}
}

// TestBeginsInGroup: a process of a user namespace begins in a group of version 2, also where that
// has no controllers.
func TestBeginsInGroup(t *testing.T) {
	own, err := cgroups.own("")
	if err != nil {
		cannotBe(t, "control groups of version 2", machine.NewGroup())
	}
	for _, mount := range hierarchies[0].mounts {
		dir := filepath.Join(cgroups.root, mount, own, groupName()+"test")
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "cgroup.subtree_control")); err != nil || os.Mkdir(dir, 0o755) != nil {
			continue
		}
		defer os.Remove(dir)
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, _ := Maximum.rows()
		attr := attributes(rows)
		attr.UseCgroupFD, attr.CgroupFD = true, int(f.Fd())
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		cmd := exec.Command("sleep", "30")
		cmd.Dir, cmd.SysProcAttr = "/", attr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/cgroup")
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
		if !slices.Contains(strings.Split(string(text), "\n"), "0::"+filepath.Join(own, filepath.Base(dir))) {
			t.Errorf("it is in %s, %v", text, err)
		}
		return
	}
	cannotBe(t, "control groups of version 2", machine.NewGroup())
}

// TestHeldBeforeJob: a worker is in its group, whose limits are set, before it has a job.
func TestHeldBeforeJob(t *testing.T) {
	for _, start := range []func(*testing.T, Spec) *Worker{directly, bySpawner} {
		w := start(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
		if w.proc.memory == nil || w.proc.memory.group == nil {
			cannotBe(t, "control groups for memory", machine.Groups("memory"))
		}
		text, err := os.ReadFile("/proc/" + strconv.Itoa(w.Pid()) + "/cgroup")
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, p := range w.proc.memory.group.parts {
			if !strings.Contains(string(text), "/"+filepath.Base(p.dir)+"\n") {
				t.Errorf("it is not in %s but in %s", p.dir, text)
			}
			for _, want := range []struct{ what, file, value string }{
				{"memory", "memory.limit_in_bytes", "67108864"}, {"memory", "memory.max", "67108864"}, {"processes", "pids.max", strconv.Itoa(maxThreads)},
			} {
				if got, err := os.ReadFile(filepath.Join(p.dir, want.file)); err == nil {
					found[want.what] = true
					if strings.TrimSpace(string(got)) != want.value {
						t.Errorf("%s is %s, want %s", want.file, got, want.value)
					}
				}
			}
		}
		for what, controller := range map[string]string{"memory": "memory", "processes": "pids"} {
			if !found[what] && machine.Groups(controller) == "" {
				t.Errorf("no group of it bounds %s", what)
			}
		}
	}
}

// TestProcessors: a worker that may use a part of a processor uses no more, and says what holds it; where
// no group can hold it there is no worker.
func TestProcessors(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum, Memory: 256 << 20, CPU: 0.05}
	for _, start := range []func(*testing.T, Spec) *Worker{directly, bySpawner} {
		w := start(t, spec)
		at := slices.IndexFunc(w.Status(), func(l posture.Layer) bool { return l.Name == posture.CPU })
		if at < 0 || w.Status()[at].State != posture.Applied || w.proc.memory.group == nil {
			t.Fatalf("%+v", w.Status())
		}
		go w.Do(t.Context(), []byte("spin"), Handlers{})
		dir := w.proc.memory.group.parts[len(w.proc.memory.group.parts)-1].dir
		throttled := func() bool {
			for line := range strings.Lines(readText(dir, "cpu.stat")) {
				if n, ok := strings.CutPrefix(line, "nr_throttled "); ok {
					return strings.TrimSpace(n) != "0"
				}
			}
			return false
		}
		for end := time.Now().Add(20 * time.Second); !throttled(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("it is never held up: " + readText(dir, "cpu.stat"))
			}
		}
		w.Close()
	}
	before := cgroups
	cgroups = fakeTree(t, "0::/\n", "|hugetlb")
	defer func() { cgroups = before }()
	rest()
	w, err := Start(t.Context(), spec)
	if lack, ok := err.(*MissingError); !ok || w != nil || len(lack.Layers) != 1 || lack.Layers[0].Name != posture.CPU {
		t.Errorf("without groups: %v, %v", w, err)
	}
	spec.AllowDegraded = true
	degraded := mustStart(t, spec)
	for _, l := range degraded.Status() {
		if l.Name == posture.Memory && !strings.HasPrefix(l.Reason, "watched") {
			t.Errorf("memory is %q", l.Reason)
		}
	}
}
