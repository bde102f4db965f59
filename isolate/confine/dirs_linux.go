package confine

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// given is what Given returns.
var given atomic.Pointer[[]*os.Root]

// Given is the directories that the host has handed in, nil for one that is not this user's to
// open. Files in them can be opened by GivenFlags alone, and read by their offset.
func Given() []*os.Root {
	if list := given.Load(); list != nil {
		return *list
	}
	return nil
}

// GivenFlags is how a file beneath a directory that was handed in has to be opened. It does not
// wait for the other end of a pipe.
const GivenFlags = os.O_RDONLY | unix.O_NONBLOCK

// dirCalls are rows of the filter that only a worker with directories needs. Whatever path
// openat is given, the flags forbid to write, to make anything, and to open without being asked
// by Landlock, which then lets through what lies beneath a directory. No call
// asks for a path without opening it.
var dirCalls = []call{
	{"openat", []arg{{2, is(uint64(unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_DIRECTORY))}}, "a directory on the way to a file"},
	{"openat", []arg{{2, is(uint64(unix.O_NOFOLLOW | unix.O_CLOEXEC | GivenFlags))}}, "a file, to read"},
	{"fstat", nil, "what was opened, and how long it is"},
	{"pread64", nil, "what is in a file"},
	{"close", nil, "files that were opened"},
}

// dirProbes are what package os tries beneath a directory and can do without.
var dirProbes = []probe{
	{"epoll_ctl", uint16(unix.EPERM), "package os tries to wait for each file; the kernel says the same of those on a disk"},
	{"readlinkat", uint16(unix.EPERM), "os.Root follows links itself; here it fails, and the host is asked"},
}

// takeDirs makes of the descriptors of directories what opens files beneath them.
func (p *process) takeDirs(n int) error {
	if n == 0 {
		return nil
	}
	for i := range n {
		root, err := takeDir(firstDir + i)
		if err != nil {
			return fmt.Errorf("directory %d: %w", i, err)
		}
		p.dirs = append(p.dirs, root)
	}
	given.Store(&p.dirs)
	p.reasons[posture.Descriptors] = fmt.Sprintf("with %d directories, %d of which its user may read", n, p.opened())
	return unix.Chdir("/")
}

// takeDir closes fd. It returns nil for a directory that this user may not read: of workers of
// root he is nobody.
func takeDir(fd int) (*os.Root, error) {
	defer unix.Close(fd)
	err := unix.Fchdir(fd)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot("."); err == nil {
			return root, nil
		}
	}
	if os.IsPermission(err) {
		return nil, nil
	}
	return nil, err
}

// opened counts the directories that could be.
func (p *process) opened() int {
	n := 0
	for _, root := range p.dirs {
		if root != nil {
			n++
		}
	}
	return n
}
