// Package cli is the command sandtrap, as a function of its arguments and
// streams.
//
// It may not do what a host could not do with package sandtrap, or print text of a script raw
// to a terminal.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

// The exit codes of the command; a script's own os.Exit code takes their place.
const (
	exitOK        = 0
	exitPanic     = 1
	exitRefused   = 2
	exitStopped   = 3
	exitIsolation = 4
	exitInternal  = 5
	exitWaits     = 6
	exitUsage     = 64
)

// A call is one use of the command.
type call struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	color          bool
	json           bool // it is asked for, maybe by what is wrong otherwise
}

// A command is one word after "sandtrap".
type command struct {
	run   func(c *call, args []string) int
	short string
}

func commands() map[string]command {
	return map[string]command{
		"run":     {(*call).run, "run a script under a policy"},
		"resume":  {(*call).resume, "go on with a run that waits for answers"},
		"replay":  {(*call).replay, "repeat a run from its journal"},
		"check":   {(*call).check, "say what a script could reach, without running it"},
		"rewrite": {(*call).rewrite, "print a script as it is run, with its gates"},
		"policy":  {(*call).policy, "write, check and explain policy files"},
		"egress":  {(*call).egress, "serve child programs with a network that rules allow"},
		"record":  {(*call).record, "verify and read records of decisions"},
		"doc":     {(*call).doc, "say what scripts may import and call"},
		"repl":    {(*call).repl, "try Go line by line"},
		"doctor":  {(*call).doctor, "say which isolation this machine can give"},
		"corpus":  {(*call).corpus, "run attacks, and print how each ended"},
		"version": {(*call).version, "print version and engines"},
	}
}

// Main runs the command with the arguments after its name and returns its exit
// code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{stdin: stdin, stdout: stdout, stderr: stderr, color: isTerminal(stderr) && os.Getenv("NO_COLOR") == ""}
	if len(args) == 0 {
		fmt.Fprint(stderr, helpText)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return c.help(args[1:])
	}
	cmd, ok := commands()[args[0]]
	if !ok {
		fmt.Fprintf(stderr, "sandtrap: no command %q%s\nUsage: sandtrap run|resume|replay|check|rewrite|policy|egress|record|doc|repl|doctor|corpus|version; \"sandtrap help\" explains them\n",
			args[0], didYouMean(args[0], commandNames()))
		return exitUsage
	}
	c.json = asksJSON(args[1:])
	return cmd.run(c, args[1:])
}

// asksJSON finds the flag among args that may be wrong otherwise.
func asksJSON(args []string) bool {
	for _, a := range args {
		switch a {
		case "--":
			return false
		case "--json", "-json", "--json=true", "-json=true":
			return true
		}
	}
	return false
}

// usage reports wrong use of the command line: on stderr, and with --json on stdout as well.
func (c *call) usage(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	message := strings.TrimPrefix(err.Error(), "sandtrap: ")
	fmt.Fprintf(c.stderr, "sandtrap: %s\n", message)
	if c.json {
		return c.printObject(usageObject(message), exitUsage)
	}
	return exitUsage
}

func (c *call) version(args []string) int {
	if len(args) > 0 {
		return c.usage(fmt.Errorf("version takes no arguments"))
	}
	fmt.Fprintf(c.stdout, "sandtrap %s\nengines vm, yaegi\nbuilt with %s for %s/%s\n", moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}

// moduleVersion is the version that this program was built of; devel if that is none of the module's.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// isTerminal says whether a stream is a character device.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
