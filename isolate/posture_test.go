//go:build linux

package isolate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// postureOf is what the kernel shows of a process, whole.
func postureOf(t *testing.T, pid int) map[string]string {
	t.Helper()
	dir := "/proc/" + strconv.Itoa(pid)
	got := map[string]string{}
	for _, kind := range []string{"user", "pid", "net", "ipc", "uts", "cgroup", "mnt"} {
		own, _ := os.Readlink("/proc/self/ns/" + kind)
		its, err := os.Readlink(dir + "/ns/" + kind)
		got["ns "+kind] = fmt.Sprint(err == nil && own != its)
	}
	tasks, _ := filepath.Glob(dir + "/task/*/status")
	if len(tasks) == 0 {
		t.Fatalf("no threads in %s", dir)
	}
	got["threads ready"] = strconv.FormatBool(len(tasks) >= 10) // as many as it may ever want
	usual := 0
	for _, task := range tasks {
		if slack := strings.TrimSpace(read(t, "/proc/"+filepath.Base(filepath.Dir(task))+"/timerslack_ns")); slack == "50000" {
			usual++
		}
		for line := range strings.Lines(read(t, task)) {
			key, value, _ := strings.Cut(line, ":")
			switch key {
			case "Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", "Seccomp_filters", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb":
				value = strings.Join(strings.Fields(value), " ")
				if had, ok := got[key]; ok && had != value {
					t.Errorf("threads differ in %s: %s and %s", key, had, value)
				}
				got[key] = value
			case "NSpid":
				got["pid in it"] = strconv.FormatBool(len(strings.Fields(value)) == 2)
			}
		}
	}
	got["timer slack"] = strconv.FormatBool(usual >= 9) // of those that run Go code
	got["environ"] = read(t, dir+"/environ")
	mounts := []string{}
	for line := range strings.Lines(read(t, dir+"/mountinfo")) {
		f := strings.Fields(line)
		mounts = append(mounts, f[4]+" "+f[5]+" "+f[len(f)-3])
	}
	got["mounts"] = strings.Join(mounts, "; ")
	fds, _ := os.ReadDir(dir + "/fd")
	kinds := []string{}
	for _, fd := range fds {
		to, _ := os.Readlink(dir + "/fd/" + fd.Name())
		to, _, _ = strings.Cut(to, "[")
		kind := fd.Name() + " " + strings.Trim(to, ":")
		if strings.HasSuffix(kind, " anon_inode") { // the Go runtime's, with the numbers that were free
			kind = "anon_inode"
		}
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	got["descriptors"] = strings.Join(kinds, "; ")
	for line := range strings.Lines(read(t, dir+"/limits")) {
		for _, name := range []string{"Max core file size", "Max file size", "Max open files", "Max locked memory", "Max msgqueue size"} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				got[name] = strings.Join(strings.Fields(rest)[:2], " ")
			}
		}
	}
	return got
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// promised is the posture of a worker of level Maximum whose user is uid.
func promised(uid, groups string) map[string]string {
	const none = "0000000000000000"
	return map[string]string{
		"ns user": "true", "ns pid": "true", "ns net": "true", "ns ipc": "true", "ns uts": "true", "ns cgroup": "true", "ns mnt": "true",
		"Uid": strings.TrimSpace(strings.Repeat(uid+" ", 4)), "Gid": strings.TrimSpace(strings.Repeat(uid+" ", 4)), "Groups": groups,
		"NoNewPrivs": "1", "Seccomp": "2", "Seccomp_filters": "1",
		"CapInh": none, "CapPrm": none, "CapEff": none, "CapBnd": none, "CapAmb": none,
		"threads ready": "true", "pid in it": "true", "environ": "", "timer slack": "true", "mounts": "/ ro,nosuid,nodev,noexec,relatime tmpfs",
		"descriptors":        "0 /dev/null; 1 /dev/null; 2 pipe; 3 socket; anon_inode; anon_inode",
		"Max core file size": "0 0", "Max file size": "0 0", "Max open files": "16 16", "Max locked memory": "0 0", "Max msgqueue size": "0 0",
	}
}

// TestPosture compares what the kernel shows of a live worker, whole, with what its level
// promises, for each of the two ways of starting one. The host has much open that a process which
// it starts would have, too, and secrets in its environment.
func TestPosture(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for range 50 {
		fd, err := unix.Open("/etc/passwd", unix.O_RDONLY, 0) // without O_CLOEXEC
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
	}
	for _, way := range []struct {
		name  string
		start func(*testing.T, Spec) *Worker
	}{{"direct", directly}, {"spawner", bySpawner}} {
		t.Run(way.name, func(t *testing.T) {
			w := way.start(t, Spec{Path: worker, Level: Maximum, Memory: 256 << 20})
			if _, err := w.Do(t.Context(), []byte("echo hello"), Handlers{}); err != nil {
				t.Fatal(err)
			}
			want := promised(strconv.Itoa(nobody), "")
			if way.name == "spawner" {
				want["Seccomp_filters"] = "2" // it has the spawner's, too
			}
			if diff := cmp.Diff(want, postureOf(t, w.Pid())); diff != "" {
				t.Error("promised (-) and seen (+):", diff)
			}
		})
	}
}

// TestPostureUnprivileged is TestPosture, and what else is about layers, as a user who is not root.
func TestPostureUnprivileged(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: TestPosture is this test")
	}
	self := filepath.Join(filepath.Dir(worker), "test")
	copyFile(t, self, os.Args[0])
	cmd := exec.Command("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", self, "-test.run", "^(TestPosture|TestJobs|TestHanded|TestDeaths|TestEachLayer|TestNoNetwork)$")
	cmd.Env = append(os.Environ(), "ISOLATE_TEST_WORKER="+worker)
	cmd.Dir = "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyFile(t *testing.T, to, from string) {
	t.Helper()
	if err := os.WriteFile(to, []byte(read(t, from)), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestEachLayer takes one layer away, and finds out by itself that it is gone: so a worker
// that has them all is held by each. Layers before whose effects the filter stands are
// probed without it.
func TestEachLayer(t *testing.T) {
	seen := map[string][]string{ // what of the posture tells
		posture.NetNamespace: {"ns net"}, posture.IPCNamespace: {"ns ipc"}, posture.UTSNamespace: {"ns uts"}, posture.CgroupNamespace: {"ns cgroup"},
		posture.UserNamespace: {"ns user"}, posture.MountNamespace: {"ns mnt"}, posture.Threads: {"threads ready"},
		posture.PidNamespace: {"ns pid", "pid in it"}, posture.Root: {"mounts"}, posture.Descriptors: {"descriptors"},
		posture.Bounding: {"CapBnd"}, posture.Capabilities: {"CapEff", "CapPrm"}, posture.Seccomp: {"Seccomp", "Seccomp_filters"},
		posture.Rlimits: {"Max core file size", "Max file size", "Max locked memory", "Max msgqueue size", "Max open files"},
	}
	for name, keys := range seen {
		t.Run(name, func(t *testing.T) {
			if name == posture.UserNamespace && os.Geteuid() != 0 {
				t.Skip("without a user namespace its files in /proc are those of root")
			}
			spec := Spec{Path: worker, Level: Maximum, AllowDegraded: true, without: []string{name}}
			w, err := Start(t.Context(), spec)
			if name == posture.Threads && isDeath(err, Syscall) {
				return // it wanted one more, which it may not start any more
			}
			lacking(t, err)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if !contains(w.Status(), name) {
				t.Errorf("Status does not say that it is missing: %v", w.Status())
			}
			got, want := postureOf(t, w.Pid()), promised(strconv.Itoa(nobody), "")
			for _, key := range keys {
				if got[key] == want[key] {
					t.Errorf("%s is %s without it, too", key, got[key])
				}
			}
		})
	}
	probed := map[string][]string{ // and the layers that are in front of it
		posture.Landlock: {posture.Seccomp}, posture.NoWriteExec: {posture.Seccomp}, posture.Undumpable: {posture.Seccomp}, posture.Securebits: {posture.Seccomp},
		posture.Rlimits: {posture.Seccomp}, posture.NoNewPrivs: {posture.Seccomp, posture.Landlock}, posture.Memory: {posture.Rlimits},
	}
	for name, front := range probed {
		t.Run("probe "+name, func(t *testing.T) {
			for _, with := range []bool{true, false} {
				without := slices.Clone(front)
				if !with {
					without = append(without, name)
				}
				w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20, AllowDegraded: true, without: without})
				if at := slices.IndexFunc(w.Status(), func(l posture.Layer) bool { return l.Name == name }); with && w.Status()[at].State != posture.Applied {
					cannotBe(t, name, machine.Lacks(name))
				}
				got, err := w.Do(t.Context(), []byte("probe "+name), Handlers{})
				held := string(got) != "survived: <nil>"
				if name == posture.Memory && with {
					held = isDeath(err, OutOfMem)
					err = nil
				}
				if err != nil || held != with {
					t.Errorf("with it: %v: %s, %v", with, got, err)
				}
			}
		})
	}
	for _, name := range Maximum.Layers() {
		if seen[name] == nil && probed[name] == nil {
			t.Errorf("nothing tells that %s is there", name)
		}
	}
}

// survivors are the system calls of amd64 that a worker may make without arguments that
// mean anything, or that the kernel does not show to filters.
var survivors = map[int]string{
	11: "munmap", 14: "rt_sigprocmask", 24: "sched_yield", 35: "nanosleep", 39: "getpid", 131: "sigaltstack", 157: "prctl, an error",
	186: "gettid", 219: "restart_syscall", 228: "clock_gettime", 318: "getrandom", 335: "uretprobe", 336: "uprobe",
}

// deaths are those that end the process in another way.
var deaths = map[int]string{15: "rt_sigreturn, without a signal", 231: "exit_group"}

// TestEveryCall makes each system call there is, and some that there are not.
func TestEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the numbers are those of amd64, this is " + runtime.GOARCH)
	}
	spec := Spec{Path: worker, Level: Maximum}
	mustStart(t, spec).Close()
	var wg sync.WaitGroup
	slots := make(chan bool, 4)
	for nr := range 601 {
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			w, err := Start(t.Context(), spec)
			if err != nil {
				t.Errorf("%d: %v", nr, err)
				return
			}
			defer w.Close()
			got, err := w.Do(t.Context(), []byte("syscall "+strconv.Itoa(nr)), Handlers{})
			ended := false
			if d, ok := err.(*DeathError); ok {
				ended = d.Cause == Syscall
			}
			if allowed := survivors[nr] != "" || deaths[nr] != ""; ended == allowed {
				t.Errorf("%d: %s, %v", nr, got, err)
			}
		})
	}
	wg.Wait()
}
