package sandtrap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A Policy says what scripts may reach and how much they may use. The zero value allows
// the language and nothing else: no import, no host function, 30 seconds, 512 MiB of memory.
//
// A Policy is copied by [Compile] and [New]; changing it later changes nothing. The
// values in Packages and Funcs are the host's own; all runs share them, concurrent ones
// too.
type Policy struct {
	Limits Limits

	// Std lists what of the standard library may be imported: import paths ("strings"), or
	// all below one ("math/..."). A path does not imply those below it. Scripts get only
	// what the tables of package builtins allow.
	Std []string

	// Exclude removes from Std and Packages: packages ("os"), members ("strings.Repeat",
	// "time.New*") or methods and fields of a type ("bytes.Buffer.Grow", "bytes.Buffer.*").
	// The part before the member is an import path.
	Exclude []string

	// Packages are the host's own packages, importable by their paths. One with the path of
	// a standard package replaces it.
	Packages []Package

	// Funcs are host functions and values that need no import. Declarations of a script shadow them. Types of plain
	// data in the signatures of these functions, which are made of exported fields, basic types and times, are known
	// to scripts under their own names, with their fields and, except of errors, without their methods; scripts can write
	// through a pointer to one. To give a type methods, or another name, make it a member: "Order": (*Order)(nil).
	Funcs map[string]any

	// Docs are comments for Funcs, by name; see (*Plan).Declarations.
	Docs map[string]string

	// Files gives scripts files, for package os and related packages. Without it the
	// functions that reach files do not exist.
	Files *Files

	// Env is the environment that scripts see; each run gets a copy. Without it the
	// functions that read the environment do not exist.
	Env map[string]string

	// Network, a *egress.Gate, makes the requests of scripts, which have package net/http then. Without one they do not.
	Network egress.Network

	// Wrappers are functions func(Value) I. Each shows values of scripts to the host as
	// an interface I of the host's own. The interfaces of the standard library need
	// none.
	Wrappers []any

	// Echo says which bare expressions of a snippet are reported in Result.Echo.
	Echo EchoMode

	// Seed and Epoch make runs repeatable: with both, and with host functions that return
	// the same values, each run of a script does the same, with its goroutines in the same
	// order. Seed determines the random numbers of a run, also those of crypto/rand, and the
	// order in which select tries its cases; 0 is a random seed. The script's clock starts
	// at Epoch; time passes only while all its goroutines wait, and then at once:
	// time.Sleep(time.Hour) takes no time. Files in memory were changed at Epoch, whenever that was. A blocking host function stops the clock. The
	// zero Epoch is the machine's clock. Limits count real time.
	Seed  uint64
	Epoch time.Time

	// Engine runs the script: "vm", which supports all of Go, or "yaegi", for hosts that
	// already use that interpreter and import package sandtrap/yaegi. Empty means vm.
	Engine string

	// Isolation is the boundary around the run.
	Isolation Isolation

	// Level is how many layers isolation kernel has: Maximum if empty. Use a lower one on a
	// machine that lacks some, instead of AllowDegraded, which does without any of them.
	Level isolate.Level

	// Worker is the executable that runs scripts with isolation process and kernel: one
	// whose main calls worker.Init first. It is the running program if it is empty.
	Worker string

	// Audit, if not nil, is called for each system call that isolation kernel refuses; only native
	// code that an attacker runs in the worker makes one. The worker goes on with an error from the
	// kernel; without an Audit it is killed, which is safer. Audit is called on one goroutine for
	// each worker, and the call waits for it. If it panics, or ends its goroutine, the worker is
	// ended.
	Audit func(audit.Refusal)

	// Guard, a *guard.Policy, decides about calls and files while scripts run. Without one members that declare a Risk are closed.
	Guard decide.Guard

	// Uncalled, if not nil, is called for each callback into a script that the host makes after the
	// run and that has no error result to report this; see ErrRunOver. It runs on the goroutine of
	// the callback, so its stack shows the caller; calls may be concurrent.
	Uncalled func(name string, err error)

	// AllowDegraded runs scripts even if this machine lacks layers of the isolation;
	// Result.Isolation says which. Without it they do not run.
	AllowDegraded bool
}

// Files says which files scripts have. Package vfs has file systems for Open.
type Files struct {
	// Open is called for each Sandbox and returns where its files are. Runs of one sandbox
	// see what the others write. If it is nil the files are in memory, and end with the
	// sandbox.
	Open func() (afero.Fs, error)

	// Paths are directories of the host that scripts see at their host paths, mounted over what
	// Open returns: "/data" or "/data:ro" is read-only, "/data:rw" is writable, "~/data" is in
	// the user's home directory. They must exist when the policy is compiled. A worker gets their
	// descriptors and reads files in them itself, which is faster; it asks the host for all other
	// operations.
	Paths []string

	// Secrets makes Paths show the files that vfs.Dir hides: those with names that usually hold keys,
	// passwords or tokens, for which vfs.Secret reports true.
	Secrets bool

	Cwd   string // working directory at the start of each run, made if it is missing; "/" if empty
	Quota vfs.Quota

	// ModuleRoot is a directory whose subdirectories scripts may import as packages:
	// "helpers/stats" is its directory helpers/stats, or what its go.mod makes of the path. They
	// are checked, gated and metered like the script. Packages of the policy come first.
	// None if empty.
	ModuleRoot string
}

// A Value is a value of a script for use in a wrapper, see Policy.Wrappers: a struct that
// embeds it and has the methods of the interface, each of which calls the script's
// method:
//
//	type store struct{ sandtrap.Value }
//
//	func (s store) Get(key string) string { return s.Call("Get", key)[0].(string) }
//
// It is valid until the run ends.
type Value interface {
	// Call calls a method of the script's type and returns its results; the last
	// argument for a variadic one is a slice. The script may panic; a wrapper does not
	// recover.
	Call(method string, args ...any) []any

	// ScriptValue identifies the script's value when the wrapper is passed back to the
	// script.
	ScriptValue() any
}

// A Package is a package of the host that scripts may import.
type Package struct {
	Path    string
	Name    string            // package name; the last element of Path if empty
	Members map[string]any    // exported name to function, value or type; see docs/policy.md
	Docs    map[string]string // comments, by "Name", "Type.Method" or "Type.Field"

	// Object is a live object whose exported methods are functions of the package.
	Object any

	// Network and HostFiles are granted to all members; see Member.
	Network, HostFiles bool

	// Include and Exclude choose among the members, and among the methods and fields of
	// their types, with patterns: "Get*", "DB.Exec", "DB.*". No Include means everything
	// that is exported. Keep is called last, with the bare name; nil keeps all.
	Include, Exclude []string
	Keep             func(name string) bool
}

// An Isolation is the boundary between a script and its host.
type Isolation string

// The isolations. The zero Isolation is None.
const (
	None    Isolation = "none"    // in the host's process: holds scripts to the policy
	Process Isolation = "process" // a process of its own: also contains crashes
	Kernel  Isolation = "kernel"  // a process that the kernel confines: for hostile code
)

// An EchoMode says which bare expressions at the top level of a snippet are reported. A
// nil interface, such as a nil error, never is.
type EchoMode string

// The modes. The zero EchoMode is EchoNone.
const (
	EchoNone EchoMode = "none"
	EchoLast EchoMode = "last" // the last statement, if it is an expression, and what a snippet returns
	EchoAll  EchoMode = "all"
)

// StdPure lists the standard packages whose results depend only on the script and its
// policy: none of their members needs a clock, random numbers or a network. Add others as
// needed.
func StdPure() []string {
	var paths []string
	for _, p := range builtins.Std() {
		if !slices.ContainsFunc(p.Needs(), func(need string) bool { return !ofPolicy(need) }) {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// ofPolicy reports that what a member needs is what other fields of a policy give or do not.
func ofPolicy(need string) bool { return need == "files" || need == "environment" }

// StdDefault lists all standard packages that scripts can use without reaching out
// of the sandbox: those of StdPure, and those that need the clock or random numbers.
func StdDefault() []string {
	var paths []string
	for _, p := range builtins.Std() {
		if !slices.Contains(p.Needs(), "network") {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// validate names the field of p that is wrong. The error matches ErrPolicy.
func (p *Policy) validate() error {
	if err := p.Limits.validate(p); err != nil {
		return err
	}
	if err := p.Files.validate(); err != nil {
		return err
	}
	if err := p.Echo.validate(); err != nil {
		return policyError("Echo", "%v", err)
	}
	for name, value := range p.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return policyError("Env", "invalid environment variable %q: a name has no \"=\" and nothing has a NUL byte", name+"="+value)
		}
	}
	switch p.Isolation {
	case "", None, Process, Kernel:
	default:
		return policyError("Isolation", "no isolation %q; there are none, process and kernel", string(p.Isolation))
	}
	if p.Audit != nil && p.Isolation != Kernel {
		return policyError("Audit", "only isolation kernel refuses system calls")
	}
	return p.validateLevel()
}

func (f *Files) validate() error {
	switch {
	case f == nil:
	case len(f.Paths) > isolate.MaxDirs:
		return policyError("Files.Paths", "%d are more than %d", len(f.Paths), isolate.MaxDirs)
	case f.Quota.Bytes < 0 || f.Quota.Files < 0 || f.Quota.Open < 0:
		return policyError("Files.Quota", "%+v has what is negative; 0 means the default", f.Quota)
	}
	return nil
}

func (p *Policy) validateLevel() error {
	switch p.Level {
	case "":
		return nil
	case isolate.Standard, isolate.Strict, isolate.Maximum:
	default:
		return policyError("Level", "no level %q; there are standard, strict and maximum", string(p.Level))
	}
	if p.Isolation != Kernel {
		return policyError("Level", "only isolation kernel has levels")
	}
	return nil
}

func (m EchoMode) validate() error {
	switch m {
	case "", EchoNone, EchoLast, EchoAll:
		return nil
	}
	return fmt.Errorf("no mode %q; there are none, last and all", string(m))
}

func policyError(field, format string, args ...any) error {
	return fmt.Errorf("%w: Policy.%s: %s", ErrPolicy, field, fmt.Sprintf(format, args...))
}
