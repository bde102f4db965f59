package isolate

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A memory holds what a process may use: a control group, or a watch.
type memory struct {
	how   string        // for Status
	group *controlGroup // nil if there is none
	seat  *seat         // from which the process began in group, nil if it was put there
	stop  chan struct{} // ends the watch, nil if there is none
	over  atomic.Bool   // the process was killed for its memory
}

// hold makes the layers that the host makes, and says how. The worker has no job yet.
func (p *process) hold(spec Spec, rows []layer) ([]posture.Layer, error) {
	held := []posture.Layer{}
	for _, row := range rows {
		if !row.host {
			continue
		}
		l := posture.Layer{Name: row.name, State: posture.Applied}
		if (row.name == posture.Memory || row.name == posture.CPU || row.name == posture.IO) && grouped(spec, rows) {
			if p.memory == nil {
				m, err := holdMemory(p, spec)
				if err != nil {
					return nil, err
				}
				p.memory = m
			}
			l = p.memory.layer(l)
		}
		if row.name == posture.UserNamespace && p.starter != "" {
			l.Reason = "shared with what starts workers, which is held by " + p.starter
		}
		held = append(held, l)
	}
	return held, nil
}

// grouped says whether a worker is to be in a control group.
func grouped(spec Spec, rows []layer) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(rows, func(row layer) bool { return row.name == name })
	}
	return spec.Memory > 0 && has(posture.Memory) || spec.CPU > 0 && has(posture.CPU) || spec.ReadRate > 0 && has(posture.IO)
}

func (s Spec) bounds() bounds {
	b := bounds{memory: s.Memory, cpu: s.CPU}
	if s.ReadRate > 0 {
		if on, err := disks(sysBlock, s.Dirs); err == nil {
			b.reads, b.disks = s.ReadRate, strings.Join(on, " ")
		}
	}
	return b
}

// layer is a layer that the group holds, or does not.
func (m *memory) layer(l posture.Layer) posture.Layer {
	switch {
	case l.Name == posture.Memory:
		l.Reason = m.how
	case m.group == nil || !slices.Contains(strings.Split(m.group.holds(), ", "), l.Name):
		l.State, l.Reason = posture.Missing, "no control group that holds it can be made here"
		if l.Name == posture.IO {
			l.Reason += ", or not for what is behind the directories"
		}
	default:
		l.Reason = m.group.version
	}
	return l
}

// inGroup is a process that is in a group.
func inGroup(g *controlGroup) *memory {
	return &memory{how: g.version + " with " + g.holds(), group: g}
}

// beginIn makes a group in which a process can begin, and opens it; nil if there is none: that takes
// version 2.
func beginIn(spec Spec, rows []layer) (*memory, *os.File) {
	if !grouped(spec, rows) {
		return nil, nil
	}
	g, err := cgroups.makeGroup(version2, spec.bounds())
	if err != nil {
		return nil, nil
	}
	dir, err := os.Open(g.parts[0].dir)
	if err != nil {
		g.remove()
		return nil, nil
	}
	return inGroup(g), dir
}

// holdMemory takes the first of the ways that this machine has.
func holdMemory(p *process, spec Spec) (*memory, error) {
	for _, version := range []string{version2, version1} {
		if m := moveIn(cgroups, version, p, spec); m != nil {
			return m, nil
		}
	}
	if p.scope != nil {
		if m := moveIn(p.scope, version2, p, spec); m != nil {
			m.how += ", in a scope of systemd"
			return m, nil
		}
	}
	if spec.Memory == 0 {
		return &memory{how: "no limit"}, nil
	}
	m := &memory{how: "watched by the host each 5 ms, and the rlimit of data", stop: make(chan struct{})}
	if _, err := resident(p.pid()); err != nil {
		return nil, fmt.Errorf("isolate: the memory of the worker cannot be watched: %w", err)
	}
	go m.watch(p, spec.Memory)
	return m, nil
}

// moveIn makes a group and puts the process there, nil if that cannot be.
func moveIn(t *groupTree, version string, p *process, spec Spec) *memory {
	g, err := t.makeGroup(version, spec.bounds())
	if err != nil {
		return nil
	}
	if err := g.add(p.pid(), false); err != nil {
		g.remove()
		return nil
	}
	return inGroup(g)
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
	return m != nil && m.over.Load()
}

// release gives back what held the process, which is gone.
func (m *memory) release() {
	if m == nil {
		return
	}
	if m.stop != nil {
		close(m.stop)
	}
	if m.group != nil && m.group.killed() {
		m.over.Store(true)
	}
	switch {
	case m.seat != nil:
		m.seat.home.release(m.seat)
	case m.group != nil:
		m.group.remove()
	}
}
