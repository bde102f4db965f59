package isolate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// cloneFlags are those of the namespaces.
var cloneFlags = map[string]uintptr{
	wire.UserNamespace:   unix.CLONE_NEWUSER,
	wire.PidNamespace:    unix.CLONE_NEWPID,
	wire.NetNamespace:    unix.CLONE_NEWNET,
	wire.IPCNamespace:    unix.CLONE_NEWIPC,
	wire.UTSNamespace:    unix.CLONE_NEWUTS,
	wire.CgroupNamespace: unix.CLONE_NEWCGROUP,
	wire.MountNamespace:  unix.CLONE_NEWNS,
}

// A process is a worker's, with what is known of it from outside.
type process struct {
	cmd    *exec.Cmd
	words  *lastWords
	memory *memory // what holds its memory, nil if nothing does

	waited sync.Once
	closed atomic.Bool // by Close
}

// starting is a thread that starts processes and never ends: the kernel kills a worker
// when the thread that started it is gone.
var starting = sync.OnceValue(func() chan func() {
	requests := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range requests {
			do()
		}
	}()
	return requests
})

// spawn starts the process of a worker in its namespaces. It waits for its profile.
func spawn(spec Spec, rows []layer) (*process, *os.File, error) {
	ours, theirs, err := socketpair()
	if err != nil {
		return nil, nil, err
	}
	defer theirs.Close()
	exe, err := openExecutable(spec.Path)
	if err != nil {
		ours.Close()
		return nil, nil, err
	}
	defer exe.Close()
	p := &process{words: new(lastWords)}
	// By its descriptor, so that the worker's user need not reach its directory.
	p.cmd = &exec.Cmd{
		Path: "/proc/self/fd/4", Args: []string{wire.WorkerName}, Env: []string{}, Dir: "/",
		Stderr: p.words, ExtraFiles: []*os.File{theirs, exe}, SysProcAttr: attributes(rows),
	}
	started := make(chan error)
	starting() <- func() { started <- p.cmd.Start() }
	if err := <-started; err != nil {
		ours.Close()
		return nil, nil, startError(err, rows)
	}
	return p, ours, nil
}

func socketpair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("isolate: socketpair: %w", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		return nil, nil, errors.Join(err, unix.Close(fds[0]), unix.Close(fds[1]))
	}
	return os.NewFile(uintptr(fds[0]), "worker"), os.NewFile(uintptr(fds[1]), "host"), nil
}

func openExecutable(path string) (*os.File, error) {
	if path == "" {
		path = "/proc/self/exe"
	}
	exe, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("isolate: the worker's executable: %w", err)
	}
	return exe, nil
}

// nobody is who a worker of root is outside of its namespace.
const nobody = 65534

func attributes(rows []layer) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
	for _, row := range rows {
		attr.Cloneflags |= cloneFlags[row.name]
	}
	if attr.Cloneflags&unix.CLONE_NEWUSER != 0 {
		uid, gid := os.Geteuid(), os.Getegid()
		root := uid == 0
		if root {
			uid, gid = nobody, nobody
		}
		attr.Credential = &syscall.Credential{NoSetGroups: !root} // only root can leave its groups
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: gid, Size: 1}}
		attr.GidMappingsEnableSetgroups = root
	}
	return attr
}

// startError says why the kernel did not make the process, if namespaces are why.
func startError(err error, rows []layer) error {
	namespaces := []wire.Layer{}
	for _, row := range rows {
		if cloneFlags[row.name] != 0 {
			namespaces = append(namespaces, wire.Layer{Name: row.name, State: wire.Missing, Reason: namespaceReason(err)})
		}
	}
	refused := errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EINVAL)
	if refused && len(namespaces) > 0 {
		return &MissingError{namespaces}
	}
	return fmt.Errorf("%w: it could not be started: %w", ErrWorker, err)
}

// knobs are where distributions forbid users to make namespaces.
var knobs = []struct{ path, forbids, remedy string }{
	{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "an AppArmor profile with userns for this program, or sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"},
}

func namespaceReason(err error) string {
	for _, k := range knobs {
		if got, e := os.ReadFile(k.path); e == nil && strings.TrimSpace(string(got)) == k.forbids {
			return fmt.Sprintf("%v: %s is %s; remedy: %s", err, k.path, k.forbids, k.remedy)
		}
	}
	return err.Error() + ": the kernel or a filter around this process does not let it make namespaces"
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// kill ends the process, if it has not ended.
func (p *process) kill() { p.cmd.Process.Kill() }

// wait returns when the process is gone and nothing of it is left.
func (p *process) wait() {
	p.waited.Do(func() {
		p.cmd.Wait() // what it died of is in the state
		p.memory.release()
	})
}

// death says what the process died of. It has been waited for.
func (p *process) death() error {
	state, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		return nil
	}
	said := p.words.String()
	switch {
	case p.closed.Load():
		return &DeathError{HostClosed, "it was closed"}
	case p.memory.exceeded():
		return &DeathError{OutOfMem, "it used more memory than it may"}
	case strings.Contains(said, "out of memory"): // by RLIMIT_DATA; words that an attacker might forge
		return &DeathError{OutOfMem, "the Go runtime ran out of memory"}
	case state.Signaled() && state.Signal() == syscall.SIGSYS:
		return &DeathError{Syscall, "it made a system call that it may not make"}
	case state.Signaled() && state.Signal() == syscall.SIGKILL:
		return &DeathError{Killed, "it was killed"}
	case state.Signaled():
		return &DeathError{Crashed, "signal " + state.Signal().String()}
	}
	return &DeathError{Crashed, fmt.Sprintf("exit status %d: %s", state.ExitStatus(), said)}
}

// lastWords keeps the first of what a process says on its standard error.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

const maxWords = 4 << 10

func (l *lastWords) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p[:min(len(p), maxWords-len(l.text))]...)
	return len(p), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
