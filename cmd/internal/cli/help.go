package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const helpText = `sandtrap runs untrusted Go source under a policy.

  sandtrap run [flags] FILE|-      run a script; - reads it from standard input
  sandtrap check [flags] FILE|-    print all that it could reach; nothing runs
  sandtrap rewrite [flags] FILE|-  print it as it is run, with its gates
  sandtrap policy NAME             print a preset as a policy file
  sandtrap doc [PKG[.NAME]]        print what scripts may import and call
  sandtrap repl [flags]            try Go line by line; "sandtrap help repl" has its commands
  sandtrap doctor                  say which isolation this machine can give
  sandtrap corpus [CLASS...]       run attacks, and print how each ended
  sandtrap version

A script is a whole program, or statements, declarations and expressions without
a package clause; Markdown, tags or JSON around it do no harm.

  sandtrap run hello.go
  echo 'strings.Repeat("ab", 3)' | sandtrap run --echo last -
  sandtrap run --timeout 1s --memory 64MiB --json untrusted.go
  sandtrap run --input 'prices=[3, 4.5]' sum.go
  sandtrap check untrusted.go

"sandtrap help run" lists the flags.
`

var runHelp = `sandtrap run [flags] FILE|-

Runs a script, of a file or of standard input, and prints what it prints.

` + flagsHelp() + `
Exit codes: 0 fine; 1 panic; n after os.Exit(n); 2 refused, nothing ran; 3 stopped
by a limit, cancelled, deadlocked or denied; 4 isolation not available; 5 a fault of
sandtrap; 64 wrong use.
`

var checkHelp = `sandtrap check [flags] FILE|-

Prints all of the host and of the standard library that a script could reach, a line each:
place, kind, name, type. Nothing of the script runs. With --json these are "bindings" of one
object, and "error" is why it is refused.

` + flagsHelp() + `
Exit codes: 0 it could run; 2 it is refused; 4 isolation not available; 64 wrong use.
`

var rewriteHelp = `sandtrap rewrite [flags] FILE|-

Prints a script as it is run: in basic forms of Go, with a gate at each way out. Nothing of it
runs. docs/gates.md explains the gates.

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
  --arg A              an element of os.Args after the program's name (repeatable)
  --preset NAME        begin with the policy of a name: agent, compute or repl;
                       "sandtrap policy NAME" prints it
  --policy FILE        limits and packages in YAML or JSON; flags override it;
                       see docs/policy.md. Without it: the standard library that
                       only computes
  --fs mem             where its files are: mem, gone with the run; none;
                       dir:PATH, a directory, to read; dir:PATH:rw, to change too;
                       its subdirectories can be imported as packages
  --allow-path P       a directory that the script sees at the path it has here, to read;
                       P:rw to change too; ~ is yours (repeatable)

How it runs:
  --engine vm|yaegi    the engine (default vm)
  --isolation none     the wall: none, in this process; process, in one of its own;
                       kernel, in one that the kernel holds (Linux)
  --level maximum      of isolation kernel: standard, strict or maximum
  --audit FILE         of isolation kernel: begin, end and refused system calls of the run go to
                       this file as JSON lines; such a call does not end the worker
  --allow-degraded     run even if layers of the isolation are missing
  --echo none          bare expressions of a snippet to print: none, last, all
  --artifacts DIR      write what the script leaves with artifact(name, data) into DIR
  --json               one JSON object on standard output, and nothing else
`
}

const doctorHelp = `sandtrap doctor [--json]

Tries each isolation on this machine, and says of each layer whether it is there, or what
it lacks. For a run with --isolation kernel each layer of its --level has to be there, or
it is refused, unless --allow-degraded is given. With --json it prints one object.

Exit codes: 0 isolation kernel lacks nothing; 4 it lacks something.
`

const policyHelp = `sandtrap policy NAME

Prints the preset of that name, agent, compute or repl, as a policy file: a beginning for
one of your own, which --policy FILE takes. docs/policy.md has all keys.
`

const versionHelp = `sandtrap version

Prints the version of the command, of Go, and of the engines.
`

// help prints the help text of a command, or that of all.
func (c *call) help(args []string) int {
	text := helpText
	if len(args) > 0 {
		switch args[0] {
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
		case "version":
			text = versionHelp
		case "run":
			text = runHelp
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
		d := editDistance(name, n)
		if slices.Equal(slices.Sorted(strings.SplitSeq(name, "")), slices.Sorted(strings.SplitSeq(n, ""))) {
			d = 1 // two letters are swapped
		}
		if d < distance && 2*d <= len(n) {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance counts the letters to change, add or drop between two words.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
