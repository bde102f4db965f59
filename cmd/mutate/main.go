// Command mutate switches off one defence of the sandbox after another and wants a test to
// fail for each; docs/defences.md lists them.
//
// It may not hold a row: they are in cmd/internal/mutate.
package main

import (
	"os"

	"github.com/sandtrap-go/sandtrap/cmd/internal/mutate"
)

func main() { os.Exit(mutate.Main(os.Args[1:], os.Stdout, os.Stderr)) }
