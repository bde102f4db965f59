package os

import (
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/vfs"
)

func OsStdin(e *shim.Env) *vfs.File  { return e.StdStreams().In }
func OsStdout(e *shim.Env) *vfs.File { return e.StdStreams().Out }
func OsStderr(e *shim.Env) *vfs.File { return e.StdStreams().Err }

func OsArgs(e *shim.Env) *[]string {
	if len(e.Args) == 0 {
		e.Args = []string{"main"}
	}
	return &e.Args
}

// Program is the name by which the run was called.
func Program(e *shim.Env) string { return (*OsArgs(e))[0] }

func OsExit(e *shim.Env) func(int) {
	return func(code int) {
		if e.Gates != nil {
			e.Gates.Exit(code)
		}
		panic(shim.RuntimeError("os.Exit"))
	}
}
