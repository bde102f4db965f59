package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

const helpText = `sandtrap runs untrusted Go source under a policy.

  sandtrap run [flags] FILE|-      run a script; - reads it from standard input
  sandtrap resume FILE [flags]     go on with a run that waits for answers, from its journal
  sandtrap replay FILE [flags]     repeat a run from its journal; nothing is called
  sandtrap check [flags] FILE|-    list all that a script could reach; nothing runs
  sandtrap rewrite [flags] FILE|-  print the rewritten script, with its gates; nothing runs
  sandtrap policy init [NAME]      print a policy file to start from
  sandtrap policy check FILE       say what is wrong in a policy file
  sandtrap policy explain FILE     say what a policy file opens, and which line does
  sandtrap policy tighten FILE     print the smallest policy for the runs in a record
  sandtrap record verify FILE      check a record of decisions; query reads it
  sandtrap egress [flags]          serve child programs with a network that rules allow
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
  sandtrap run --net 'https://api.example.com/v1/*' fetch.go
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
  --preset NAME        start from a profile or a preset; "sandtrap help policy" lists
                       them, "sandtrap policy init NAME" prints one
  --policy FILE        limits, packages, network and the guard of functions in YAML or JSON; flags
                       override it; see docs/policy.md. Default: all packages that
                       "sandtrap doc" lists
  --fs mem             its files: mem, in memory and deleted after the run; none;
                       dir:PATH, a directory, read-only; dir:PATH:rw, writable;
                       a script can import subdirectories as packages
  --allow-path P       a directory that the script sees at the same path, read-only;
                       P:rw is writable; ~ is your home directory (repeatable)
  --net RULE           requests by package net/http that it may make (repeatable): methods, without
                       any GET and HEAD, and a URL, whose path may have * and **, and the words
                       loopback and private[=PREFIX] for a host with such addresses:
                       'GET,POST https://api.example.com/v1/*', 'http://localhost:8080 loopback';
                       public: all public addresses; none: no rule of the policy file either.
                       Rules are added to those of the policy file; see docs/network.md
  --secrets            in the directories of --fs and --allow-path, show .env, .ssh, private
                       keys and other secrets too; without it scripts do not see them

How it runs:
  --engine vm|yaegi    the engine (default vm)
  --isolation none     none: in this process; process: in a process of its own;
                       kernel: in a process that the kernel confines; process and
                       kernel need Linux
  --level maximum      isolation kernel only: standard, strict or maximum
  --record FILE        add the run to a record: begin, end, and each call of a function with its
                       decision, as JSON lines that are chained by hashes; with isolation
                       kernel also refused system calls, which then do not end the worker
  --ask                run only: ask at the terminal about calls that need approval; without it
                       they are denied
  --allow-degraded     run even if layers of the isolation are missing
  --echo none          which bare expressions of a snippet to print: none, last, all
  --artifacts DIR      write the artifacts of the script, made with artifact(name, data), to DIR
  --journal FILE       run only: write what calls of tools return to FILE, a new file, so that
                       the run can wait, go on in another process, and be repeated
  --dry-run            run only: call nothing, ask nobody, change no file; print the calls of tools that
                       the script would make, how they are decided, the files that it would change,
                       and its output
  --stubs FILE         what tools return in a dry run, as an object of JSON by their names, of
                       {"result": JSON} or {"error": TEXT}, or lists of these, with "args" for calls
                       with these arguments; a tool without one returns zero values
  --answers-of FILE    in a dry run, the results of the same calls in a journal
  --json               one JSON object on standard output, and nothing else; docs/policy.md
                       lists its fields

Environment variables set the limits and engine, isolation, level, fs, echo and allow-degraded, too:
SANDTRAP_ISOLATION=process is --isolation process, SANDTRAP_MAX_OUTPUT=1MiB is --max-output 1MiB.
Flags override the environment, and the environment overrides the policy file.
`
}

// limitsHelp describes the flags.
func limitsHelp() string {
	var b strings.Builder
	for _, l := range policyfile.Limits {
		if l.Flag != "" {
			help := strings.ReplaceAll(l.Help, "\n", "\n"+strings.Repeat(" ", 23))
			fmt.Fprintf(&b, "  %-20s %s\n", "--"+l.Flag+" "+l.Like, help)
		}
	}
	return b.String()
}

const doctorHelp = `sandtrap doctor [--json]

Tries each isolation on this machine, and prints for each layer whether it works, or why
not. A run with --isolation kernel is refused if a layer of its --level is missing, unless
--allow-degraded is given. With --json it prints one object.

Exit codes: 0 isolation kernel is complete; 4 a layer is missing.
`

var policyHelp = `sandtrap policy init [NAME]
sandtrap policy check FILE [--tools FILE]
sandtrap policy explain [FILE] [--preset NAME] [--tools FILE] [--json]
sandtrap policy tighten FILE

init prints a profile or preset as a policy file: a starting point for one of your own, to use with
--policy FILE. Without a name it prints what the command does by itself. docs/policy.md lists all keys.

` + profilesHelp() + `
check reads a policy file as run does, tries the examples of its rules, and prints "ok", or all errors
with their lines. Functions that it names are those of --tools.

explain takes the flags of run. It prints what the policy opens, and for each opening where it
comes from and which layers of isolation kernel change; what each function of --tools declares, and
how its calls are decided; and the limits. With --json it prints one object.

tighten reads a record, which "sandtrap run --record FILE" has written, and prints the smallest policy
under which the runs in it do the same; docs/record.md says what it has.

Exit codes: 0; 64 wrong use, or errors in the file.
`

// profilesHelp has a line for each profile.
func profilesHelp() string {
	var b strings.Builder
	for _, name := range policyfile.Names() {
		fmt.Fprintf(&b, "  %-20s %s\n", name, cmp.Or(policyfile.About(name), "the preset of that name"))
	}
	return b.String()
}

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
		case "egress":
			text = egressHelp
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
