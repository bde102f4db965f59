// Package cli is the command sandtrapd: its subcommands and their flags.
//
// It may not do what another package of the service does: it puts them together.
package cli

import (
	"errors"
	"fmt"
	"io"
)

// A call is one use of the command.
type call struct{ stdout, stderr io.Writer }

// errUsage is an error that was told of.
var errUsage = errors.New("usage")

const usage = `sandtrapd runs Go source that nobody has reviewed, as a service.

  sandtrapd serve   serve HTTP
  sandtrapd doctor  say what this machine has of each isolation, and whether serve would start
  sandtrapd mcp     serve one MCP client on standard input and output

"sandtrapd serve -h" and "sandtrapd doctor -h" list the flags.
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
	case "mcp":
		err = c.mcp(args[1:])
	case "help", "-h", "--help":
		fmt.Fprint(stdout, usage)
	default:
		fmt.Fprintf(stderr, "sandtrapd: no command %q\n%s", args[0], usage)
		return 2
	}
	if err == nil {
		return 0
	}
	if !errors.Is(err, errUsage) {
		fmt.Fprintf(stderr, "sandtrapd: %v\n", err)
	}
	return 1
}
