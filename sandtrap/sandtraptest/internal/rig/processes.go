package rig

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Children are the processes that this one has started, but the one that starts workers
// and stays.
func Children(t testing.TB) map[int]bool {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
	for _, task := range tasks {
		text, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		for _, field := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(field)
			if args, _ := os.ReadFile("/proc/" + field + "/cmdline"); !strings.Contains(string(args), "\x00spawner") {
				found[pid] = true
			}
		}
	}
	return found
}
