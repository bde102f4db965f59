package audit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// The interface of the kernel; see seccomp_unotify(2) and linux/seccomp.h.
const (
	ioctlReceive = 0xc0502100 // SECCOMP_IOCTL_NOTIF_RECV
	ioctlSend    = 0xc0182101 // SECCOMP_IOCTL_NOTIF_SEND
	ioctlValid   = 0x40082102 // SECCOMP_IOCTL_NOTIF_ID_VALID
)

// A notice is struct seccomp_notif.
type notice struct {
	ID         uint64
	Pid, Flags uint32
	Number     int32
	Arch       uint32
	At         uint64
	Args       [6]uint64
}

// A reply is struct seccomp_notif_resp.
type reply struct {
	ID    uint64
	Value int64
	Error int32
	Flags uint32
}

// A Listener gets the calls that one filter hands to the host.
type Listener struct {
	file  *os.File
	arch  uint32
	names map[int]string
}

// FromProcess takes the descriptor n of a process, which a listener is.
func FromProcess(p *os.Process, n int) (*Listener, error) {
	fd := -1
	var failed error
	err := p.WithHandle(func(handle uintptr) { fd, failed = unix.PidfdGetfd(int(handle), n, 0) })
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("audit: the listener of the worker: %w", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil { // so that Serve waits without a thread
		return nil, errors.Join(err, unix.Close(fd))
	}
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return &Listener{os.NewFile(uintptr(fd), "seccomp"), uint32(info.ID), info.SyscallNumbers}, nil
}

// Serve refuses calls and tells of each, one after the other, until the worker is gone.
// A call waits until report returns.
func (l *Listener) Serve(report func(Refusal)) {
	defer l.file.Close()
	raw, err := l.file.SyscallConn()
	if err != nil {
		return
	}
	for {
		var next notice
		var failed error
		err := raw.Read(func(fd uintptr) (done bool) {
			done, failed = receive(fd, &next)
			return done
		})
		switch {
		case err != nil || failed != nil:
			return
		case next.ID == 0: // the thread is gone before it was asked about
			continue
		}
		report(l.refusal(raw, &next))
		answer := reply{ID: next.ID, Error: -int32(unix.EPERM)}
		// Fails if the thread is gone, which is as well.
		_ = raw.Control(func(fd uintptr) { _ = ioctl(fd, ioctlSend, unsafe.Pointer(&answer)) })
	}
}

// receive takes the next notice, if there is one. It has failed if there will be none.
func receive(fd uintptr, next *notice) (done bool, failed error) {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	switch _, err := unix.Poll(poll, 0); {
	case err == unix.EINTR:
		return true, nil
	case err != nil:
		return true, err
	case poll[0].Revents&unix.POLLIN == 0 && poll[0].Revents != 0:
		return true, errors.New("the worker is gone")
	case poll[0].Revents == 0:
		return false, nil
	}
	err := ioctl(fd, ioctlReceive, unsafe.Pointer(next))
	if err == unix.EINTR || err == unix.ENOENT {
		*next = notice{}
		return true, nil
	}
	return true, err
}

func ioctl(fd, request uintptr, arg unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}

// refusal is what is told of a call.
func (l *Listener) refusal(raw interface{ Control(func(uintptr)) error }, n *notice) Refusal {
	r := Refusal{Time: time.Now(), Number: int(n.Number), Args: n.Args, Thread: int(n.Pid)}
	if n.Arch == l.arch { // else it is a number of another interface
		r.Call = l.names[r.Number]
	}
	if i, ok := paths[r.Call]; ok {
		text := readText(int(n.Pid), n.Args[i])
		// Only if the thread still waits was it its memory, and not that of another which got
		// its number.
		_ = raw.Control(func(fd uintptr) {
			if ioctl(fd, ioctlValid, unsafe.Pointer(&n.ID)) == nil {
				r.Path = text
			}
		})
	}
	return r
}

// maxText is how much of a path is read: as much as the kernel would.
const maxText = unix.PathMax

// readText is the text at an address of a process up to a zero, with what is no UTF-8
// replaced. It is empty if it cannot be read.
func readText(pid int, at uint64) string {
	var text []byte
	page := uint64(os.Getpagesize())
	for len(text) < maxText {
		n := min(page-at%page, uint64(maxText-len(text)))
		part := make([]byte, n)
		local := unix.Iovec{Base: &part[0]}
		local.SetLen(int(n))
		got, err := unix.ProcessVMReadv(pid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: uintptr(at), Len: int(n)}}, 0)
		if err != nil || got == 0 {
			break
		}
		if end := bytes.IndexByte(part[:got], 0); end >= 0 {
			text = append(text, part[:end]...)
			break
		}
		text = append(text, part[:got]...)
		at += uint64(got)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}
