package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// nobody is whom the processes of these tests are, or their own user if that is not root.
func nobody() int {
	if uid := os.Geteuid(); uid != 0 {
		return uid
	}
	return 65534
}

// spawnerProbes each get, in a spawner that lacks a layer, what the layer is there to refuse.
var spawnerProbes = map[string]func(victim int) error{
	posture.Capabilities: func(int) error {
		text, err := os.ReadFile("/proc/thread-self/status")
		if strings.Contains(string(text), "CapEff:\t00000000002001c0") {
			return errors.New("few capabilities")
		}
		return err
	},
	posture.Bounding:   func(int) error { return is1(unix.PrctlRetInt(unix.PR_CAPBSET_READ, unix.CAP_NET_ADMIN, 0, 0, 0)) },
	posture.Securebits: func(int) error { return unix.Prctl(unix.PR_SET_SECUREBITS, 0, 0, 0, 0) },
	posture.Rlimits: func(int) error {
		var l unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_MSGQUEUE, &l); err != nil || l.Cur == 0 {
			return errors.New("no queue")
		}
		return nil
	},
	posture.Landlock:    func(victim int) error { return unix.Tgkill(victim, victim, 0) },
	posture.Undumpable:  func(int) error { return is1(unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)) },
	posture.NoWriteExec: func(int) error { return mapping(unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC) },
	posture.Seccomp: func(int) error {
		_, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		return err
	},
}

func is1(n int, err error) error {
	if err == nil && n != 1 {
		err = errors.New("it is not set")
	}
	return err
}

func mapping(prot int) error {
	_, err := unix.Mmap(-1, 0, 4096, prot, unix.MAP_PRIVATE|unix.MAP_ANON)
	return err
}

// TestSpawnerIsHeld: each layer of a spawner refuses something, which without it can be had.
func TestSpawnerIsHeld(t *testing.T) {
	if without, child := os.LookupEnv("SPAWNER_WITHOUT"); child {
		probeSpawner(without)
	}
	victim := exec.Command("sleep", "60")
	victim.SysProcAttr = &syscall.SysProcAttr{}
	if os.Geteuid() == 0 {
		victim.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer victim.Wait()
	defer victim.Process.Kill()
	whole, why := startSpawner(t, "", victim.Process.Pid)
	if lacks := machine.Lacks(posture.UserNamespace); whole == nil && lacks != "" && os.Getenv("SANDTRAP_KERNEL_TESTS") != "required" {
		t.Skip("this machine cannot: ", lacks)
	}
	lacking := 0
	for name := range spawnerProbes {
		if kernelLacks(name) {
			lacking++
		}
	}
	for name := range spawnerProbes {
		if kernelLacks(name) {
			t.Logf("this machine cannot: %s", name)
			continue
		}
		if !slices.Contains(whole, name) {
			t.Errorf("%s refuses nothing: %s", name, why)
		}
		if less, why := startSpawner(t, name, victim.Process.Pid); slices.Contains(less, name) || len(less) < len(spawnerProbes)-lacking-1 {
			t.Errorf("without %s: refused %v; %s", name, less, why)
		}
	}
}

// kernelLacks says whether the layer is one of those that a spawner goes without, and on this kernel does.
func kernelLacks(name string) bool {
	switch name {
	case posture.Landlock:
		const signals = 6 // the first ABI that forbids them, which is what is tried
		abi, err := ll.LandlockGetABIVersion()
		return err != nil || abi < signals
	case posture.NoWriteExec:
		_, err := unix.PrctlRetInt(unix.PR_GET_MDWE, 0, 0, 0, 0)
		return err == unix.EINVAL
	}
	return false
}

// startSpawner has a child become a spawner without a layer, and returns what was refused.
func startSpawner(t *testing.T, without string, victim int) (refused []string, why string) {
	t.Helper()
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	cmd := exec.Command("/proc/self/fd/3", "-test.run", "^TestSpawnerIsHeld$")
	cmd.ExtraFiles = []*os.File{self} // nobody cannot reach its directory
	cmd.Dir = "/"
	cmd.Env = []string{"SPAWNER_WITHOUT=" + without, "SPAWNER_VICTIM=" + strconv.Itoa(victim)}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: nobody(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: nobody(), Size: 1}},
		Credential: &syscall.Credential{NoSetGroups: true},
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Sprintf("%v: %s", err, out)
	}
	return strings.Fields(string(out)), string(out)
}

// probeSpawner makes this process a spawner, prints what it is refused, and ends.
func probeSpawner(without string) {
	spawnerLayers = slices.DeleteFunc(spawnerLayers, func(l layer) bool { return l.name == without })
	victim, _ := strconv.Atoi(os.Getenv("SPAWNER_VICTIM"))
	layers, err := holdSpawner()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for name, probe := range spawnerProbes {
		if probe(victim) != nil {
			fmt.Println(name)
		}
	}
	for _, l := range layers {
		if l.State != posture.Applied {
			fmt.Println(l.Name+":", l.Reason)
		}
	}
	os.Exit(0)
}

// TestSpawnerTable: the rows have reasons, the capabilities too, and what a spawner has no use for
// is not among the calls.
func TestSpawnerTable(t *testing.T) {
	names := map[string]bool{}
	for _, p := range purposes {
		for _, c := range p.calls {
			if p.why == "" || names[c.name] && len(c.args) == 0 {
				t.Errorf("%s: no reason, or twice", c.name)
			}
			names[c.name] = true
		}
	}
	for _, c := range spawnerCapabilities {
		if c.why == "" {
			t.Errorf("capability %d has no reason", c.capability)
		}
	}
	for _, bad := range []string{"socket", "connect", "bind", "sendmsg", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd",
		"pidfd_send_signal", "bpf", "perf_event_open", "io_uring_setup", "userfaultfd", "keyctl", "add_key", "setns", "open_by_handle_at",
		"init_module", "finit_module", "kexec_load", "memfd_create", "personality", "openat2", "unlinkat", "renameat2", "chmod", "chown", "link", "execveat"} {
		if names[bad] {
			t.Errorf("%s is among the calls", bad)
		}
	}
	for _, worker := range slices.Concat(calls, linkedCalls, dirCalls) {
		if !names[worker.name] {
			t.Errorf("a worker may call %s, which the filter that it begins with refuses", worker.name)
		}
	}
}
