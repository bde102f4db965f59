// Package machine finds out what the kernel lets this process do, by trying it. Tests ask it before
// they excuse what is tested: it knows nothing of the code that confines workers.
//
// It may not change what it finds out about.
package machine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lacks says why the machine cannot do what the layer of that name needs, or "". Layers that it does
// not know need nothing of a machine.
func Lacks(layer string) string {
	switch layer {
	case "user_namespace", "pid_namespace", "net_namespace", "ipc_namespace", "uts_namespace", "cgroup_namespace", "mount_namespace":
		return namespaces()
	case "landlock":
		abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
		if errno != 0 || abi < 1 {
			return fmt.Sprint("landlock_create_ruleset: ", errno)
		}
	case "no_write_exec":
		if _, err := unix.PrctlRetInt(unix.PR_GET_MDWE, 0, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			return "prctl(PR_GET_MDWE): " + err.Error()
		}
	case "seccomp":
		text, err := os.ReadFile("/proc/sys/kernel/seccomp/actions_avail")
		if !slices.Contains(strings.Fields(string(text)), "kill_process") {
			return fmt.Sprintf("seccomp has %q, %v", text, err)
		}
	case "memory", "cpu", "pids":
		return Groups(layer)
	}
	return ""
}

// namespaces starts a process in new namespaces of all kinds.
var namespaces = sync.OnceValue(func() string {
	cmd := exec.Command("mount", "--make-rslave", "/") // some kernels give no rights with a user namespace
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
			unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Sprintf("namespaces: %v: %s", err, out)
	}
	return ""
})

// Confinement says why the machine cannot confine a worker with each layer, or "".
func Confinement() string {
	for _, layer := range []string{"user_namespace", "landlock", "seccomp", "no_write_exec"} {
		if why := Lacks(layer); why != "" {
			return why
		}
	}
	return ""
}

// limitFiles are what a group of a controller has in it, by the type of the mount, and a limit.
var limitFiles = map[string]map[string][2]string{
	"cgroup": {
		"memory": {"memory.limit_in_bytes", "67108864"}, "pids": {"pids.max", "100"}, "cpu": {"cpu.cfs_quota_us", "50000"},
	},
	"cgroup2": {
		"memory": {"memory.max", "67108864"}, "pids": {"pids.max", "100"}, "cpu": {"cpu.max", "50000 100000"},
	},
}

// Groups says why no control group below that of this process can be limited by the controller, or
// "". A group of version 2 may have to be prepared first: what is tested may do so, and then be
// able to do more.
func Groups(controller string) string {
	return limits(map[string]limit{
		"cgroup":  {controller, limitFiles["cgroup"][controller]},
		"cgroup2": {controller, limitFiles["cgroup2"][controller]},
	})
}

// ReadRate says why no control group can be limited in what it reads from the disk that path is on, or "".
func ReadRate(path string) string {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return err.Error()
	}
	number := fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev))
	at, err := filepath.EvalSymlinks("/sys/dev/block/" + number)
	if err != nil {
		return err.Error()
	}
	if _, err := os.Stat(filepath.Join(at, "partition")); err == nil { // rates are those of whole disks
		text, err := os.ReadFile(filepath.Join(filepath.Dir(at), "dev"))
		if err != nil {
			return err.Error()
		}
		number = strings.TrimSpace(string(text))
	}
	return limits(map[string]limit{
		"cgroup":  {"blkio", [2]string{"blkio.throttle.read_bps_device", number + " 1048576"}},
		"cgroup2": {"io", [2]string{"io.max", number + " rbps=1048576"}},
	})
}

// A limit is a controller, and a file of it with what is written to that.
type limit struct {
	controller string
	file       [2]string
}

// limits says why no group can have one of the limits, which go by the type of the mount, or "".
func limits(by map[string]limit) string {
	var why []string
	for _, fstype := range []string{"cgroup", "cgroup2"} {
		l := by[fstype]
		dir, err := below(fstype, l.controller)
		if err == nil {
			err = errors.Join(limited(dir, l.file[0], l.file[1]), os.Remove(dir))
		}
		if err == nil {
			return ""
		}
		why = append(why, err.Error())
	}
	return strings.Join(why, "; ")
}

// NewGroup says why no control group of version 2 can be made below that of this process, or "".
func NewGroup() string {
	dir, err := below("cgroup2", "")
	if err == nil {
		err = os.Remove(dir)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func limited(dir, file, limit string) error {
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, file), []byte(limit), 0)
}

// below makes a group below that of this process.
func below(fstype, controller string) (string, error) {
	own, err := ownGroup(fstype, controller)
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(mounts)) {
		at, fs, _ := strings.Cut(line, " - ")
		where, what := strings.Fields(at), strings.Fields(fs)
		if len(where) < 5 || len(what) < 3 || what[0] != fstype || fstype == "cgroup" && !slices.Contains(strings.Split(what[2], ","), controller) {
			continue
		}
		dir := filepath.Join(where[4], strings.TrimPrefix(own, strings.TrimSuffix(where[3], "/")), "machine-"+strconv.Itoa(os.Getpid()))
		return dir, os.Mkdir(dir, 0o755)
	}
	return "", fmt.Errorf("no %s is mounted for %q", fstype, controller)
}

// ownGroup is the group of this process in the hierarchy of a controller.
func ownGroup(fstype, controller string) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) == 3 && (fstype == "cgroup2" && f[0] == "0" || fstype == "cgroup" && slices.Contains(strings.Split(f[1], ","), controller)) {
			return f[2], nil
		}
	}
	return "", fmt.Errorf("this process is in no %s of %q", fstype, controller)
}
