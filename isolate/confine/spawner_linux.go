package confine

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A spawner starts workers for a host whose own memory would be dear to copy. It is in the
// user namespace that its workers will be in. It starts them as the host's children, not as its
// own, so that it has nothing to keep of them, and hears of them nothing but what the host asks.
type spawner struct {
	seats map[int]*seat
}

// Spawn serves as a spawner until the host closes the socket, which is no error.
func Spawn() error {
	layers, err := holdSpawner()
	if err != nil {
		return errors.Join(err, reply(posture.SpawnAnswer{Error: err.Error()}))
	}
	if err := reply(posture.SpawnAnswer{Layers: layers}); err != nil {
		return err
	}
	s := &spawner{seats: map[int]*seat{}}
	for {
		request, files, err := receiveRequest()
		if err != nil || request == nil {
			return err
		}
		answer := s.do(request, files)
		for _, fd := range files {
			unix.Close(fd)
		}
		if err := reply(answer); err != nil {
			return err
		}
	}
}

func (s *spawner) do(request *posture.SpawnRequest, files []int) (answer posture.SpawnAnswer) {
	at := s.seats[request.Seat]
	if at == nil {
		at = newSeat(request.Seat)
		s.seats[request.Seat] = at
	}
	err := at.do(func() (err error) {
		answer.Thread = unix.Gettid()
		if request.Start {
			answer.Pid, err = startWorker(request.Flags&^at.has, files)
		}
		return err
	})
	if err != nil {
		answer.Error = err.Error()
	}
	return answer
}

// A seat is a thread that starts workers. It never ends: workers would end with it if they were
// its children.
type seat struct {
	todo chan func() error
	done chan error
	has  uint64 // the namespaces that its workers have from it, as flags of clone
}

// startSlack is by how many nanoseconds the kernel may be late for a thread of a worker that starts. The
// monitor of the Go runtime would look every 20 µs at threads that all do what they should.
const startSlack = 1_000_000

// newSeat makes a seat. But for the first, which is for workers that have none of their own, it has a
// network namespace, and there is one worker in it at a time: one that is made for a worker
// takes longer to make and to give back than all its other namespaces.
func newSeat(number int) *seat {
	s := &seat{todo: make(chan func() error), done: make(chan error)}
	if number > 0 {
		s.has = unix.CLONE_NEWNET
	}
	go func() {
		runtime.LockOSThread()
		err := unix.Prctl(unix.PR_SET_TIMERSLACK, startSlack, 0, 0, 0)
		if err == nil && s.has != 0 {
			err = unix.Unshare(int(s.has))
		}
		for do := range s.todo {
			if err == nil {
				s.done <- do()
			} else {
				s.done <- fmt.Errorf("a seat: %w", err)
			}
		}
	}()
	return s
}

// do does something on the thread of the seat.
func (s *seat) do(f func() error) error {
	s.todo <- f
	return <-s.done
}

// startWorker starts a worker as a child of this process' parent, in the control groups of this
// thread.
func startWorker(flags uint64, files []int) (int, error) {
	if len(files) < posture.SpawnFiles || len(files) > posture.SpawnFiles+posture.MaxDirs {
		return 0, fmt.Errorf("%d descriptors for a worker", len(files))
	}
	passed := []uintptr{0, 1}
	for _, fd := range files {
		passed = append(passed, uintptr(fd))
	}
	return syscall.ForkExec("/proc/self/fd/4", []string{early.WorkerName}, &syscall.ProcAttr{
		Dir: "/", Env: []string{},
		Files: passed,
		Sys:   &syscall.SysProcAttr{Cloneflags: uintptr(flags) | unix.CLONE_PARENT, Pdeathsig: syscall.SIGKILL, Setsid: true},
	})
}

// receiveRequest is the next request with its descriptors, nil if the host has closed.
func receiveRequest() (*posture.SpawnRequest, []int, error) {
	body, rights := make([]byte, posture.MaxPacket), make([]byte, unix.CmsgSpace(4*(posture.SpawnFiles+posture.MaxDirs)))
	n, rn, _, _, err := unix.Recvmsg(Socket, body, rights, unix.MSG_CMSG_CLOEXEC)
	for err == unix.EINTR {
		n, rn, _, _, err = unix.Recvmsg(Socket, body, rights, unix.MSG_CMSG_CLOEXEC)
	}
	if err != nil || n == 0 {
		return nil, nil, err
	}
	request := new(posture.SpawnRequest)
	if err := wire.Decode(body[:n], request); err != nil {
		return nil, nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:rn])
	if err != nil || len(messages) == 0 {
		return request, nil, err
	}
	files, err := unix.ParseUnixRights(&messages[0])
	return request, files, err
}

func reply(answer posture.SpawnAnswer) error {
	body, err := wire.Encode(answer)
	if err != nil {
		return err
	}
	_, err = unix.Write(Socket, body)
	return err
}
