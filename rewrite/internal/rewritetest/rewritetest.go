// Package rewritetest has what tests of the stages share.
//
// It may not be imported but by tests.
package rewritetest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// Corpus is the files of the txtar archives of the module's testdata, which is at root.
func Corpus(tb testing.TB, root string) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "testdata/*/*.txtar"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no corpus: %v", err)
	}
	var list []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			list = append(list, string(file.Data))
		}
	}
	return list
}

// InTime wants f to take less than a limit of the processor's time in one of a few tries, and returns
// what the best took. The limit is to be some ten times what f takes on a machine
// that does nothing else.
func InTime(t *testing.T, limit time.Duration, f func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var took time.Duration
	for range 8 {
		start := machine.CPUTime()
		f()
		if took = machine.CPUTime() - start; took < limit {
			return took
		}
	}
	t.Errorf("took %v", took)
	return took
}
