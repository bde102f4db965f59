package confine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A process is what the layers have to know of each other.
type process struct {
	epoll, event int // descriptors of the Go runtime

	dirs    []*os.Root        // that the host has handed in, nil for one that is not this user's to open
	reasons map[string]string // how layers were made

	spawns   bool // it is a spawner
	audit    bool
	listener int // with audit: the descriptor of those who listen
}

// spare is how many threads the process has ready before it may start none: those that run Go code,
// those that wait in a system call for the host, the runtime's own, and with directories those that wait
// for a file.
func spare(dirs int) int {
	if dirs > 0 {
		return procs + 6 + Waits
	}
	return procs + 6
}

// haveThreads has the runtime start the threads that it will want, and returns when
// each has started: one that starts under the filter would end the process.
func haveThreads(_ *process, profile posture.Profile) error {
	var c callOver
	if Linked {
		c = newCallOver() // before the threads, as what hears of signals takes one
		defer c.end()
	}
	if err := startThreads(spare(profile.Dirs)); err != nil {
		return err
	}
	useProcessors() // it stops all that run Go code: nobody is about to have one more started
	if !Linked {
		return cloned()
	}
	tasks, err := settled()
	if err != nil {
		return err
	}
	return c.started(tasks)
}

// cloned returns when the kernel has all threads that the runtime has asked for: where this is the first of a
// process namespace they have the first numbers. A call on each thread waits for them, too, and takes far
// longer.
func cloned() error {
	if os.Getpid() != 1 {
		return onAllThreads(unix.SYS_PRCTL, unix.PR_SET_TIMERSLACK, usualSlack)
	}
	n, _ := runtime.ThreadCreateProfile(nil)
	return numbered(n, func(tid int) bool { return unix.Tgkill(1, tid, 0) == nil })
}

// numbered returns when there are threads with all numbers up to n.
func numbered(n int, there func(tid int) bool) error {
	end := time.Now().Add(patience)
	for tid := 1; tid <= n; tid++ {
		for !there(tid) {
			if time.Now().After(end) {
				return fmt.Errorf("thread %d of %d has not started", tid, n)
			}
			time.Sleep(20 * time.Microsecond)
		}
	}
	return nil
}

// usualSlack is by how many nanoseconds the kernel is late for threads of other programs.
const usualSlack = 50_000

// startThreads has n threads hold still at the same time. They get the usual slack: one that looks
// for work to take from others would sleep too long. The runtime's monitor keeps that of the start, with which it
// rests more.
func startThreads(n int) error {
	var ready, done sync.WaitGroup
	ready.Add(n)
	done.Add(n)
	hold := make(chan struct{})
	errs := make([]error, n+1)
	for i := range n {
		go func() {
			runtime.LockOSThread()
			errs[i] = haveUsualSlack()
			ready.Done()
			<-hold
			runtime.UnlockOSThread() // the thread stays, for others
			done.Done()
		}()
	}
	ready.Wait()
	errs[n] = haveUsualSlack() // on another thread than theirs
	close(hold)
	done.Wait()
	return errors.Join(errs...)
}

func haveUsualSlack() error { return unix.Prctl(unix.PR_SET_TIMERSLACK, usualSlack, 0, 0, 0) }

// settled waits until /proc has as many threads as the runtime wants.
func settled() ([]os.DirEntry, error) {
	wanted := []metrics.Sample{{Name: "/sched/threads/total:threads"}}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		metrics.Read(wanted)
		if wanted[0].Value.Kind() != metrics.KindUint64 {
			return nil, fmt.Errorf("the Go runtime does not count its threads")
		}
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return nil, err
		}
		if uint64(len(tasks)) >= wanted[0].Value.Uint64() {
			return tasks, nil
		}
	}
	return nil, fmt.Errorf("the threads have not all started")
}

// patience is for a machine that has much else to do: a host gives up its worker sooner.
const patience = 10 * time.Second

// A callOver asks threads for an answer by a signal. A thread of the C library is in /proc before
// it has run, and makes calls of that library's own: it lets go of what it was started
// with, and gets memory to manage for that. All signals that are not the library's own are
// blocked until it runs code of Go.
type callOver chan os.Signal

func newCallOver() callOver {
	c := make(callOver, 1)
	signal.Notify(c, unix.SIGUSR1)
	return c
}

func (c callOver) end() { signal.Stop(c) }

// started returns when each thread takes signals.
func (c callOver) started(tasks []os.DirEntry) error {
	late := time.After(patience)
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			return err
		}
		if err := unix.Tgkill(os.Getpid(), tid, unix.SIGUSR1); err != nil {
			return fmt.Errorf("thread %d: %w", tid, err)
		}
		select {
		case <-c:
		case <-late:
			return fmt.Errorf("thread %d has not started", tid)
		}
	}
	return nil
}

// settle has the runtime do now what it could not do under the filter.
func (p *process) settle(memory int64) error {
	time.Local = time.UTC      // the zone is a file
	rand.Read(make([]byte, 8)) // takes memory of a kind of its own
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	if err := leaveSignals(); err != nil {
		return err
	}
	return p.findDescriptors()
}

// leaveSignals leaves signals to the kernel at which the Go runtime ends its process itself, by calls that the
// filter does not let through: the process would seem to have died of those.
func leaveSignals() error {
	var byDefault [4]uint64 // the kernel's sigaction
	for _, s := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGTERM} {
		const setSize = 8
		if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&byDefault[0])), 0, setSize, 0, 0); errno != 0 {
			return fmt.Errorf("signal %d: %w", s, errno)
		}
	}
	return nil
}

// mostInherited is how far the runtime's own descriptors are sought: they have the first numbers
// that were free.
const mostInherited = 1 << 16

// findDescriptors asks which of the open descriptors are the runtime's epoll and what
// it is woken with: the one already waits for the other. Neither is a file of any kind, and
// no other program would get them. Nothing else is asked: it would be added. It does so once.
func (p *process) findDescriptors() error {
	if p.epoll > 0 {
		return nil
	}
	time.Sleep(time.Nanosecond) // timers open them
	var none []int
	for fd := Socket + 1; fd < mostInherited; fd++ {
		var st unix.Stat_t
		if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != 0 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
			continue
		}
		for _, other := range none {
			if waits(other, fd) {
				p.epoll, p.event = other, fd
				return nil
			}
			if waits(fd, other) {
				p.epoll, p.event = fd, other
				return nil
			}
		}
		none = append(none, fd)
	}
	return fmt.Errorf("the descriptors of the Go runtime were not found")
}

// waits reports that epoll is one, and waits for fd.
func waits(epoll, fd int) bool {
	return unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Fd: int32(fd)}) == unix.EEXIST
}
