package cli_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestEmbeddedCost: the embedded server of NATS adds 30 MB at most to a server that has done a run. SANDTRAPD_MEASURE has more starts, and bounds the time
// that it adds to a start, on a quiet machine, by 50 ms; without it the time may be a multiple.
func TestEmbeddedCost(t *testing.T) {
	measure := os.Getenv("SANDTRAPD_MEASURE") != ""
	starts := 3
	if measure {
		starts = 15
	}
	var times [2][]time.Duration
	var sizes [2][]int
	for range starts {
		for i, flags := range [][]string{nil, {"--cluster", "embedded"}} {
			begin := time.Now()
			p := serve(t, t.TempDir(), flags...)
			times[i] = append(times[i], time.Since(begin))
			if v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "fmt.Println(1)"}); err != nil || v.State != "done" {
				t.Fatal(v, err, p.log)
			}
			sizes[i] = append(sizes[i], resident(t, p.cmd.Process.Pid))
			p.kill()
		}
	}
	for i := range 2 {
		slices.Sort(times[i])
		slices.Sort(sizes[i])
	}
	middle := starts / 2
	more, longer := sizes[1][middle]-sizes[0][middle], times[1][middle]-times[0][middle]
	t.Logf("ready after %v, embedded %v: %v more; %d KiB, embedded %d KiB: %d KiB more", times[0][middle], times[1][middle], longer, sizes[0][middle], sizes[1][middle], more)
	if more > 30_000_000/1024 {
		t.Errorf("the embedded server takes %d KiB", more)
	}
	if measure && longer > 50*time.Millisecond || times[1][middle] > 20*times[0][middle] {
		t.Errorf("it starts %v later", longer)
	}
}

// resident is the memory of a process in KiB, as the kernel has it.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
