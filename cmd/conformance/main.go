// Command conformance runs test programs that are not ours in the sandbox, and
// writes what became of them to docs/conformance.md.
//
// It may not hold anything but its flags: the work is in cmd/internal/conformance.
package main

import (
	"os"

	"github.com/sandtrap-go/sandtrap/cmd/internal/conformance"
)

func main() { os.Exit(conformance.Main(os.Args[1:], os.Stdout, os.Stderr)) }
