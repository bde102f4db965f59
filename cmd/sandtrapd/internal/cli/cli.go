// Package cli is the command sandtrapd: its subcommands and their flags.
//
// It may not do what another package of the service does: it puts them together.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// A call is one use of the command.
type call struct{ stdout, stderr io.Writer }

// errUsage is an error that was told of.
var errUsage = errors.New("usage")

// parse reads the flags of a subcommand, or prints them. The error matches flag.ErrHelp if they were asked for.
func parse(fs *flag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return errUsage
}

const usage = `sandtrapd runs untrusted Go source, as a service.

  sandtrapd serve    serve HTTP
  sandtrapd worker   do runs of servers on other machines
  sandtrapd cluster  show the workers of a server and the runs that wait, or say which workers and fronts it lets in
  sandtrapd doctor   say what this machine has of each isolation, and whether serve would start
  sandtrapd mcp      serve one MCP client on standard input and output
  sandtrapd version  print the version

"sandtrapd COMMAND -h" lists the flags of a command.
`

// Main is the command. It returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	c := &call{stdout, stderr}
	if len(args) == 0 {
		args = []string{"help"}
	}
	var err error
	switch args[0] {
	case "serve":
		err = c.serve(args[1:])
	case "doctor":
		err = c.doctor(args[1:])
	case "worker":
		err = c.worker(args[1:])
	case "cluster":
		err = c.cluster(args[1:])
	case "mcp":
		err = c.mcp(args[1:])
	case "version", "--version":
		fmt.Fprintln(stdout, "sandtrapd", version())
	case "help", "-h", "--help":
		fmt.Fprint(stdout, usage)
	default:
		fmt.Fprintf(stderr, "sandtrapd: no command %q\n%s", args[0], usage)
		return 2
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	fmt.Fprintf(stderr, "sandtrapd: %s\n", strings.TrimPrefix(err.Error(), "sandtrapd: ")) // errors of a server have it
	return 1
}
