package sandtraptest

import (
	"context"
	"errors"
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
		box := b.box(sandtrap.Policy{})
		report, err := box.Check(b.Context(), sandtrap.Script{Text: "x := 1\nprintln(x)"})
		if err != nil || report.Rewritten() == "" {
			b.Errorf("a check: %v, %v", report, err)
		}
		const wrong = "x := \"a\" + 1 )"
		if _, err := box.Check(b.Context(), sandtrap.Script{Text: wrong}); !errors.Is(err, sandtrap.ErrRefused) {
			b.Errorf("a check of what is no Go: %v", err)
		}
		stopped := 0
		for pid := range children(b) {
			if !before[pid] && syscall.Kill(pid, syscall.SIGSTOP) == nil {
				stopped++
			}
		}
		if stopped == 0 {
			b.Fatal("there is no worker")
		}
		ctx, cancel := context.WithTimeout(b.Context(), 200*time.Millisecond)
		defer cancel()
		had := children(b)
		_, err = box.Run(ctx, sandtrap.Script{Text: wrong})
		others := 0
		for pid := range children(b) {
			if !had[pid] {
				others++
			}
		}
		if err == nil || errors.Is(err, sandtrap.ErrRefused) && others == 0 {
			b.Errorf("while the worker stands still: %v", err)
		}
	})
}
