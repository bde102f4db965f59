package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A spawner is a small process that starts workers for this one: the kernel copies the tables of
// all memory of a process that starts another in a user namespace, and the spawner has next to
// none. Its threads have seats in control groups, where what they start begins: putting a
// process there later takes the kernel 10 ms. The workers are children of this process.
type spawner struct {
	of     *os.Process
	gone   chan struct{} // closed when it is
	socket *os.File
	held   string // by which layers, for Status

	filters string // of system calls that it has: how many
	users   string // the user namespace that it is in with its workers, and nothing else is; "" if nobody knows

	mu     sync.Mutex // of what follows, and of the conversation
	seats  int        // that there were
	free   []*seat
	spoilt []*seat    // of no more use, but their threads are in their groups
	bare   bool       // there are no groups to have seats in
	scope  *groupTree // which it is in, nil if it is in none
	asked  bool       // for a scope
	ended  bool

	workers map[int]bool // by their numbers, those that are waited for
}

// A seat is a thread of a spawner that is in a control group.
type seat struct {
	number int
	group  *controlGroup
	home   *spawner
}

// raiseSpawner starts a spawner.
func raiseSpawner(path string) (*spawner, error) {
	f, err := newWorkerFiles(Spec{Path: path})
	if err != nil {
		return nil, err
	}
	defer f.closeTheirs()
	defer f.closeOurs()
	socket, its, err := socketpair(unix.SOCK_SEQPACKET, false)
	if err != nil {
		return nil, err
	}
	f.theirs[1].Close()
	f.theirs[1] = its
	attr := attributes(layers)
	attr.Cloneflags &^= unix.CLONE_NEWPID // or it could make no brothers
	p, err := direct([]string{early.WorkerName, posture.SpawnerArg}, attr, f)
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	s := &spawner{of: p.of, filters: oneMore(p.filters), socket: socket, gone: make(chan struct{}), workers: map[int]bool{}}
	s.users, _ = os.Readlink(fmt.Sprintf("/proc/%d/ns/user", p.pid()))
	go func() {
		s.of.Wait()
		s.mu.Lock()
		s.reap()
		s.end()
		s.mu.Unlock()
		close(s.gone)
	}()
	socket.SetDeadline(time.Now().Add(startup))
	ready, err := s.answer()
	if err == nil {
		err = s.checkHeld(p, ready.Layers)
	}
	if err != nil {
		s.of.Kill()
		return nil, err
	}
	go cgroups.sweep()
	return s, nil
}

// checkHeld compares what the spawner says of itself with what the kernel shows.
func (s *spawner) checkHeld(p *process, said []posture.Layer) error {
	has := []string{}
	for _, l := range said {
		if l.State == posture.Applied {
			has = append(has, l.Name)
		}
	}
	s.held = strings.Join(has, " ")
	seen := p.look()
	for _, name := range []string{posture.Bounding, posture.NoNewPrivs, posture.Seccomp} {
		if !slices.Contains(has, name) {
			return fmt.Errorf("isolate: the spawner does not say that it has %s", name)
		}
		if err := checks[name](seen); err != nil {
			return fmt.Errorf("isolate: the spawner: %s: %w", name, err)
		}
	}
	return nil
}

// dead says that the spawner has ended.
func (s *spawner) dead() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// retire ends the spawner, and returns when it is gone. Its workers live on.
func (s *spawner) retire() {
	s.of.Kill()
	<-s.gone
}

// reap ends, and waits for, what the spawner has started and has not told of before it ended: those are
// children of this process. It is gone; mu is held.
func (s *spawner) reap() {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, name := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(name)
			if err != nil || s.workers[pid] {
				continue
			}
			if in, err := os.Readlink("/proc/" + name + "/ns/user"); err != nil || in != s.users {
				continue // it is none of the spawner's
			}
			if p, err := os.FindProcess(pid); err == nil {
				p.Kill()
				p.Wait()
			}
		}
	}
}

// forget says that a worker has been waited for.
func (s *spawner) forget(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.workers, pid)
}

// end gives back what the spawner had, which is gone or going. mu is held.
func (s *spawner) end() {
	s.ended = true
	s.socket.Close()
	for _, seat := range slices.Concat(s.free, s.spoilt) {
		seat.group.remove()
	}
	s.free, s.spoilt = nil, nil
}

// answer is the next packet of the spawner.
func (s *spawner) answer() (posture.SpawnAnswer, error) {
	var a posture.SpawnAnswer
	buf := make([]byte, posture.MaxPacket)
	n, err := s.socket.Read(buf)
	if err == nil {
		err = wire.Decode(buf[:n], &a)
	}
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil {
		return a, fmt.Errorf("isolate: the spawner: %w", err)
	}
	return a, nil
}

// ask sends a request and waits for its answer. mu is held. After an error the spawner is of
// no more use.
func (s *spawner) ask(request posture.SpawnRequest, files []*os.File) (posture.SpawnAnswer, error) {
	body, err := wire.Encode(request)
	if err != nil {
		return posture.SpawnAnswer{}, err
	}
	var rights []byte
	if len(files) > 0 {
		fds := []int{}
		for _, f := range files {
			fds = append(fds, int(f.Fd()))
		}
		rights = unix.UnixRights(fds...)
	}
	s.socket.SetDeadline(time.Now().Add(startup))
	raw, err := s.socket.SyscallConn()
	if err != nil {
		return posture.SpawnAnswer{}, err
	}
	var sent error
	err = raw.Write(func(fd uintptr) bool {
		sent = unix.Sendmsg(int(fd), body, rights, nil, unix.MSG_NOSIGNAL)
		return sent != unix.EAGAIN
	})
	if err := errors.Join(err, sent); err != nil {
		return posture.SpawnAnswer{}, err
	}
	return s.answer()
}

// spawn starts a worker.
func (s *spawner) spawn(spec Spec, rows []layer, f *workerFiles) (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, errors.New("isolate: the spawner has ended")
	}
	request := posture.SpawnRequest{Start: true, Flags: uint64(attributes(rows).Cloneflags &^ unix.CLONE_NEWUSER)}
	p := &process{starter: s.held, filters: s.filters}
	if grouped(spec, rows) && !s.bare {
		if at := s.seat(spec.bounds()); at != nil {
			p.memory = inGroup(at.group)
			request.Seat, p.memory.seat = at.number, at
		}
	}
	if grouped(spec, rows) && p.memory == nil {
		p.scope = s.inScope()
	}
	answer, err := s.ask(request, f.passed())
	if err == nil {
		p.of, err = findChild(answer.Pid)
	}
	if err != nil { // a worker that did not become one may be left, so this happens once
		if p.memory != nil {
			s.spoilt = append(s.spoilt, p.memory.seat)
		}
		s.of.Kill()
		return nil, err
	}
	s.workers[p.pid()] = true
	return p, nil
}

// findChild is the process of that number, which has to be a child of this one: what is said to be a
// worker is killed in the end.
func findChild(pid int) (*os.Process, error) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("isolate: process %d is no worker of this one: %w", pid, err), p.Release())
	}
	return p, nil
}

// seat is one whose group has the limits, nil if there is none on this machine. mu is held.
func (s *spawner) seat(b bounds) *seat {
	if n := slices.IndexFunc(s.free, func(at *seat) bool { return at.group.fits(b) }); n >= 0 {
		at := s.free[n]
		s.free = slices.Delete(s.free, n, n+1)
		if at.group.renew(b) == nil {
			return at
		}
		s.spoilt = append(s.spoilt, at)
	}
	s.seats++
	at := &seat{number: s.seats, home: s}
	answer, err := s.ask(posture.SpawnRequest{Seat: at.number}, nil)
	if err != nil {
		return nil
	}
	if at.group, err = cgroups.makeGroup(version1, b); err == nil { // single threads are not for version 2
		if err = at.group.add(answer.Thread, true); err == nil {
			return at
		}
		at.group.remove()
	}
	s.bare = true
	return nil
}

// inScope is the scope that the spawner is in, nil if none is to be had. mu is held.
func (s *spawner) inScope() *groupTree {
	if !s.asked {
		s.asked = true
		s.scope = userManager.scope(s.of.Pid)
	}
	return s.scope
}

// release gives a seat back whose worker is gone.
func (s *spawner) release(at *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		at.group.remove()
	} else {
		s.free = append(s.free, at)
	}
}
