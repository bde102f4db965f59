package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const parts = `What makes it: Go's tables of functions, with their names, take nearly as much room as the code, so many small functions
weigh more than few large ones.

- The standard library that scripts have: its methods are called by reflection, so the linker keeps all of each type.
- net/http, with TLS and certificates, 0.85 MB: github.com/spf13/afero imports it for a file system that nobody here
  uses, and a program that imports a package has what this makes when it starts.
- Types that show values of scripts to the host with just the methods that these have, 0.6 MB: Go makes no types with
  methods while it runs, so there is one for each set of methods that is of use.
`

// sized is how large the smallest host is, with what makes it so.
func sized() (string, error) {
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "host")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./testdata/size")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\n## Size of a host's program\n\nOne that imports package sandtrap and runs a script, built with `-trimpath "+
		"-ldflags='-s -w'`: %.1f MB; 21 MB are wanted.\n%s", float64(info.Size())/1e6, parts), nil
}
