package sandtrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// A preset is a policy that has a name.
type preset struct {
	use    string
	std    func() []string
	files  bool // in memory
	echo   EchoMode
	limits Limits
	why    map[string]string // of each limit, by its field

	refused string // why there is none of this name, and what to do
}

var presets = map[string]preset{
	"compute": {
		use: "a formula, a parser, a report: the result depends on the script and its inputs alone",
		std: StdPure,
		limits: Limits{
			Timeout: 5 * time.Second, Ticks: 200_000_000, Memory: 128 << 20, Output: 256 << 10, Tasks: 16, Depth: 10_000,
		},
		why: map[string]string{
			"Timeout": "somebody waits for the answer",
			"Ticks":   "an endless loop stops at the same place on each machine",
			"Memory":  "room for the inputs, and for a few tables of their size",
			"Output":  "enough for an answer, not for a log",
			"Tasks":   "a script computes on one processor, and has nothing to wait for",
			"Depth":   "an endless recursion is found early",
		},
	},
	"agent": {
		use: "a step of an agent that works with files and host functions",
		std: StdDefault, files: true, echo: EchoLast,
		limits: Limits{Timeout: 30 * time.Second, Memory: 512 << 20, Output: 256 << 10, Tasks: 1000, Depth: 100_000},
		why: map[string]string{
			"Timeout": "functions of the host may wait for other services",
			"Memory":  "includes the files in memory",
			"Output":  "more than a model reads; the end is kept",
			"Tasks":   "one for each function of the host that a script waits for",
			"Depth":   "enough for recursion over deep trees",
		},
	},
	"repl": {
		use: "a person who tries Go, in a session that keeps its state",
		std: StdDefault, files: true, echo: EchoAll,
		limits: Limits{Timeout: time.Minute, Memory: 1 << 30, Output: 16 << 20, Tasks: 10_000, Depth: 100_000},
		why: map[string]string{
			"Timeout": "ends a loop that nobody ends with Ctrl-C",
			"Memory":  "a session keeps the values of all cells",
			"Output":  "enough for long listings at a terminal",
			"Tasks":   "enough to experiment with goroutines",
			"Depth":   "as for agent",
		},
	},
	"fetch":   {refused: "no preset knows the hosts of a task: take agent, with a Network that lists the requests, in the command --net 'GET https://api.example.com/**'"},
	"install": {refused: "scripts start no programs, so they install nothing; give what they need as Packages, or as packages below Files.ModuleRoot"},
}

// Preset returns a named policy, for the host to change: compute, agent or repl. None of them
// sets what depends on the host: isolation and functions. docs/policy.md has the numbers and
// the reasons.
func Preset(name string) (Policy, error) {
	row, ok := presets[name]
	switch {
	case !ok:
		return Policy{}, fmt.Errorf("%w: no preset %q; there are %s", ErrPolicy, name, strings.Join(Presets(), ", "))
	case row.refused != "":
		return Policy{}, fmt.Errorf("%w: no preset %q: %s", ErrPolicy, name, row.refused)
	}
	p := Policy{Std: row.std(), Echo: row.echo, Limits: row.limits}
	if row.files {
		p.Files = &Files{Cwd: "/work", ModuleRoot: "/work", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
		p.Env = map[string]string{}
	}
	return p, nil
}

// Presets returns the names of the presets, sorted.
func Presets() []string {
	names := slices.Sorted(maps.Keys(presets))
	return slices.DeleteFunc(names, func(name string) bool { return presets[name].refused != "" })
}
