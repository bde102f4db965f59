package cli

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func TestMain(m *testing.M) {
	worker.Init()
	testscript.Main(m, map[string]func(){
		"sandtrap": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"asker":    askerMain,
	})
}

// TestScripts drives the command as a shell would.
func TestScripts(t *testing.T) {
	commands := networkCommands()
	commands["code"] = code
	testscript.Run(t, testscript.Params{
		Dir:  "../../../testdata/script",
		Cmds: commands,
		// kernel holds where isolation kernel can be had: elsewhere what it does is not asked.
		Condition: func(cond string) (bool, error) {
			if cond != "kernel" {
				return false, fmt.Errorf("no condition %q", cond)
			}
			required := os.Getenv("SANDTRAP_KERNEL_TESTS") == "required"
			return required || !machine.Raced && machine.Confinement() == "", nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// code runs the command and wants the exit code named first: code 3 run x.go.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: code n args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("sandtrap", args[1:]...)
	got := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
