package sandtraptest

import (
	"errors"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// A mode is one way of running scripts. What holds in one holds in all.
type mode struct {
	engine    string
	isolation sandtrap.Isolation

	// refuses are the constructs that the engine says it cannot run; its rows for
	// them have tests of their own.
	refuses []string

	startLines bool // frames but the innermost have the line where their function begins

	// sharesMemory: what a script is handed behind pointers, slices and maps it writes
	// in place, whatever its type. The interpreter copies some of it.
	sharesMemory bool

	// boundsVars: variables that are too large, or lie in themselves, are not handed out.
	boundsVars bool

	// keepsFuncs: functions among the variables can be called after the run.
	keepsFuncs bool

	// showsErrors: an error of the script's has all its methods for the host too. From a worker
	// comes what it says and what it wraps, as it was when it came.
	showsErrors bool

	// dispatches: interfaces of the script may hold host values whose methods the
	// policy replaces. Elsewhere such programs are refused.
	dispatches bool
}

var modes = []mode{
	{engine: "yaegi", isolation: sandtrap.None, startLines: true, refuses: []string{
		"range over a function", "wait in a select statement", "receive from a channel",
		"define types as host types with methods", "embed types of the host", "write the type argument",
		"call methods of host types through type parameters", "call generic functions of the host with type parameters",
	}},
	{engine: "vm", isolation: sandtrap.None, sharesMemory: true, boundsVars: true, keepsFuncs: true, showsErrors: true, dispatches: true},
	{engine: "vm", isolation: sandtrap.Process, boundsVars: true, keepsFuncs: true, dispatches: true},
	{engine: "vm", isolation: sandtrap.Kernel, boundsVars: true, keepsFuncs: true, dispatches: true},
}

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// A bench is a mode at work in a test.
type bench struct {
	*testing.T
	mode
}

// eachMode runs a test in every mode.
func eachMode(t *testing.T, test func(b bench)) {
	for _, m := range modes {
		t.Run(m.engine+"-"+string(m.isolation), func(t *testing.T) {
			if machine.Raced && m.isolation == sandtrap.Kernel {
				t.Skip("the race detector makes system calls that no worker may make")
			}
			b := bench{t, m}
			if testing.Short() {
				b.onceApart()
				b.halfInWorkers(t.Name())
			}
			test(b)
		})
	}
}

// onceApart skips a dear test, or with -short each, with isolation process on a machine where it runs with
// isolation kernel too, which has the same engine and frames.
func (b bench) onceApart() {
	b.Helper()
	if b.isolation == sandtrap.Process && !machine.Raced && machine.Confinement() == "" {
		b.Skip("isolation kernel does it")
	}
}

// halfInWorkers skips half of the tests, by their names, with isolation kernel: most of their time is that of
// starting workers.
func (b bench) halfInWorkers(name string) {
	b.Helper()
	if b.isolation == sandtrap.Kernel && crc32.ChecksumIEEE([]byte(name))%2 == 0 {
		b.Skip("with -short, half of the tests run with workers")
	}
}

// in is b for a part of its test.
func (b bench) in(name string, test func(b bench)) {
	b.Run(name, func(t *testing.T) { test(bench{t, b.mode}) })
}

// box makes a sandbox for p in the mode of b.
func (b bench) box(p sandtrap.Policy) *sandtrap.Sandbox {
	b.Helper()
	p.Engine, p.Isolation = b.engine, b.isolation
	box, err := sandtrap.New(b.Context(), p)
	if b.staysHere(err) {
		b.Skip(err)
	}
	rig.NoKernel(b, err)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { box.Close() })
	return box
}

// staysHere tells whether a policy has what cannot be copied to the worker, and the mode of b
// needs it to.
func (b bench) staysHere(err error) bool {
	return b.isolation != sandtrap.None && errors.Is(err, sandtrap.ErrPolicy) && strings.Contains(err.Error(), "cannot be copied ")
}

// run runs one script under p.
func (b bench) run(p sandtrap.Policy, src string) (*sandtrap.Result, error) {
	b.Helper()
	return b.box(p).Run(b.Context(), sandtrap.Script{Text: src})
}

// refusedByEngine tells whether the mode of b does not take the script, for a
// reason that is known.
func (b bench) refusedByEngine(res *sandtrap.Result) bool {
	b.Helper()
	if !engineRefused(res) {
		return false
	}
	for _, construct := range b.refuses {
		if strings.Contains(res.Error.Message, "cannot "+construct) {
			return true
		}
	}
	b.Errorf("refused: %s", res.Error.Message)
	return true
}

// limits end any script of these tests before it is a nuisance.
var limits = sandtrap.Limits{Ticks: 1_000_000, Timeout: 10 * time.Second, Memory: 64 << 20, Depth: 1000}

// pure is the policy of scripts that use the standard library.
func pure() sandtrap.Policy { return sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: limits} }

// numbered is a script of n lines with the given texts in the lines of the
// given numbers.
func numbered(n int, at map[int]string) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = at[i+1]
	}
	return strings.Join(lines, "\n")
}
