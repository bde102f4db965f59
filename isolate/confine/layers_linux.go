package confine

import (
	"crypto/rand"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// Socket is the descriptor that the host is behind. Below it are the three of every
// process.
const Socket = 3

// layers in the order in which each leaves the next what it needs: mounts need
// capabilities and are forbidden under Landlock, and after the filter no setup call is
// possible.
var layers = []layer{
	{wire.Descriptors, closeDescriptors, "what the host had open is out of reach"},
	{wire.Root, emptyRoot, "there is no path to open"},
	{wire.Rlimits, limit, "a worker cannot use up what others need, and leaves no core"},
	{wire.Securebits, lockSecurebits, "being root in its namespace gives nothing back"},
	{wire.Capabilities, dropCapabilities, "no privilege is left to use"},
	{wire.NoNewPrivs, noNewPrivs, "no program that it might start has more"},
	{wire.Landlock, landlockAll, "a second layer that forbids each path and connection"},
	{wire.Undumpable, undumpable, "nobody attaches to it or reads its memory"},
	{wire.NoWriteExec, noWriteExec, "what it writes never becomes code"},
	{wire.Seccomp, filter, "the kernel takes no call but those of the table"},
}

// A process is what the layers have to know of each other.
type process struct {
	epoll, event int // descriptors of the Go runtime
}

// closeDescriptors must come before the runtime opens its own.
func closeDescriptors(*process, wire.Profile) error {
	return unix.CloseRange(Socket+1, math.MaxUint32, 0)
}

// threads is how many threads the process has ready before it may start none: those
// that run Go code, those that wait in a system call, and the runtime's own.
const threads = procs + 8

// procs is how many threads run Go code at a time: one runs the script, the other
// collects its garbage.
const procs = 2

// settle has the runtime do now what it could not do under the filter: it starts its
// threads and opens its descriptors.
func (p *process) settle(memory int64) error {
	runtime.GOMAXPROCS(procs) // and the runtime does not look for a better number any more
	time.Local = time.UTC     // the zone is a file
	startThreads()
	time.Sleep(time.Millisecond) // timers open descriptors
	rand.Read(make([]byte, 8))   // takes memory of a kind of its own
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	return p.findDescriptors()
}

func startThreads() {
	var ready, done sync.WaitGroup
	ready.Add(threads)
	done.Add(threads)
	hold := make(chan struct{})
	for range threads {
		go func() {
			runtime.LockOSThread()
			ready.Done()
			<-hold
			runtime.UnlockOSThread() // the thread stays, for others
			done.Done()
		}()
	}
	ready.Wait()
	close(hold)
	done.Wait()
}

// findDescriptors asks which of the open descriptors are the runtime's epoll and what
// it is woken with: the one already waits for the other.
func (p *process) findDescriptors() error {
	for a := Socket + 1; a < 16; a++ {
		for b := Socket + 1; b < 16; b++ {
			if a == b {
				continue
			}
			event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(b)}
			if unix.EpollCtl(a, unix.EPOLL_CTL_ADD, b, &event) == unix.EEXIST {
				p.epoll, p.event = a, b
				return nil
			}
		}
	}
	return fmt.Errorf("the descriptors of the Go runtime were not found")
}

func undumpable(*process, wire.Profile) error {
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

func noWriteExec(*process, wire.Profile) error {
	return unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)
}

func noNewPrivs(*process, wire.Profile) error {
	return onAllThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
}
