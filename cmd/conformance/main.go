// Command conformance runs test programs that are not ours in the sandbox, and
// writes what became of them to docs/conformance.md.
package main

import (
	"os"

	"github.com/sandtrap-go/sandtrap/cmd/internal/conformance"
)

func main() { os.Exit(conformance.Main(os.Args[1:], os.Stdout, os.Stderr)) }
