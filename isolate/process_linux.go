package isolate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A process is a worker's, with what is known of it from outside.
type process struct {
	of      *os.Process
	state   *os.ProcessState // once it has been waited for
	words   *lastWords
	said    chan struct{} // closed when words has all
	ears    *os.File      // where they come from
	memory  *memory       // what holds its memory, nil if nothing does
	left    func()        // called when it is gone, if not nil
	audited bool          // it has the descriptor of an audit
	dirs    int           // directories that it was handed
	filters string        // of system calls that it began with: how many, "" if nobody knows
	starter string        // layers of the spawner that started it, "" if this process did
	scope   *groupTree    // that of its spawner, nil if it has none

	waited sync.Once
	closed atomic.Bool // by Close

	unheard atomic.Bool // its audit has ended before it
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
	f, err := newWorkerFiles(spec)
	if err != nil {
		return nil, nil, err
	}
	p, err := nursery.spawn(spec, rows, f)
	if err != nil && err != errNoSpawner {
		// It may have started one that has these files, and ended before it said so. That one ends
		// when they are closed; since nobody knows its number it is not waited for.
		f.closeTheirs()
		f.closeOurs()
		if f, err = newWorkerFiles(spec); err != nil {
			return nil, nil, err
		}
	}
	if p == nil {
		sweeping.Do(func() { go cgroups.sweep() }) // many programs have one worker, and no spawner that does it
		p, err = begin(spec, rows, f)
	}
	f.closeTheirs()
	if err != nil {
		return nil, nil, errors.Join(startError(err, rows), f.closeOurs())
	}
	p.ears, p.audited, p.dirs = f.words, spec.Audit != nil, len(spec.Dirs)
	p.words, p.said = new(lastWords), make(chan struct{})
	go func() {
		if _, err := io.Copy(p.words, f.words); errors.Is(err, errTooManyWords) {
			p.kill()
		}
		f.words.Close()
		close(p.said)
	}()
	return p, f.socket, nil
}

// sweeping is for what a process does once about others that were killed.
var sweeping sync.Once

// begin starts a worker from this process, if it can be in its control group.
func begin(spec Spec, rows []layer, f *workerFiles) (*process, error) {
	args, attr := []string{early.WorkerName}, attributes(rows)
	if m, dir := beginIn(spec, rows); m != nil {
		defer dir.Close()
		attr.UseCgroupFD, attr.CgroupFD = true, int(dir.Fd())
		if p, err := direct(args, attr, f); err == nil {
			m.how += ", from its start"
			p.memory = m
			return p, nil
		}
		m.release() // the kernel is too old, or does not let this user
		attr = attributes(rows)
	}
	return direct(args, attr, f)
}

// direct starts a process from this one. The executable is named by its descriptor, so that
// the worker's user need not reach its directory.
func direct(args []string, attr *syscall.SysProcAttr, f *workerFiles) (*process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	if err := roomFor(null, startFiles); err != nil {
		return nil, err
	}
	p := new(process)
	done := make(chan error)
	starting() <- func() {
		p.filters = filtersOf(readStatus("/proc/thread-self/status", nil))
		p.of, err = os.StartProcess("/proc/self/fd/4", args, &os.ProcAttr{
			Dir: "/", Env: []string{}, Files: append([]*os.File{null, null}, f.passed()...), Sys: attr,
		})
		done <- err
	}
	return p, <-done
}

// startFiles is how many descriptors os.StartProcess needs in a new user namespace: two pipes,
// and one of the process. Where it gets the pipes alone it loses one of them (Go 1.26,
// forkAndExecInChild in syscall).
const startFiles = 5

// roomFor fails if there is no room for n more descriptors now.
func roomFor(file *os.File, n int) error {
	for range n {
		fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("isolate: %w", unix.EMFILE)
		}
		defer unix.Close(fd)
	}
	return nil
}

// workerFiles are the two ends of what a host and a process that it starts share.
type workerFiles struct {
	socket, words *os.File                     // this end
	theirs        [posture.SpawnFiles]*os.File // standard error, the socket, the executable
	dirs          []*os.File                   // the caller's
}

// passed is what the other one gets after its standard input and output.
func (f *workerFiles) passed() []*os.File { return slices.Concat(f.theirs[:], f.dirs) }

// newWorkerFiles makes them.
func newWorkerFiles(spec Spec) (f *workerFiles, err error) {
	path := spec.Path
	if path == "" {
		path = "/proc/self/exe"
	}
	f = &workerFiles{dirs: spec.Dirs}
	if f.theirs[2], err = os.Open(path); err != nil {
		return nil, fmt.Errorf("isolate: the worker's executable: %w", err)
	}
	if f.words, f.theirs[0], err = os.Pipe(); err != nil {
		f.theirs[2].Close()
		return nil, fmt.Errorf("isolate: pipe: %w", err)
	}
	if f.socket, f.theirs[1], err = socketpair(unix.SOCK_STREAM, true); err != nil {
		f.theirs[0].Close()
		f.theirs[2].Close()
		f.words.Close()
		return nil, err
	}
	return f, nil
}

func (f *workerFiles) closeTheirs() {
	for _, file := range f.theirs {
		file.Close()
	}
}

func (f *workerFiles) closeOurs() error { return errors.Join(f.socket.Close(), f.words.Close()) }

// socketpair makes two ends, of which ours may block: then what comes wakes the thread that
// waits for it, which takes half as long as through the runtime's poller, and there are no
// deadlines.
func socketpair(kind int, blocks bool) (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("isolate: socketpair: %w", err)
	}
	if err := unix.SetNonblock(fds[0], !blocks); err != nil {
		return nil, nil, errors.Join(err, unix.Close(fds[0]), unix.Close(fds[1]))
	}
	return os.NewFile(uintptr(fds[0]), "worker"), os.NewFile(uintptr(fds[1]), "host"), nil
}

// shut wakes who reads or writes, which closing a socket that blocks does not.
func shut(socket *os.File) {
	raw, err := socket.SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_RDWR) }) // unless it is closed
	}
}

func (p *process) pid() int { return p.of.Pid }

// listen tells report of each call that the filter hands over to descriptor n of the process.
func (p *process) listen(n int, report func(audit.Refusal)) error {
	l, err := audit.FromProcess(p.of, n)
	if err != nil {
		return err
	}
	ended := false // as the worker did
	go func() {
		defer func() {
			_ = recover() // what an audit panics with has no reader
			p.unheard.Store(!ended)
			p.kill() // nobody is told any more of what it does
		}()
		l.Serve(report)
		ended = true
	}()
	return nil
}

// kill ends the process, if it has not ended.
func (p *process) kill() { p.of.Kill() }

// wait returns when the process is gone and nothing of it is left.
func (p *process) wait() {
	p.waited.Do(func() {
		p.state, _ = p.of.Wait()                      // what it died of
		p.ears.SetReadDeadline(time.Now().Add(grace)) // should anybody else have the other end
		<-p.said
		p.memory.release()
		if p.left != nil {
			p.left()
		}
	})
}

// death says what the process died of. It has been waited for.
func (p *process) death() error {
	if p.state == nil {
		return nil
	}
	state, ok := p.state.Sys().(syscall.WaitStatus)
	if !ok {
		return nil
	}
	said := p.words.String()
	switch {
	case p.closed.Load():
		return &DeathError{HostClosed, "it was closed"}
	case p.unheard.Load():
		return &DeathError{Killed, "the host's audit panicked or ended its goroutine"}
	case p.memory.exceeded():
		return &DeathError{OutOfMem, "it used more memory than it may"}
	case strings.Contains(said, "out of memory"), strings.Contains(said, "cannot allocate memory"): // by RLIMIT_DATA; words that an attacker might forge
		return &DeathError{OutOfMem, "the Go runtime ran out of memory"}
	case p.words.tooMany():
		return &DeathError{Broken, errTooManyWords.Error()}
	case state.Signaled() && state.Signal() == syscall.SIGSYS:
		return &DeathError{Syscall, "SIGSYS: it made a system call that it may not make"}
	case state.Signaled() && state.Signal() == syscall.SIGKILL:
		return &DeathError{Killed, "it got SIGKILL from the kernel, perhaps for lack of memory, or from another process"}
	case state.Signaled():
		return &DeathError{Crashed, "signal " + state.Signal().String()}
	}
	return &DeathError{Crashed, fmt.Sprintf("exit status %d: %s", state.ExitStatus(), said)}
}

// lastWords keeps the first of what a process says on its standard error. It has an end: to read it costs
// the host time, for which nobody has asked.
type lastWords struct {
	mu   sync.Mutex
	text []byte
	said int // bytes
}

const (
	maxWords = 4 << 10 // that are kept
	maxSaid  = 4 << 20 // more than the Go runtime says at last
)

var errTooManyWords = fmt.Errorf("it wrote more than %d bytes to its standard error", maxSaid)

func (l *lastWords) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p[:min(len(p), maxWords-len(l.text))]...)
	if l.said += len(p); l.said > maxSaid {
		return len(p), errTooManyWords
	}
	return len(p), nil
}

func (l *lastWords) tooMany() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said > maxSaid
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
