package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const parts = `The linker keeps tables of functions, with their names, that take nearly as much room as the code, so many small functions
weigh more than few large ones. The larger parts are:

- The standard library that scripts have: its methods are called by reflection, so the linker keeps all methods of each
  type in the program, 2.3 MB: a linker changed to drop what no code names makes 21.0 MB, without most of what scripts call.
- Package image and those below it, 0.57 MB, of which 0.1 MB are adapters that call their functions without reflection.
- net/http, with TLS and certificates, 0.85 MB: github.com/spf13/afero imports it for a file system that nothing here
  uses, and the linker keeps what packages initialise.
- Types that show values of scripts to the host, each with one set of methods, 0.6 MB: Go makes no types with
  methods at run time, so there is one for each set that is of use.
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
		"-ldflags='-s -w'`: %.1f MB; the goal is 21 MB.\n%s", float64(info.Size())/1e6, parts), nil
}
