package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A groupTree is where control groups are.
type groupTree struct {
	root       string // of the mounts
	membership string // the file that says in which groups this process is
	mkdir      func(string) error
}

var cgroups = &groupTree{"/sys/fs/cgroup", "/proc/self/cgroup", func(dir string) error { return os.Mkdir(dir, 0o755) }}

// A hierarchy is a row of those that there may be. Version 2 has one for all controllers.
type hierarchy struct {
	version    string
	controller string   // in the file of membership, "" for version 2
	mounts     []string // below the root
	settings   []setting
	events     string // file that counts kills, if the hierarchy holds memory
	threads    string // file that takes single threads, if there is one
}

// A setting is a file of a group.
type setting struct {
	controller string
	file       string
	value      func(bounds) string
	none       func(bounds) string // for no limit
	skip       func(bounds) bool   // whether it is not asked for, nil if it always is
	may        bool                // the file may be missing
	lines      bool                // of the value are taken one by one, or are not
}

func (s setting) asked(b bounds) bool { return s.skip == nil || !s.skip(b) }

// optional says whether a group is one also where the kernel answers so.
func (s setting) optional(err error) bool {
	return s.lines || s.may && errors.Is(err, os.ErrNotExist)
}

// The versions of control groups, the better one first.
const (
	version2 = "cgroup v2"
	version1 = "cgroup v1"
)

// period is that of which a group gets a part of the processors' time, in microseconds.
const period = 100_000

func bytesOf(none string) func(bounds) string {
	return func(b bounds) string {
		if b.memory == 0 {
			return none
		}
		return strconv.FormatInt(b.memory, 10)
	}
}

func quota(b bounds) string { return strconv.FormatInt(max(1000, int64(b.cpu*period)), 10) }

func constant(text string) func(bounds) string { return func(bounds) string { return text } }

func noCPU(b bounds) bool { return b.cpu == 0 }

var threadsText = strconv.Itoa(maxThreads)

func noReads(b bounds) bool { return b.reads == 0 }

// rates are lines of each disk with a rate.
func rates(before string, rate func(bounds) string) func(bounds) string {
	return func(b bounds) string {
		lines := []string{}
		for disk := range strings.FieldsSeq(b.disks) {
			lines = append(lines, disk+" "+before+rate(b))
		}
		return strings.Join(lines, "\n")
	}
}

func readRate(b bounds) string { return strconv.FormatInt(b.reads, 10) }

var noLimit = constant("max")

var hierarchies = []*hierarchy{
	{version2, "", []string{"", "unified"}, []setting{
		{posture.Memory, "memory.max", bytesOf("max"), noLimit, nil, false, false},
		{posture.Memory, "memory.swap.max", constant("0"), noLimit, nil, true, false},
		{"pids", "pids.max", constant(threadsText), noLimit, nil, true, false},
		{posture.CPU, "cpu.max", func(b bounds) string { return fmt.Sprint(quota(b), " ", period) }, noLimit, noCPU, true, false},
		{posture.IO, "io.max", rates("rbps=", readRate), rates("rbps=", noLimit), noReads, true, true},
	}, "memory.events", ""},
	{version1, posture.Memory, []string{"memory"}, []setting{
		{posture.Memory, "memory.limit_in_bytes", bytesOf("-1"), constant("-1"), nil, false, false}, // the lower limit first
		{posture.Memory, "memory.memsw.limit_in_bytes", bytesOf("-1"), constant("-1"), nil, true, false},
	}, "memory.oom_control", "tasks"},
	{version1, "pids", []string{"pids"}, []setting{{"pids", "pids.max", constant(threadsText), noLimit, nil, false, false}}, "", "tasks"},
	{version1, posture.CPU, []string{"cpu", "cpu,cpuacct"}, []setting{
		{posture.CPU, "cpu.cfs_period_us", constant(strconv.Itoa(period)), constant(strconv.Itoa(period)), noCPU, false, false},
		{posture.CPU, "cpu.cfs_quota_us", quota, constant("-1"), noCPU, false, false},
	}, "", "tasks"},
	{version1, "blkio", []string{"blkio"}, []setting{
		{posture.IO, "blkio.throttle.read_bps_device", rates("", readRate), rates("", constant("0")), noReads, false, true},
	}, "", "tasks"},
}

// places are the groups of a hierarchy below which one may be made that has the controllers: those
// with all that is asked for first, and of these the nearest to this process.
func (t *groupTree) places(h *hierarchy, b bounds) ([]string, error) {
	own, err := t.own(h.controller)
	if err != nil {
		return nil, err
	}
	var whole, part []string
	for _, mount := range h.mounts {
		root := filepath.Join(t.root, mount)
		for at := own; ; at = filepath.Dir(at) {
			dir := filepath.Join(root, at)
			if h.controller != "" {
				whole = append(whole, dir) // has what its hierarchy has
				break
			}
			switch has := enable(dir, at == "/", b); {
			case len(has) == 0:
			case !slices.ContainsFunc(b.extras(), func(c string) bool { return !slices.Contains(has, c) }):
				whole = append(whole, dir)
			default:
				part = append(part, dir)
			}
			if at == "/" {
				break
			}
		}
	}
	if len(whole)+len(part) == 0 {
		return nil, errors.New("no group has memory for those below it")
	}
	return append(whole, part...), nil
}

// extras are the controllers that some ask for.
func (b bounds) extras() []string {
	names := []string{}
	if b.cpu > 0 {
		names = append(names, posture.CPU)
	}
	if b.reads > 0 {
		names = append(names, posture.IO)
	}
	return names
}

// enable has a group of version 2 give what is asked for to those below it, and returns what it
// gives: nothing if that does not hold memory. A group with processes of its own cannot, but for the
// root; that a delegated group has none is up to who started this program.
func enable(dir string, root bool, b bounds) []string {
	wanted := append([]string{posture.Memory, "pids"}, b.extras()...)
	has := strings.Fields(readText(dir, "cgroup.subtree_control"))
	may := strings.Fields(readText(dir, "cgroup.controllers"))
	wanted = slices.DeleteFunc(wanted, func(c string) bool { return slices.Contains(has, c) || !slices.Contains(may, c) })
	if len(wanted) > 0 && (root || strings.TrimSpace(readText(dir, "cgroup.procs")) == "") {
		if (part{dir: dir}).write("cgroup.subtree_control", "+"+strings.Join(wanted, " +")) == nil {
			has = append(has, wanted...)
		}
	}
	if !slices.Contains(has, posture.Memory) {
		return nil
	}
	return has
}

func readText(dir, file string) string {
	text, _ := os.ReadFile(filepath.Join(dir, file))
	return string(text)
}

// own is the path of this process' group for a controller of version 1, or of
// version 2 if it is empty.
func (t *groupTree) own(controller string) (string, error) {
	text, err := os.ReadFile(t.membership)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), controller) && strings.HasPrefix(parts[2], "/") {
			return filepath.Clean(parts[2]), nil
		}
	}
	return "", fmt.Errorf("no group for %q in %s", controller, t.membership)
}
