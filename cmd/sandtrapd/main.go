// Command sandtrapd is the sandbox as a service: it runs Go source that nobody has reviewed for clients in any language, over HTTP.
//
// It may not hold anything but its start: the command is in internal/cli.
package main

import (
	"os"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func main() {
	worker.Init()
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
