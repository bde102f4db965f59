package rig

import (
	"errors"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Mode is one way of running scripts. What holds in one holds in all.
type Mode struct {
	Engine    string
	Isolation sandtrap.Isolation

	// Refuses are the constructs that the engine says it cannot run; its rows for
	// them have tests of their own.
	Refuses []string

	StartLines bool // frames but the innermost have the line where their function begins

	// SharesMemory: what a script is handed behind pointers, slices and maps it writes
	// in place, whatever its type. The interpreter copies some of it.
	SharesMemory bool

	// BoundsVars: variables that are too large, or lie in themselves, are not handed out.
	BoundsVars bool

	// KeepsFuncs: functions among the variables can be called after the run.
	KeepsFuncs bool

	// ShowsErrors: an error of the script's has all its methods for the host too. From a worker
	// comes what it says and what it wraps, as it was when it came.
	ShowsErrors bool

	// Dispatches: interfaces of the script may hold host values whose methods the
	// policy replaces. Elsewhere such programs are refused.
	Dispatches bool
}

// Modes are all there are.
var Modes = []Mode{
	{Engine: "yaegi", Isolation: sandtrap.None, StartLines: true, Refuses: []string{
		"range over a function", "wait in a select statement", "receive from a channel",
		"define types as host types with methods", "embed types of the host", "write the type argument",
		"call methods of host types through type parameters", "call generic functions of the host with type parameters",
	}},
	{Engine: "vm", Isolation: sandtrap.None, SharesMemory: true, BoundsVars: true, KeepsFuncs: true, ShowsErrors: true, Dispatches: true},
	{Engine: "vm", Isolation: sandtrap.Process, BoundsVars: true, KeepsFuncs: true, Dispatches: true},
	{Engine: "vm", Isolation: sandtrap.Kernel, BoundsVars: true, KeepsFuncs: true, Dispatches: true},
}

// A Bench is a mode at work in a test.
type Bench struct {
	*testing.T
	Mode
}

// EachMode runs a test in every mode.
func EachMode(t *testing.T, test func(b Bench)) {
	for _, m := range Modes {
		t.Run(m.Engine+"-"+string(m.Isolation), func(t *testing.T) {
			if machine.Raced && m.Isolation == sandtrap.Kernel {
				t.Skip("the race detector makes system calls that no worker may make")
			}
			b := Bench{t, m}
			if testing.Short() {
				b.OnceApart()
				b.halfInWorkers(t.Name())
			}
			test(b)
		})
	}
}

// OnceApart skips a dear test, or with -short each, with isolation process on a machine where it runs with
// isolation kernel too, which has the same engine and frames.
func (b Bench) OnceApart() {
	b.Helper()
	if b.Isolation == sandtrap.Process && !machine.Raced && machine.Confinement() == "" {
		b.Skip("isolation kernel does it")
	}
}

// halfInWorkers skips half of the tests, by their names, with isolation kernel: most of their time is that of
// starting workers.
func (b Bench) halfInWorkers(name string) {
	b.Helper()
	if b.Isolation == sandtrap.Kernel && crc32.ChecksumIEEE([]byte(name))%2 == 0 {
		b.Skip("with -short, half of the tests run with workers")
	}
}

// In is b for a part of its test.
func (b Bench) In(name string, test func(b Bench)) {
	b.Run(name, func(t *testing.T) { test(Bench{t, b.Mode}) })
}

// Box makes a sandbox for p in the mode of b.
func (b Bench) Box(p sandtrap.Policy) *sandtrap.Sandbox {
	b.Helper()
	p.Engine, p.Isolation = b.Engine, b.Isolation
	box, err := sandtrap.New(b.Context(), p)
	if b.staysHere(err) {
		b.Skip(err)
	}
	NoKernel(b, err)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { box.Close() })
	return box
}

// staysHere tells whether a policy has what cannot be copied to the worker, and the mode of b
// needs it to.
func (b Bench) staysHere(err error) bool {
	return b.Isolation != sandtrap.None && errors.Is(err, sandtrap.ErrPolicy) && strings.Contains(err.Error(), "cannot be copied ")
}

// RunOnce runs one script under p.
func (b Bench) RunOnce(p sandtrap.Policy, src string) (*sandtrap.Result, error) {
	b.Helper()
	return b.Box(p).Run(b.Context(), sandtrap.Script{Text: src})
}

// RefusedByEngine tells whether the mode of b does not take the script, for a
// reason that is known.
func (b Bench) RefusedByEngine(res *sandtrap.Result) bool {
	b.Helper()
	if !EngineRefused(res) {
		return false
	}
	for _, construct := range b.Refuses {
		if strings.Contains(res.Error.Message, "cannot "+construct) {
			return true
		}
	}
	b.Errorf("refused: %s", res.Error.Message)
	return true
}

// EngineRefused tells a refusal that is about the engine from one that is about
// the script.
func EngineRefused(res *sandtrap.Result) bool {
	e := res.Error
	return e != nil && e.Kind == sandtrap.KindRejected && strings.Contains(e.Message, "engine "+res.Engine+" cannot")
}

// Limits end any script of these tests before it is a nuisance.
var Limits = sandtrap.Limits{Ticks: 1_000_000, Timeout: 10 * time.Second, Memory: 64 << 20, Depth: 1000}

// Pure is the policy of scripts that use the standard library.
func Pure() sandtrap.Policy { return sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: Limits} }
