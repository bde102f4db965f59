package isolate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Bounds are what a control group holds its processes to. Zero is none.
type bounds struct {
	memory int64   // bytes
	cpu    float64 // processors
	reads  int64   // bytes a second
	disks  string  // by their numbers, each of which is held to reads
}

// maxThreads is how many threads a worker may have: some more than it makes. The filter takes none
// from it later; this holds also where there is no filter.
const maxThreads = 64

// A controlGroup is one that was made for processes, one at a time: a directory in each of the
// hierarchies of its version that could be had.
type controlGroup struct {
	version string
	parts   []part
	bounds  bounds
	kills   int // that the kernel had counted when the process began
}

// A part is a directory of a group.
type part struct {
	*hierarchy
	dir string
}

// groups counts those that were made, for their names.
var groups atomic.Int64

// makeGroup makes a group of a version, below the one that this process is in or, where that can
// have none, below one above it. Memory has to be held by it, what else there is may be missing.
func (t *groupTree) makeGroup(version string, b bounds) (*controlGroup, error) {
	g := &controlGroup{version: version, bounds: b}
	name := groupName() + strconv.FormatInt(groups.Add(1), 10)
	for _, h := range hierarchies {
		if h.version != version || !slices.ContainsFunc(h.settings, func(s setting) bool { return s.asked(b) }) {
			continue
		}
		dir, err := t.makeDir(h, name, b)
		if err == nil {
			g.parts = append(g.parts, part{h, dir})
		} else if h.events != "" {
			g.remove()
			return nil, err
		}
	}
	if len(g.parts) == 0 {
		return nil, errors.New("no control groups of " + version)
	}
	return g, nil
}

// makeDir makes the directory in a hierarchy, in the first place that has what is asked for, and sets
// its limits.
func (t *groupTree) makeDir(h *hierarchy, name string, b bounds) (string, error) {
	places, err := t.places(h, b)
	if err != nil {
		return "", err
	}
	for _, place := range places {
		dir := filepath.Join(place, name)
		if err = t.mkdir(dir); err != nil {
			continue
		}
		p := part{h, dir}
		if err = p.set(b); err == nil {
			return dir, nil
		}
		p.remove()
	}
	return "", err
}

// set sets the limits.
func (p part) set(b bounds) error {
	for _, s := range p.settings {
		if !s.asked(b) {
			continue
		}
		if err := p.writeLines(s.file, s.value(b)); err != nil && !s.optional(err) {
			return err
		}
	}
	return nil
}

// add puts a process in the group, or a thread if threads are asked for.
func (g *controlGroup) add(id int, threads bool) error {
	for _, p := range g.parts {
		file := "cgroup.procs"
		if threads {
			file = p.threads
		}
		if file == "" {
			return errors.New("single threads cannot be put in a control group of " + g.version)
		}
		if err := p.write(file, strconv.Itoa(id)); err != nil {
			return err
		}
	}
	return nil
}

// holds says which controllers the group has, for Status.
func (g *controlGroup) holds() string {
	names := []string{}
	for _, p := range g.parts {
		for _, s := range p.settings {
			if !slices.Contains(names, s.controller) && s.asked(g.bounds) && p.shows(s, g.bounds) {
				names = append(names, s.controller)
			}
		}
	}
	return strings.Join(names, ", ")
}

// shows says whether the group has the setting, and each line of it where that has some.
func (p part) shows(s setting, b bounds) bool {
	if !s.lines {
		return p.has(s.file)
	}
	text := readText(p.dir, s.file)
	for line := range strings.SplitSeq(s.value(b), "\n") {
		if !strings.Contains(text, line) {
			return false
		}
	}
	return true
}

func (p part) has(file string) bool {
	_, err := os.Stat(filepath.Join(p.dir, file))
	return err == nil
}

// fits says whether the group has what the limits need.
func (g *controlGroup) fits(b bounds) bool {
	return (b.cpu > 0) == (g.bounds.cpu > 0) && (b.reads > 0) == (g.bounds.reads > 0)
}

// renew makes the group ready for another process: nothing is left of the one before but its
// count.
func (g *controlGroup) renew(b bounds) error {
	g.kills = g.events()
	if g.bounds == b {
		return nil
	}
	for _, p := range g.parts {
		for _, s := range slices.Backward(p.settings) {
			if !s.asked(g.bounds) {
				continue
			}
			if err := p.writeLines(s.file, s.none(g.bounds)); err != nil && !errors.Is(err, os.ErrNotExist) && !s.optional(err) {
				return err
			}
		}
		if err := p.set(b); err != nil {
			return err
		}
	}
	g.bounds = b
	return nil
}

// writeLines writes the lines of a text one by one: of those of a setting that has several the kernel
// reads the first.
func (p part) writeLines(file, text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		if err := p.write(file, line); err != nil {
			return err
		}
	}
	return nil
}

// write writes to a file of the group. It makes none: a directory that has no such file
// is no group, whatever it is.
func (p part) write(file, text string) error {
	f, err := os.OpenFile(filepath.Join(p.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// events is how often the kernel has killed in the group.
func (g *controlGroup) events() int {
	for _, p := range g.parts {
		if p.events == "" {
			continue
		}
		text, _ := readProc(filepath.Join(p.dir, p.events), nil)
		for line := range strings.Lines(text) {
			if name, n, _ := strings.Cut(strings.TrimSpace(line), " "); name == "oom_kill" {
				kills, _ := strconv.Atoi(n)
				return kills
			}
		}
	}
	return 0
}

// killed says whether the kernel has killed the process, which is gone.
func (g *controlGroup) killed() bool { return g.events() > g.kills }

// remove removes the group. What was in it is gone, or goes at once.
func (g *controlGroup) remove() {
	for _, p := range g.parts {
		p.remove()
	}
}

func (p part) remove() {
	for range 50 {
		if err := os.Remove(p.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
