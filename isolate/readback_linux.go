package isolate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A seen is what the kernel shows of a process.
type seen struct {
	dir     string   // in /proc
	threads []status // of each

	descriptors int    // that it may have
	filters     string // of system calls that each thread has if it has its own: how many; "" if nobody knows
	err         error
}

// look reads what the kernel shows of the process now.
func (p *process) look() *seen {
	s := &seen{dir: "/proc/" + strconv.Itoa(p.pid()), descriptors: most + p.dirs, filters: oneMore(p.filters)}
	if p.audited {
		s.descriptors++
	}
	tasks, err := os.ReadDir(s.dir + "/task")
	if err == nil && len(tasks) == 0 {
		err = errors.New("its threads cannot be read")
	}
	s.err = err
	buf := make([]byte, 0, 4<<10)
	for _, task := range tasks {
		// As /proc/TID: the kernel takes 4 ms longer to be rid of a process whose threads have
		// been looked at in its own directory.
		its := readStatus("/proc/"+task.Name()+"/status", buf)
		if its.value("Tgid") == strconv.Itoa(p.pid()) { // else the thread has ended
			s.threads = append(s.threads, its)
		}
	}
	return s
}

// A status is that file of a thread. Few of its lines are looked at.
type status string

// readStatus reads it, and is empty if there is none.
func readStatus(path string, buf []byte) status {
	text, _ := readProc(path, buf)
	return status(text)
}

// readProc is a file of the kernel's, which it reads first into the room that buf has. Package os would ask
// the poller about each.
func readProc(path string, buf []byte) (string, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	for buf = buf[:0]; ; {
		buf = slices.Grow(buf, 1<<10)
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		if err != nil {
			return "", err
		}
		if n == 0 {
			return string(buf), nil
		}
		buf = buf[:len(buf)+n]
	}
}

// value is that of a key, "" if there is none.
func (s status) value(key string) string {
	_, after, _ := strings.Cut(string(s), "\n"+key+":") // the first line is another's
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(line)
}

// checks compare what the kernel shows with what a layer promises. Of layers without
// a row the kernel shows nothing outside of the process.
var checks = map[string]func(*seen) error{
	posture.UserNamespace:   namespace("user"),
	posture.PidNamespace:    namespace("pid"),
	posture.NetNamespace:    namespace("net"),
	posture.IPCNamespace:    namespace("ipc"),
	posture.UTSNamespace:    namespace("uts"),
	posture.CgroupNamespace: namespace("cgroup"),
	posture.MountNamespace:  namespace("mnt"),
	posture.Root:            (*seen).emptyRoot,
	posture.Capabilities: func(s *seen) error {
		const none = "0000000000000000"
		return s.each(map[string]string{"CapInh": none, "CapPrm": none, "CapEff": none, "CapAmb": none})
	},
	posture.Bounding:    func(s *seen) error { return s.each(map[string]string{"CapBnd": "0000000000000000"}) },
	posture.NoNewPrivs:  func(s *seen) error { return s.each(map[string]string{"NoNewPrivs": "1"}) },
	posture.Seccomp:     (*seen).ownFilter,
	posture.Descriptors: (*seen).fewDescriptors,
	posture.Rlimits:     (*seen).noCore,
}

func namespace(kind string) func(*seen) error {
	return func(s *seen) error {
		var own, its [64]byte // what they link to is a name and a number
		n, err := unix.Readlink("/proc/self/ns/"+kind, own[:])
		if err != nil {
			return err
		}
		m, err := unix.Readlink(s.dir+"/ns/"+kind, its[:])
		if err != nil {
			return err
		}
		if bytes.Equal(own[:n], its[:m]) {
			return fmt.Errorf("it is the host's %s", its[:m])
		}
		return nil
	}
}

// each wants the values in the status of each thread.
func (s *seen) each(want map[string]string) error {
	if s.err != nil {
		return s.err
	}
	if len(s.threads) == 0 {
		return errors.New("none of its threads can be read")
	}
	for _, its := range s.threads {
		for key, value := range want {
			if got := its.value(key); got != value {
				return fmt.Errorf("thread %s has %s %s", its.value("Pid"), key, got)
			}
		}
	}
	return nil
}

// ownFilter wants as many filters on each thread as the process began with, and one more. That there is
// one says nothing: a worker has its spawner's, and that of its host if there is one.
func (s *seen) ownFilter() error {
	if s.filters == "" {
		return errors.New("this kernel does not say how many filters a thread has, which takes Linux 5.9")
	}
	return s.each(map[string]string{"Seccomp": "2", "Seccomp_filters": s.filters})
}

// filtersOf is how many filters a thread has, as its status says; "" if the kernel does not say.
func filtersOf(its status) string { return its.value("Seccomp_filters") }

// oneMore is n and one more, "" if n is no number.
func oneMore(n string) string {
	if n, err := strconv.Atoi(n); err == nil {
		return strconv.Itoa(n + 1)
	}
	return ""
}

// emptyRoot wants one mount, read-only. A worker that is linked with C sees its own
// threads in a second one: see package confine.
func (s *seen) emptyRoot() error {
	text, err := readProc(s.dir+"/mountinfo", nil)
	if err != nil {
		return err
	}
	allowed := []struct{ at, of string }{{"/", "tmpfs"}, {"/proc", "proc"}}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		before, after, _ := strings.Cut(line, " - ")
		fields, of := strings.Fields(before), strings.Fields(after)
		if i >= len(allowed) || len(fields) < 6 || len(of) < 1 || fields[4] != allowed[i].at || of[0] != allowed[i].of || !strings.HasPrefix(fields[5], "ro,") {
			return fmt.Errorf("it sees %d mounts: %s", len(lines), line)
		}
	}
	return nil
}

// most is how many descriptors a worker has: the standard three, the socket, and two
// of the Go runtime. With an audit there is the one of the calls that are handed over, and
// directories that it was handed are more.
const most = 6

func (s *seen) fewDescriptors() error {
	var st unix.Stat_t
	if err := unix.Stat(s.dir+"/fd", &st); err != nil {
		return err
	}
	n := int(st.Size)
	if n == 0 { // the kernel is older than 6.2, and does not count them
		fds, err := os.ReadDir(s.dir + "/fd")
		if err != nil {
			return err
		}
		n = len(fds)
	}
	if n > s.descriptors {
		return fmt.Errorf("it has %d descriptors", n)
	}
	return nil
}

func (s *seen) noCore() error {
	text, err := readProc(s.dir+"/limits", nil)
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "Max core file size")
		if ok && strings.Join(strings.Fields(rest), " ") == "0 0 bytes" {
			return nil
		}
	}
	return errors.New("it may leave a core")
}
