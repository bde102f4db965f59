package differ

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

var (
	diffTime = flag.Duration("difftime", time.Second, "how long each differential test makes programs")
	diffSeed = flag.Uint64("diffseed", 1, "the first seed of the differential tests")
	diffKeep = flag.String("diffkeep", "", "the directory where they leave the programs that differ")
)

const diffBatch = 25

// patient limits are for machines that are busy with other things, and for what is made at
// random: that ends, but a few need millions of ticks.
var patient = sandtrap.Limits{Ticks: 100_000_000, Timeout: time.Minute, Memory: 64 << 20, Depth: 1000}

// TestDifferential: compiled Go and the vm print the same for programs made up at
// random, and end the same way. A failure shows the seed and the first lines that differ.
func TestDifferential(t *testing.T) {
	differ(t, program, "cmp", "errors", "fmt", "iter", "maps", "slices", "sort", "strconv", "strings", "sync", "unicode/utf8")
}

// differ compares batches of programs, each made from its seed.
func differ(t *testing.T, program func(seed uint64) string, imports ...string) {
	t.Helper()
	with := findToolchain(t, imports...)
	seed, end, crashes := *diffSeed, time.Now().Add(*diffTime), 0
	for ; seed == *diffSeed || time.Now().Before(end); seed += diffBatch {
		crashes += differBatch(t, with, seed, program)
	}
	t.Logf("%d programs, and %d that crash the Go compiler", seed-*diffSeed-uint64(crashes), crashes)
}

// differBatch is how many programs of the batch crash the Go compiler.
func differBatch(t *testing.T, with toolchain, seed uint64, program func(seed uint64) string) (crashes int) {
	t.Helper()
	c := newCompiled(t, with)
	defer c.remove()
	var seeds []uint64
	for at := seed; at < seed+diffBatch; at++ {
		switch err := c.add(t, program(at)); {
		case err == nil:
			seeds = append(seeds, at)
		case strings.Contains(err.Error(), "internal compiler error"):
			crashes++
		default:
			t.Fatalf("seed %d: %v", at, err)
		}
	}
	c.link(t)
	for i, at := range seeds {
		want, got := c.run(t, i), interpreted(t, program(at), patient)
		if endless := strings.HasPrefix(got.how, "limit: ") && strings.HasPrefix(want.how, "limit: "); got != want && !endless {
			t.Errorf("seed %d: %s", at, firstDifference(got, want))
			leave(t, fmt.Sprintf("s%d.go", at), program(at))
		}
	}
	return crashes
}

// leave puts a program that differs where it can be looked at.
func leave(t *testing.T, name, text string) {
	if *diffKeep != "" {
		rig.WriteFile(t, filepath.Join(*diffKeep, name), text)
	}
}

// interpreted runs the program in a sandbox.
func interpreted(t *testing.T, text string, l sandtrap.Limits) ending {
	t.Helper()
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
	if res == nil {
		t.Fatal(err)
	}
	e := ending{res.Stdout, res.Stderr, "exit 0"}
	if err := res.Error; err != nil {
		switch err.Kind {
		case sandtrap.KindPanic:
			e.stderr, e.how = e.stderr+"panic: "+err.Message, "exit 2"
		case sandtrap.KindDeadlock:
			e.stderr, e.how = e.stderr+asleep, "exit 2"
		case sandtrap.KindExit:
			e.how = fmt.Sprint("exit ", err.Code)
		default:
			e.how = "limit: " + err.Error()
		}
	}
	e.stderr = plain(e.stderr)
	return e
}

// firstDifference is the first line that differs.
func firstDifference(got, want ending) string {
	g, w := strings.Split(got.text(), "\n"), strings.Split(want.text(), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return "the output ends after line " + fmt.Sprint(len(g))
}

func (e ending) text() string { return e.stdout + "\n" + e.stderr + "\n" + e.how }
