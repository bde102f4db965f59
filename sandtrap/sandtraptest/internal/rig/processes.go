package rig

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Children are the processes that this one has started, but the one that starts workers
// and stays, also where that is still to become what it is.
func Children(t testing.TB) map[int]bool {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	own, _ := os.ReadFile("/proc/self/cmdline")
	found := map[int]bool{}
	for _, task := range tasks {
		text, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		for _, field := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(field)
			if args, _ := os.ReadFile("/proc/" + field + "/cmdline"); !strings.Contains(string(args), "\x00spawner") && !bytes.Equal(args, own) {
				found[pid] = true
			}
		}
	}
	return found
}
