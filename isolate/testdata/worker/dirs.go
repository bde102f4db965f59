package main

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/confine"
)

// readGiven reads a file beneath the first directory that was handed in.
func readGiven(name string) ([]byte, error) {
	file, err := confine.Given()[0].OpenFile(name, confine.GivenFlags, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, st.Size())
	_, err = file.ReadAt(text, 0)
	return text, err
}

// dirFD is the descriptor of that directory.
const dirFD = Socket + 1

// The flags that the filter lets through.
const (
	asFile = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK
	asDir  = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_DIRECTORY
)

// raw makes a call with a path as its second argument.
func raw(nr, fd uintptr, name string, args ...uintptr) func() error {
	return func() error {
		text := append([]byte(name), 0)
		return call(nr, append([]uintptr{fd, uintptr(unsafe.Pointer(&text[0]))}, args...)...)()
	}
}

const here = ^uintptr(99) // AT_FDCWD

// dirAttacks are what somebody tries who runs native code in a worker that was handed a directory: in
// it are in.txt, linkfile and linkdir, which lead to a directory and a file beside it.
var dirAttacks = map[string]func() error{
	"refused: up":                raw(unix.SYS_OPENAT, dirFD, "..", asDir),
	"refused: up, as a file":     raw(unix.SYS_OPENAT, dirFD, "..", asFile),
	"refused: beside":            raw(unix.SYS_OPENAT, dirFD, "../outside/secret.txt", asFile),
	"refused: down and up":       raw(unix.SYS_OPENAT, dirFD, "sub/../../outside/secret.txt", asFile),
	"refused: by a link":         raw(unix.SYS_OPENAT, dirFD, "linkfile", asFile),
	"refused: by a linked dir":   raw(unix.SYS_OPENAT, dirFD, "linkdir/secret.txt", asFile),
	"refused: far up":            raw(unix.SYS_OPENAT, dirFD, strings.Repeat("../", 40)+"etc/passwd", asFile),
	"refused: far up, a dir":     raw(unix.SYS_OPENAT, dirFD, strings.Repeat("../", 40)+"etc", asDir),
	"refused: absolute":          raw(unix.SYS_OPENAT, dirFD, "/etc/passwd", asFile),
	"refused: root":              raw(unix.SYS_OPENAT, dirFD, "/", asDir),
	"refused: working directory": raw(unix.SYS_OPENAT, here, ".", asDir),
	"refused: proc":              raw(unix.SYS_OPENAT, here, "/proc/self/mem", asFile),
	"refused: readlinkat":        raw(unix.SYS_READLINKAT, dirFD, "linkfile"),
	"refused: epoll_ctl":         call(unix.SYS_EPOLL_CTL, 5, 1, Socket),

	"killed: write":           raw(unix.SYS_OPENAT, dirFD, "in.txt", asFile|unix.O_WRONLY),
	"killed: read and write":  raw(unix.SYS_OPENAT, dirFD, "in.txt", asFile|unix.O_RDWR),
	"killed: truncate":        raw(unix.SYS_OPENAT, dirFD, "in.txt", asFile|unix.O_TRUNC),
	"killed: create":          raw(unix.SYS_OPENAT, dirFD, "new.txt", asFile|unix.O_CREAT, 0o644),
	"killed: tmpfile":         raw(unix.SYS_OPENAT, dirFD, ".", asFile|unix.O_TMPFILE|unix.O_WRONLY, 0o644),
	"killed: path only":       raw(unix.SYS_OPENAT, dirFD, "..", asDir|unix.O_PATH),
	"killed: follow":          raw(unix.SYS_OPENAT, dirFD, "linkfile", unix.O_CLOEXEC|unix.O_NONBLOCK),
	"killed: high bits":       raw(unix.SYS_OPENAT, dirFD, "in.txt", 1<<32|asFile),
	"killed: openat2":         raw(unix.SYS_OPENAT2, dirFD, "in.txt"),
	"killed: stat":            raw(unix.SYS_STATX, dirFD, "../outside/secret.txt"),
	"killed: access":          raw(unix.SYS_FACCESSAT, dirFD, "../outside/secret.txt"),
	"killed: mkdirat":         raw(unix.SYS_MKDIRAT, dirFD, "new", 0o755),
	"killed: unlinkat":        raw(unix.SYS_UNLINKAT, dirFD, "in.txt"),
	"killed: renameat2":       raw(unix.SYS_RENAMEAT2, dirFD, "in.txt", dirFD),
	"killed: linkat":          raw(unix.SYS_LINKAT, dirFD, "in.txt", dirFD),
	"killed: symlinkat":       raw(unix.SYS_SYMLINKAT, dirFD, "in.txt"),
	"killed: fchmodat":        raw(unix.SYS_FCHMODAT, dirFD, "in.txt", 0o777),
	"killed: fchownat":        raw(unix.SYS_FCHOWNAT, dirFD, "in.txt"),
	"killed: utimensat":       raw(unix.SYS_UTIMENSAT, dirFD, "in.txt"),
	"killed: mknodat":         raw(unix.SYS_MKNODAT, dirFD, "new", unix.S_IFIFO|0o644),
	"killed: name to handle":  raw(unix.SYS_NAME_TO_HANDLE_AT, dirFD, "in.txt"),
	"killed: fchdir":          call(unix.SYS_FCHDIR, dirFD),
	"killed: getdents":        call(unix.SYS_GETDENTS64, dirFD),
	"killed: ftruncate":       call(unix.SYS_FTRUNCATE, dirFD),
	"killed: pwrite":          call(unix.SYS_PWRITE64, dirFD),
	"killed: read":            call(unix.SYS_READ, dirFD),
	"killed: mmap of a file":  call(unix.SYS_MMAP, 0, 4096, unix.PROT_READ, unix.MAP_PRIVATE, dirFD),
	"killed: execveat":        raw(unix.SYS_EXECVEAT, dirFD, "in.txt"),
	"killed: unshare":         call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER),
	"killed: open_by_handle":  call(unix.SYS_OPEN_BY_HANDLE_AT, dirFD),
	"killed: open_tree":       raw(unix.SYS_OPEN_TREE, dirFD, "."),
	"killed: inotify":         call(unix.SYS_INOTIFY_INIT1),
	"killed: fgetxattr":       call(unix.SYS_FGETXATTR, dirFD),
	"killed: ioctl on a file": call(unix.SYS_IOCTL, dirFD, 0x80086601),
}

func dirAttack(name string) error {
	do := dirAttacks[name]
	if do == nil {
		return errors.New("no such attack")
	}
	return do()
}

func dirAttackNames() string {
	return strings.Join(slices.Sorted(maps.Keys(dirAttacks)), "\n")
}
