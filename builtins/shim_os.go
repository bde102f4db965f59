package builtins

import "github.com/sandtrap-go/sandtrap/vfs"

func osStdin(e *Env) *vfs.File  { return e.std().in }
func osStdout(e *Env) *vfs.File { return e.std().out }
func osStderr(e *Env) *vfs.File { return e.std().err }

func osArgs(e *Env) *[]string {
	if len(e.Args) == 0 {
		e.Args = []string{"main"}
	}
	return &e.Args
}

// program is the name by which the run was called.
func (e *Env) program() string { return (*osArgs(e))[0] }

func osExit(e *Env) func(int) {
	return func(code int) {
		if e.Gates != nil {
			e.Gates.Exit(code)
		}
		panic(runtimeError("os.Exit"))
	}
}
