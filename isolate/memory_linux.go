package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A memory holds what a process may use: a control group, or a watch.
type memory struct {
	how   string        // for Status
	group *controlGroup // nil if there is none
	stop  chan struct{} // ends the watch, nil if there is none
	over  atomic.Bool   // the watch has killed the process
}

// hold makes the layers that the host makes, and says how. The worker has not been told
// anything yet.
func (p *process) hold(spec Spec, rows []layer) ([]wire.Layer, error) {
	held := []wire.Layer{}
	for _, row := range rows {
		if !row.host {
			continue
		}
		l := wire.Layer{Name: row.name, State: wire.Applied}
		if row.name == wire.Memory && spec.Memory > 0 {
			m, err := holdMemory(p, spec.Memory)
			if err != nil {
				return nil, err
			}
			p.memory, l.Reason = m, m.how
		}
		held = append(held, l)
	}
	return held, nil
}

// holdMemory takes the first of the ways that this machine has.
func holdMemory(p *process, limit int64) (*memory, error) {
	for _, v := range groupVersions {
		g, err := v.make(p.pid(), limit)
		if err == nil {
			return &memory{how: v.name, group: g}, nil
		}
	}
	m := &memory{how: "watched by the host each 5 ms, and the rlimit of data", stop: make(chan struct{})}
	if _, err := resident(p.pid()); err != nil {
		return nil, fmt.Errorf("isolate: the memory of the worker cannot be watched: %w", err)
	}
	go m.watch(p, limit)
	return m, nil
}

// every is how often the watch looks: at 2 GB/s, which is fast, a process gets 10 MB
// past its limit.
const every = 5 * time.Millisecond

func (m *memory) watch(p *process, limit int64) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			return
		case <-tick.C:
		}
		n, err := resident(p.pid())
		if err != nil {
			return // it is gone
		}
		if n > limit {
			m.over.Store(true)
			p.kill()
			return
		}
	}
}

// resident is how many bytes of memory the process has.
func resident(pid int) (int64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, errors.New("statm is empty")
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// exceeded says whether the process was killed for its memory. It is gone.
func (m *memory) exceeded() bool {
	if m == nil {
		return false
	}
	return m.over.Load() || m.group != nil && m.group.killed
}

// release gives back what held the process, which is gone.
func (m *memory) release() {
	if m == nil {
		return
	}
	if m.stop != nil {
		close(m.stop)
	}
	if m.group != nil {
		m.group.remove()
	}
}

// A controlGroup is one that was made for a process.
type controlGroup struct {
	dir    string
	events string // file that counts kills
	killed bool   // once it was removed: the kernel has killed in it
}

// A groupVersion is a row of the control groups that there may be.
type groupVersion struct {
	name       string
	controller string // in /proc/self/cgroup
	mounts     []string
	limits     []string // files that take the limit; all but the first may be missing
	events     string
}

var groupVersions = []groupVersion{
	{"cgroup v2", "", []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}, []string{"memory.max"}, "memory.events"},
	{"cgroup v1", "memory", []string{"/sys/fs/cgroup/memory"}, []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}, "memory.oom_control"},
}

// groups counts those that were made, for their names.
var groups atomic.Int64

// make makes a group below the one that this process is in, and puts pid there.
func (v groupVersion) make(pid int, limit int64) (*controlGroup, error) {
	own, err := ownGroup(v.controller)
	if err != nil {
		return nil, err
	}
	for _, mount := range v.mounts {
		name := fmt.Sprintf("sandtrap-%d-%d", os.Getpid(), groups.Add(1))
		g := &controlGroup{dir: filepath.Join(mount, own, name), events: v.events}
		if err = os.Mkdir(g.dir, 0o755); err != nil {
			continue
		}
		if err = g.fill(v.limits, pid, limit); err == nil {
			return g, nil
		}
		g.remove()
	}
	return nil, err
}

func (g *controlGroup) fill(limits []string, pid int, limit int64) error {
	for i, file := range limits {
		err := g.write(file, strconv.FormatInt(limit, 10))
		if err != nil && (i == 0 || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return g.write("cgroup.procs", strconv.Itoa(pid))
}

// write writes to a file of the group. It makes none: a directory that has no such file
// is no group, whatever it is.
func (g *controlGroup) write(file, text string) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// remove removes the group. What was in it is gone, or goes at once.
func (g *controlGroup) remove() {
	text, _ := os.ReadFile(filepath.Join(g.dir, g.events))
	for line := range strings.Lines(string(text)) {
		name, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		g.killed = g.killed || name == "oom_kill" && n != "0"
	}
	for range 50 {
		if os.Remove(g.dir) == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// ownGroup is the path of this process' group for a controller of version 1, or of
// version 2 if it is empty.
func ownGroup(controller string) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && parts[1] == controller {
			return parts[2], nil
		}
	}
	return "", fmt.Errorf("no group for %q in /proc/self/cgroup", controller)
}
