package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// path is one that every machine has.
var path = [...]byte{'/', 'e', 't', 'c', '/', 'p', 'a', 's', 's', 'w', 'd', 0}

func pointer(p *[12]byte) uintptr { return uintptr(unsafe.Pointer(p)) }

func call(nr uintptr, args ...uintptr) func() error {
	return func() error {
		var a [6]uintptr
		copy(a[:], args)
		if _, _, errno := unix.RawSyscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
			return errno
		}
		return nil
	}
}

const everything = unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC

// attacks are what somebody tries who runs native code in the worker. Each returns nil if
// it got what it wanted.
var attacks = map[string]func() error{
	"openat":            call(unix.SYS_OPENAT, 0, pointer(&path), 0),
	"openat2":           call(unix.SYS_OPENAT2, 0, pointer(&path)),
	"execve":            call(unix.SYS_EXECVE, pointer(&path)),
	"execveat":          call(unix.SYS_EXECVEAT, Socket, 0, 0, 0, 0x1000),
	"fork":              call(unix.SYS_CLONE, uintptr(unix.SIGCHLD)),
	"clone3":            call(unix.SYS_CLONE3),
	"thread":            call(unix.SYS_CLONE, 0xd0f00),
	"ptrace attach":     call(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 2),
	"ptrace traceme":    call(unix.SYS_PTRACE, 0),
	"kill 1":            call(unix.SYS_KILL, 1, 9),
	"kill all":          call(unix.SYS_KILL, ^uintptr(0), 9),
	"tgkill another":    call(unix.SYS_TGKILL, 2, 2, 23),
	"tgkill 9":          func() error { return call(unix.SYS_TGKILL, uintptr(os.Getpid()), uintptr(os.Getpid()), 9)() },
	"tkill":             call(unix.SYS_TKILL, 2, 9),
	"pidfd_open":        call(unix.SYS_PIDFD_OPEN, 1),
	"pidfd_getfd":       call(unix.SYS_PIDFD_GETFD, 3),
	"mount":             call(unix.SYS_MOUNT, 0, pointer(&path), 0, unix.MS_BIND),
	"umount":            call(unix.SYS_UMOUNT2, pointer(&path), unix.MNT_DETACH),
	"open_tree":         call(unix.SYS_OPEN_TREE),
	"move_mount":        call(unix.SYS_MOVE_MOUNT),
	"fsopen":            call(unix.SYS_FSOPEN),
	"unshare user":      call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER),
	"unshare mount":     call(unix.SYS_UNSHARE, unix.CLONE_NEWNS),
	"setns":             call(unix.SYS_SETNS, Socket),
	"chroot":            call(unix.SYS_CHROOT, pointer(&path)),
	"pivot_root":        call(unix.SYS_PIVOT_ROOT, pointer(&path), pointer(&path)),
	"chdir":             call(unix.SYS_CHDIR, pointer(&path)),
	"fchdir":            call(unix.SYS_FCHDIR, Socket),
	"bpf":               call(unix.SYS_BPF),
	"io_uring_setup":    call(unix.SYS_IO_URING_SETUP, 8),
	"userfaultfd":       call(unix.SYS_USERFAULTFD),
	"memfd_create":      call(unix.SYS_MEMFD_CREATE, pointer(&path)),
	"memfd_secret":      call(unix.SYS_MEMFD_SECRET),
	"keyctl":            call(unix.SYS_KEYCTL),
	"add_key":           call(unix.SYS_ADD_KEY),
	"request_key":       call(unix.SYS_REQUEST_KEY),
	"perf_event_open":   call(unix.SYS_PERF_EVENT_OPEN),
	"personality":       call(unix.SYS_PERSONALITY, 0x0400000),
	"ioctl TIOCSTI":     call(unix.SYS_IOCTL, 0, 0x5412, pointer(&path)),
	"ioctl TIOCSTI, 64": call(unix.SYS_IOCTL, 0, 1<<32|0x5412, pointer(&path)),
	"socket inet":       call(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM),
	"socket unix":       call(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM),
	"socket netlink":    call(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW),
	"socket packet":     call(unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_RAW),
	"socket vsock":      call(unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM),
	"socketpair":        call(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM),
	"connect":           call(unix.SYS_CONNECT, Socket),
	"sendmsg":           call(unix.SYS_SENDMSG, Socket),
	"recvmsg":           call(unix.SYS_RECVMSG, Socket),
	"process_vm_readv":  call(unix.SYS_PROCESS_VM_READV, 1),
	"process_vm_writev": call(unix.SYS_PROCESS_VM_WRITEV, 1),
	"open_by_handle_at": call(unix.SYS_OPEN_BY_HANDLE_AT, Socket),
	"name_to_handle_at": call(unix.SYS_NAME_TO_HANDLE_AT, 0, pointer(&path)),
	"mmap rwx":          call(unix.SYS_MMAP, 0, 4096, everything, unix.MAP_PRIVATE|unix.MAP_ANON, ^uintptr(0)),
	"mmap x":            call(unix.SYS_MMAP, 0, 4096, unix.PROT_EXEC|unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON, ^uintptr(0)),
	"mmap of a file":    call(unix.SYS_MMAP, 0, 4096, unix.PROT_READ, unix.MAP_SHARED, Socket),
	"mprotect x":        call(unix.SYS_MPROTECT, 0, 4096, unix.PROT_EXEC|unix.PROT_READ),
	"pkey_mprotect":     call(unix.SYS_PKEY_MPROTECT),
	"mremap":            call(unix.SYS_MREMAP),
	"shmget":            call(unix.SYS_SHMGET, 0, 4096, 0o1600),
	"msgget":            call(unix.SYS_MSGGET, 0, 0o1600),
	"mq_open":           call(unix.SYS_MQ_OPEN, pointer(&path)),
	"dup":               call(unix.SYS_DUP, Socket),
	"fcntl":             call(unix.SYS_FCNTL, Socket, unix.F_SETFL, 0),
	"close":             call(unix.SYS_CLOSE, 2),
	"setuid":            call(unix.SYS_SETUID, 0),
	"capset":            call(unix.SYS_CAPSET),
	"setrlimit":         call(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE),
	"sethostname":       call(unix.SYS_SETHOSTNAME, pointer(&path), 4),
	"init_module":       call(unix.SYS_INIT_MODULE),
	"kexec_load":        call(unix.SYS_KEXEC_LOAD),
	"reboot":            call(unix.SYS_REBOOT),
	"seccomp":           call(unix.SYS_SECCOMP, 1),
	"futex requeue":     call(unix.SYS_FUTEX, pointer(&path), 3),
	"write elsewhere":   call(unix.SYS_WRITE, 1, pointer(&path), 4),
	"read elsewhere":    call(unix.SYS_READ, 0, pointer(&path), 4),
	"number 600":        call(600),
	"x32":               call(0x40000000 | unix.SYS_GETPID),
}

// Socket is that to the host.
const Socket = 3

// attack tries one.
func attack(name string) error {
	do := attacks[name]
	if do == nil {
		return errors.New("no such attack")
	}
	return do()
}

func attackNames() string {
	names := []string{}
	for name := range attacks {
		if name != "x32" || runtime.GOARCH == "amd64" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, "\n")
}

// survived says how an attack ended that did not end the process.
func survived(err error) string { return fmt.Sprintf("survived: %v", err) }
