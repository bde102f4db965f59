// Command sandtrap runs untrusted Go source under a policy.
// "sandtrap help" explains it.
//
// It may not hold anything but its start: the command is in cmd/internal/cli.
package main

import (
	"os"

	"github.com/sandtrap-go/sandtrap/cmd/internal/cli"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func main() {
	worker.Init()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
