package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNothingRunsHere: with isolation the host's process does not look at a script. Its worker finds
// what is wrong with one, and while that stands still nobody does but another worker.
func TestNothingRunsHere(t *testing.T) {
	eachWorker(t, func(b bench) {
		before := children(b)
		box := b.Box(sandtrap.Policy{})
		report, err := box.Check(b.Context(), sandtrap.Script{Text: "x := 1\nprintln(x)"})
		if err != nil || report.Rewritten() == "" {
			b.Errorf("a check: %v, %v", report, err)
		}
		const wrong = "x := \"a\" + 1 )"
		if _, err := box.Check(b.Context(), sandtrap.Script{Text: wrong}); !errors.Is(err, sandtrap.ErrRefused) {
			b.Errorf("a check of what is no Go: %v", err)
		}
		stopped := map[int]bool{}
		for pid := range children(b) {
			if !before[pid] && syscall.Kill(pid, syscall.SIGSTOP) == nil {
				stopped[pid] = true
				for !standsStill(pid) { // the kernel has to get to each thread
					time.Sleep(time.Millisecond)
				}
			}
		}
		if len(stopped) == 0 {
			b.Fatal("there is no worker")
		}
		ctx, cancel := context.WithTimeout(b.Context(), 200*time.Millisecond)
		defer cancel()
		_, err = box.Run(ctx, sandtrap.Script{Text: wrong})
		other := func() bool {
			for pid := range children(b) {
				if !before[pid] && !stopped[pid] {
					return true
				}
			}
			return false
		}
		found := !errors.Is(err, sandtrap.ErrRefused)
		for range 1000 { // the kernel may leave one out while another one goes
			if found = found || other(); found {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err == nil || !found {
			b.Errorf("while the worker stands still: %v", err)
		}
	})
}

// standsStill reports that each thread of a process is stopped.
func standsStill(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if _, state, _ := strings.Cut(string(text), ") "); !strings.HasPrefix(state, "T") {
			return false
		}
	}
	return true
}
