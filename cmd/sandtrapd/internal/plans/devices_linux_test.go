package plans_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// looksForDevices tries to open what machines have as devices, and prints what was there.
const looksForDevices = `
for _, dir := range []string{"/dev", "/sys", "/proc"} {
	if list, err := os.ReadDir(dir); err == nil { fmt.Println(dir, len(list)) }
}
for _, path := range []string{"/dev/null", "/dev/zero", "/dev/random", "/dev/tty", "/dev/kvm", "/dev/fuse", "/dev/shm", "/dev/dri/card0", "/dev/nvidia0",
	"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/kfd", "/dev/vda", "/dev/sda", "/dev/mem", "/proc/self/fd/0", "/proc/driver/nvidia/version", "/sys/class/drm"} {
	if _, err := os.Stat(path); err == nil { fmt.Println("stat", path) }
	if _, err := os.Open(path); err == nil { fmt.Println("open", path) }
	if _, err := os.OpenFile(path, os.O_RDWR, 0); err == nil { fmt.Println("write", path) }
}
fmt.Println("looked")`

// TestNoDevices: a script of the policies of the program finds no device, /dev/nvidia* among them; and the kernel shows that its worker
// has no directory of devices below its root, and no device open but /dev/null.
func TestNoDevices(t *testing.T) {
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip("this machine has no /dev/null to be found: ", err)
	}
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		t.Run(string(isolation), func(t *testing.T) {
			s := plans.New(plans.Options{Isolation: isolation, MaxTimeout: time.Minute, Kept: 2, Workers: 2})
			defer s.Close()
			for _, policy := range []string{policies.Default, "agent"} {
				box, err := s.Get(t.Context(), policies.Ref(policy+"@builtin"), "")
				if e, ok := err.(*sandtrap.Error); ok && e.Kind == sandtrap.KindIsolation {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				res, err := box.Run(t.Context(), "alpha", sandtrap.Script{Text: looksForDevices})
				if err != nil || res.Stdout != "looked\n" {
					t.Errorf("%s: %v, %+v", policy, err, res)
				}
				box.Release()
			}
			if isolation == sandtrap.Kernel {
				lookAtWorkers(t, s)
			}
		})
	}
}

// lookAtWorkers looks at the processes that this one has started, those of the pool among them, and at what they have started.
func lookAtWorkers(t *testing.T, s *plans.Set) {
	t.Helper()
	settled(t, s, 2)
	workers := 0
	for _, pid := range children(t) {
		dir := "/proc/" + pid
		mounts, err := os.ReadFile(dir + "/mountinfo")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(mounts)), "\n")
		if !strings.Contains(lines[0], " / / ") || !strings.Contains(lines[0], " - tmpfs ") {
			continue // it has the machine's root, and starts workers
		}
		workers++
		for _, line := range lines {
			if f := strings.Fields(line); f[4] != "/" && f[4] != "/proc" || !strings.HasPrefix(f[5], "ro,nosuid,nodev,noexec") {
				t.Errorf("a mount of it is %s", line) // what a program that is linked with C sees of itself is in /proc
			}
		}
		descriptors, err := filepath.Glob(dir + "/fd/*")
		if err != nil || len(descriptors) == 0 {
			t.Fatal(descriptors, err)
		}
		for _, fd := range descriptors {
			if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "/dev/") && to != "/dev/null" {
				t.Errorf("%s is %s", fd, to)
			}
		}
		for _, name := range []string{"dev", "sys"} {
			if _, err := os.Lstat(dir + "/root/" + name); err == nil {
				t.Errorf("below its root there is %s", name)
			}
		}
		maps, err := os.ReadFile(dir + "/maps")
		if err == nil && slices.ContainsFunc(strings.Fields(string(maps)), func(f string) bool { return strings.HasPrefix(f, "/dev/") && f != "/dev/zero" }) {
			t.Errorf("a device is mapped: %s", maps)
		}
	}
	if workers == 0 {
		t.Error("no process is a worker")
	}
}
