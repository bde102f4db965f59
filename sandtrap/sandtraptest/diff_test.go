package sandtraptest

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

var (
	diffTime = flag.Duration("difftime", time.Second, "how long each differential test makes programs")
	diffSeed = flag.Uint64("diffseed", 1, "the first seed of the differential tests")
	diffKeep = flag.String("diffkeep", "", "the directory where they leave the programs that differ")
)

const diffBatch = 25

// TestDifferential: compiled Go and the vm print the same for programs made up at
// random, and end the same way. A failure shows the seed and the first lines that differ.
func TestDifferential(t *testing.T) {
	differ(t, program, "errors", "fmt", "slices", "sort", "strings", "sync")
}

// differ compares batches of programs, each made from its seed.
func differ(t *testing.T, program func(seed uint64) string, imports ...string) {
	t.Helper()
	with := findToolchain(t, imports...)
	seed, end := *diffSeed, time.Now().Add(*diffTime)
	for ; seed == *diffSeed || time.Now().Before(end); seed += diffBatch {
		differBatch(t, with, seed, program)
	}
	t.Logf("%d programs", seed-*diffSeed)
}

func differBatch(t *testing.T, with toolchain, seed uint64, program func(seed uint64) string) {
	t.Helper()
	c := newCompiled(t, with)
	defer c.remove()
	for i := range uint64(diffBatch) {
		if err := c.add(t, program(seed+i)); err != nil {
			t.Fatalf("seed %d: %v", seed+i, err)
		}
	}
	c.link(t)
	for i := range diffBatch {
		at := seed + uint64(i)
		if want, got := c.run(t, i), interpreted(t, program(at)); got != want {
			t.Errorf("seed %d: %s", at, firstDifference(got, want))
			leave(t, fmt.Sprintf("s%d.go", at), program(at))
		}
	}
}

// leave puts a program that differs where it can be looked at.
func leave(t *testing.T, name, text string) {
	if *diffKeep != "" {
		write(t, filepath.Join(*diffKeep, name), text)
	}
}

// interpreted runs the program in a sandbox.
func interpreted(t *testing.T, text string) ending {
	t.Helper()
	p := pure()
	p.Engine = "vm"
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
	if res == nil {
		t.Fatal(err)
	}
	return ending{res.Stdout, vmEnd(res.Error)}
}

// vmEnd says how a script ended, in the words of goEnd.
func vmEnd(e *sandtrap.Error) string {
	switch {
	case e == nil:
		return "ok"
	case e.Kind == sandtrap.KindPanic:
		return strings.TrimSpace(addresses.ReplaceAllString("panic: "+strings.TrimPrefix(e.Message, "panic: "), "@"))
	case e.Kind == sandtrap.KindExit:
		return fmt.Sprint("exit ", e.Code)
	case e.Kind == sandtrap.KindDeadlock:
		return "deadlock"
	}
	return "limit: " + e.Error()
}

func firstDifference(got, want ending) string {
	g, w := strings.Split(got.stdout+got.how, "\n"), strings.Split(want.stdout+want.how, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return "the output ends after line " + fmt.Sprint(len(g))
}
