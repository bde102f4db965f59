package isolate

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is what the kernel shows of the process now.
func (p *process) usage() (Usage, error) {
	dir := "/proc/" + strconv.Itoa(p.pid())
	its := readStatus(dir+"/status", nil)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return Usage{}, err
	}
	if err := p.of.Signal(syscall.Signal(0)); err != nil { // the number may be another's by now
		return Usage{}, err
	}
	u := Usage{Memory: kilobytes(its.value("VmRSS")), Peak: kilobytes(its.value("VmHWM"))}
	u.Threads, _ = strconv.Atoi(its.value("Threads"))
	if u.CPU, err = processorTime(string(stat)); err != nil {
		return Usage{}, err
	}
	return u, nil
}

// kilobytes reads a size as /proc shows it: "1234 kB".
func kilobytes(text string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	return n << 10
}

// processorTime reads it in a line of /proc/PID/stat. The name of the program comes before, and may
// have any letters in it.
func processorTime(stat string) (time.Duration, error) {
	const user, system = 11, 12        // fields after the name
	const tick = 10 * time.Millisecond // that of each machine that Go runs on
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(f) <= system {
		return 0, fmt.Errorf("isolate: stat of a process is %q", stat)
	}
	sum := time.Duration(0)
	for _, field := range []string{f[user], f[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}
