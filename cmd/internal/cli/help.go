package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

const helpText = `sandtrap runs untrusted Go source under a policy.

  sandtrap run [flags] FILE|-      run a script; - reads it from standard input
  sandtrap resume FILE [flags]     go on with a run that waits for answers, from its journal
  sandtrap replay FILE [flags]     repeat a run from its journal; nothing is called
  sandtrap check [flags] FILE|-    list all that a script could reach; nothing runs
  sandtrap rewrite [flags] FILE|-  print the rewritten script, with its gates; nothing runs
  sandtrap policy NAME             print a preset as a policy file
  sandtrap record verify FILE      check a record of decisions; query reads it
  sandtrap doc [PKG[.NAME]]        print what scripts may import and call
  sandtrap repl [flags]            try Go line by line; "sandtrap help repl" has its commands
  sandtrap doctor                  say which isolation this machine supports
  sandtrap corpus [CLASS...]       run attacks, and print how each ended
  sandtrap version

A script is a whole program, or statements, declarations and expressions without
a package clause; Markdown, tags or JSON around it are allowed.

  sandtrap run hello.go
  echo 'strings.Repeat("ab", 3)' | sandtrap run --echo last -
  sandtrap run --timeout 1s --memory 64MiB --json untrusted.go
  sandtrap run --input 'prices=[3, 4.5]' sum.go
  sandtrap check untrusted.go

"sandtrap help run" lists the flags.
`

var runHelp = `sandtrap run [flags] FILE|-

Runs a script from a file or standard input, and prints its output.

` + flagsHelp() + `
Exit codes: 0 success; 1 panic; n after os.Exit(n); 2 refused, nothing ran; 3 stopped
by a limit, cancelled, deadlocked or denied; 4 isolation not available; 5 a fault of
sandtrap; 6 it waits for answers; 64 wrong use, with --json {"error": {"kind": "usage", ...}}.
`

const resumeHelp = `sandtrap resume FILE [flags]

Goes on with a run that "sandtrap run --tools TOOLS --journal FILE" has begun, with the flags of that, and
ends as that does; the output is that of the whole run. FILE then has the new journal.

  --answer ID=JSON     the result of the call with this number, in JSON; of several results
                       an array; null where there is none (repeatable)
  --answers FILE|-     more of them, as an object: {"1": JSON, "2": JSON}; for what is too long for an argument
  --error ID=TEXT      its error; a function without an error result panics with the text (repeatable)
  --approve ID         makes a call that waits for approval (repeatable)
  --deny ID[=REASON]   refuses it; the script gets the reason (repeatable)
  --artifacts DIR      as of run
  --json               one JSON object; "pending" lists the calls that wait: id, name, args by
                       the names of the parameters, at, where the script calls, and, of one that
                       waits for approval, ask, why it needs it

  --isolation MODE     another isolation than that of run

Calls without an answer wait on. An interrupt leaves the run to be resumed. Exit codes are those of run; 6: calls wait.
`

const replayHelp = `sandtrap replay FILE [flags]

Repeats a run from its journal, without its tools: the same output, ticks and exit code. It is wrong
use, 64, if the run does something else than its journal says.

  --artifacts DIR      as of run
  --isolation MODE     another isolation than that of run
  --json               one JSON object, as of run
`

var checkHelp = `sandtrap check [flags] FILE|-

Lists all members of the host and the standard library that a script could reach, one a line:
place, kind, name, type. The script does not run. With --json these are the "bindings" of one
object; for a script that is refused there are none, and "error" has the reason.

` + flagsHelp() + `
Exit codes: 0 it could run; 2 it is refused; 4 isolation not available; 64 wrong use.
`

var rewriteHelp = `sandtrap rewrite [flags] FILE|-

Prints the script as it would run: in simpler forms of Go, with gates, the calls that count its
steps and reach the host. The script does not run. docs/gates.md explains the gates.

` + flagsHelp() + `
Exit codes: 0 it could run; 2 it is refused; 4 isolation not available; 64 wrong use.
`

// flagsHelp describes the flags that run, check and rewrite have.
func flagsHelp() string {
	return `Limits; 0 means no limit:
` + limitsHelp() + `
What the script gets:
  --input name=JSON    a variable of the script, set before it runs (repeatable);
                       3 is an int, [1,2] an []int, {"a":1} a map[string]any
  --tools FILE         functions and types for the script, from a file of Go declarations without
                       bodies; each call waits for an answer of "sandtrap resume"
  --arg A              an argument in os.Args, after the program's name (repeatable)
  --preset NAME        start from a named policy: agent, compute or repl;
                       "sandtrap policy NAME" prints it
  --policy FILE        limits and packages in YAML or JSON; flags override it;
                       see docs/policy.md. Default: all packages that
                       "sandtrap doc" lists
  --fs mem             its files: mem, in memory and deleted after the run; none;
                       dir:PATH, a directory, read-only; dir:PATH:rw, writable;
                       a script can import subdirectories as packages
  --allow-path P       a directory that the script sees at the same path, read-only;
                       P:rw is writable; ~ is your home directory (repeatable)
  --secrets            in the directories of --fs and --allow-path, show .env, .ssh, private
                       keys and other secrets too; without it scripts do not see them

How it runs:
  --engine vm|yaegi    the engine (default vm)
  --isolation none     none: in this process; process: in a process of its own;
                       kernel: in a process that the kernel confines; process and
                       kernel need Linux
  --level maximum      isolation kernel only: standard, strict or maximum
  --audit FILE         isolation kernel only: write begin, end and refused system calls of the
                       run to FILE as JSON lines; a refused call does not end the worker
  --allow-degraded     run even if layers of the isolation are missing
  --echo none          which bare expressions of a snippet to print: none, last, all
  --artifacts DIR      write the artifacts of the script, made with artifact(name, data), to DIR
  --journal FILE       run only: write what calls of tools return to FILE, a new file, so that
                       the run can wait, go on in another process, and be repeated
  --json               one JSON object on standard output, and nothing else; docs/policy.md
                       lists its fields

Environment variables set the limits and engine, isolation, level, fs, echo and allow-degraded, too:
SANDTRAP_ISOLATION=process is --isolation process, SANDTRAP_MAX_OUTPUT=1MiB is --max-output 1MiB.
Flags override the environment, and the environment overrides the policy file.
`
}

const doctorHelp = `sandtrap doctor [--json]

Tries each isolation on this machine, and prints for each layer whether it works, or why
not. A run with --isolation kernel is refused if a layer of its --level is missing, unless
--allow-degraded is given. With --json it prints one object.

Exit codes: 0 isolation kernel is complete; 4 a layer is missing.
`

const policyHelp = `sandtrap policy NAME

Prints a preset, agent, compute or repl, as a policy file: a starting point for one of your
own, to use with --policy FILE. docs/policy.md lists all keys.
`

const versionHelp = `sandtrap version

Prints the version of the command, of Go, and of the engines.
`

// help prints the help text of a command, or that of all.
func (c *call) help(args []string) int {
	text := helpText
	if len(args) > 0 {
		switch args[0] {
		case "help":
		case "doc":
			text = docHelp
		case "corpus":
			text = corpusHelp
		case "repl":
			text = replHelp + replUsage()
		case "doctor":
			text = doctorHelp
		case "policy":
			text = policyHelp
		case "record":
			text = recordHelp
		case "version":
			text = versionHelp
		case "run":
			text = runHelp
		case "resume":
			text = resumeHelp
		case "replay":
			text = replayHelp
		case "check":
			text = checkHelp
		case "rewrite":
			text = rewriteHelp
		default:
			if _, ok := commands()[args[0]]; !ok {
				return c.usage(fmt.Errorf("no command %q%s", args[0], didYouMean(args[0], commandNames())))
			}
		}
	}
	fmt.Fprint(c.stdout, text)
	return exitOK
}

func commandNames() []string { return append(slices.Sorted(maps.Keys(commands())), "help") }

// didYouMean is a question about the nearest of names, or empty.
func didYouMean(name string, names []string) string {
	best, distance := "", 3
	for _, n := range names {
		d := nearest.Distance(name, n, distance)
		if d < distance && 2*d <= len(n) {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}
