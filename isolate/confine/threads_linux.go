package confine

import (
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
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

// spare is how many threads the process has ready before it may start none: those
// that run Go code, those that wait in a system call, and the runtime's own.
const spare = procs + 8

// procs is how many threads run Go code at a time: one runs the script, the other
// collects its garbage.
const procs = 2

// haveThreads has the runtime start the threads that it will want, and returns when
// each has started: one that starts under the filter would end the process.
func haveThreads(*process, wire.Profile) error {
	runtime.GOMAXPROCS(procs) // and the runtime does not look for a better number any more
	var ready, done sync.WaitGroup
	ready.Add(spare)
	done.Add(spare)
	hold := make(chan struct{})
	for range spare {
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
	if Linked {
		if err := settled(); err != nil {
			return err
		}
	}
	return onAllThreads(unix.SYS_GETPPID, 0, 0) // each does this when it has started
}

// settled waits until /proc has as many threads as the runtime wants.
func settled() error {
	wanted := []metrics.Sample{{Name: "/sched/threads/total:threads"}}
	for range 2000 {
		metrics.Read(wanted)
		if wanted[0].Value.Kind() != metrics.KindUint64 {
			return fmt.Errorf("the Go runtime does not count its threads")
		}
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		if uint64(len(tasks)) >= wanted[0].Value.Uint64() {
			return nil
		}
		time.Sleep(100 * time.Microsecond)
	}
	return fmt.Errorf("the threads have not all started")
}

// settle has the runtime do now what it could not do under the filter.
func (p *process) settle(memory int64) error {
	time.Local = time.UTC        // the zone is a file
	time.Sleep(time.Millisecond) // timers open descriptors, and what the runtime has begun gets on
	rand.Read(make([]byte, 8))   // takes memory of a kind of its own
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	return p.findDescriptors()
}

// findDescriptors asks which of the open descriptors are the runtime's epoll and what
// it is woken with: the one already waits for the other. Neither is a file of any kind, and
// nothing else is asked: it would be added.
func (p *process) findDescriptors() error {
	var none []int
	for fd := Socket + 1; fd < 32; fd++ {
		var st unix.Stat_t
		if unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == 0 {
			none = append(none, fd)
		}
	}
	for _, a := range none {
		for _, b := range none {
			event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(b)}
			if a != b && unix.EpollCtl(a, unix.EPOLL_CTL_ADD, b, &event) == unix.EEXIST {
				p.epoll, p.event = a, b
				return nil
			}
		}
	}
	return fmt.Errorf("the descriptors of the Go runtime were not found")
}
