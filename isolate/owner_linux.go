package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// An owner is the process that made a control group. A number alone does not name a process: it is used
// again, and each namespace has its own.
type owner struct {
	pid   int
	start uint64 // clock ticks from the boot of the machine
	space uint64 // inode of the namespace of its number
}

// ownerFormat is how the name of a group begins. Its own number follows.
const ownerFormat = "sandtrap-%d-%d-%d-"

// groupName begins the names of the groups of this process. Those of a process that is not known, as
// where there is no /proc, are never removed by others.
var groupName = sync.OnceValue(func() string {
	o := owner{pid: os.Getpid(), space: pidNamespace()}
	o.start, _ = startOf("self")
	return o.name()
})

func (o owner) name() string { return fmt.Sprintf(ownerFormat, o.pid, o.start, o.space) }

// pidNamespace is that of this process, 0 if it is not known.
func pidNamespace() (inode uint64) {
	link, _ := os.Readlink("/proc/self/ns/pid")
	_, _ = fmt.Sscanf(link, "pid:[%d]", &inode)
	return inode
}

// startOf is when a process began.
func startOf(pid string) (ticks uint64, err error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, err
	}
	const start = 19 // of the fields after the name of the program
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(f) <= start {
		return 0, fmt.Errorf("isolate: stat of a process is %q", stat)
	}
	_, err = fmt.Sscan(f[start], &ticks)
	return ticks, err
}

// gone reports that the process has ended. It does not know it of one of another namespace.
func (o owner) gone() bool {
	if o.pid <= 0 || o.start == 0 || o.space == 0 || o.space != pidNamespace() {
		return false
	}
	if errors.Is(unix.Kill(o.pid, 0), unix.ESRCH) {
		return true
	}
	start, err := startOf(fmt.Sprint(o.pid))
	return err == nil && start != o.start
}

const (
	sweeps     = 20 // that wait for the last processes of a host that was killed
	sweepPause = 50 * time.Millisecond
)

// sweep removes the groups of hosts that were killed.
func (t *groupTree) sweep() {
	for range sweeps {
		if !t.sweepOnce() {
			return
		}
		time.Sleep(sweepPause)
	}
}

// sweepOnce reports that some still have processes.
func (t *groupTree) sweepOnce() (busy bool) {
	for _, h := range hierarchies {
		own, err := t.own(h.controller)
		if err != nil {
			continue
		}
		for _, mount := range h.mounts {
			for at := own; ; at = filepath.Dir(at) {
				busy = sweepBelow(filepath.Join(t.root, mount, at)) || busy
				if at == "/" || h.controller != "" {
					break
				}
			}
		}
	}
	return busy
}

func sweepBelow(dir string) (busy bool) {
	dirs, _ := filepath.Glob(filepath.Join(dir, "sandtrap-*-*-*-*"))
	for _, dir := range dirs {
		var o owner
		if _, err := fmt.Sscanf(filepath.Base(dir), ownerFormat, &o.pid, &o.start, &o.space); err != nil || !o.gone() {
			continue
		}
		busy = errors.Is(unix.Rmdir(dir), unix.EBUSY) || busy // the kernel removes none that has processes
	}
	return busy
}
