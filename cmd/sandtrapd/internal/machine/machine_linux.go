package machine

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxFile bounds what is read of a file of the kernel, in bytes.
const maxFile = 64 << 10

// Free is how many bytes of memory a program can take without swapping: those of the machine, or of the control groups of this process if they
// have fewer left. It is Unknown if the kernel does not say.
func Free() int64 { return free("/") }

// free is Free of the files below a root.
func free(root string) int64 {
	left := available(filepath.Join(root, "proc/meminfo"))
	for _, line := range lines(filepath.Join(root, "proc/self/cgroup")) {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		of, found := version2, parts[1] == ""
		if slices.Contains(strings.Split(parts[1], ","), "memory") {
			of, found = version1, true
		}
		for at := path.Clean("/" + parts[2]); found; at = path.Dir(at) {
			if n := of.left(filepath.Join(root, of.dir, at)); n != Unknown && (left == Unknown || n < left) {
				left = n
			}
			found = at != "/"
		}
	}
	return left
}

// A version of control groups has names for its files.
type version struct{ dir, limit, used, files string }

var (
	version1 = version{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "}
	version2 = version{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "}
)

// left is how many bytes a control group has left. What the kernel can drop of its files is left too.
func (v version) left(dir string) int64 {
	limit, used := number(first(filepath.Join(dir, v.limit))), number(first(filepath.Join(dir, v.used)))
	if limit == Unknown || used == Unknown {
		return Unknown
	}
	for _, line := range lines(filepath.Join(dir, "memory.stat")) {
		if text, ok := strings.CutPrefix(line, v.files); ok {
			used -= max(0, number(text))
		}
	}
	return min(limit, max(0, limit-max(0, used)))
}

// available is how many bytes are, as /proc/meminfo says.
func available(meminfo string) int64 {
	for _, line := range lines(meminfo) {
		if text, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			if n := number(strings.TrimSuffix(strings.TrimSpace(text), " kB")); n != Unknown && n < 1<<50 {
				return n << 10
			}
		}
	}
	return Unknown
}

// Load is how many tasks run or want to, as a mean of the last minute; 0 if the kernel does not say.
func Load() float64 { return load("/proc/loadavg") }

func load(file string) float64 {
	text, _, _ := strings.Cut(first(file), " ")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n < 1e6) {
		return 0
	}
	return n
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return Unknown
	}
	return n
}

// first is the first line of a file, empty if it cannot be read.
func first(file string) string {
	for _, line := range lines(file) {
		return line
	}
	return ""
}

// lines are those of a file, none if it cannot be read.
func lines(file string) (list []string) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		list = append(list, s.Text())
	}
	return list
}
