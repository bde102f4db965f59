package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
)

// driver runs the function run whenever it reads a line. The host of Python is C:
// add is a function written in C.
const driver = `
import sys, time
from operator import add
from math import sqrt
env = {"add": add, "sqrt": sqrt}
exec(compile(sys.argv[1], "task", "exec"), env)
run = env["run"]
for line in sys.stdin:
    start = time.process_time_ns()
    n = run()
    took = time.process_time_ns() - start
    print(n, took, flush=True)
`

// python starts one process for a task and takes the times that it measures
// itself. A machine without python3 has no such column.
func python(t tasks.Task) (runner, error) {
	path, err := exec.LookPath("python3")
	if err != nil {
		return nil, nil
	}
	cmd := exec.Command(path, "-c", driver, source(t, ".py"))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	errs := &strings.Builder{}
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil { // it ends when its input does, with us
		return nil, err
	}
	lines := bufio.NewReader(out)
	return func() (n int64, took time.Duration, err error) {
		if _, err := fmt.Fprintln(in); err != nil {
			return 0, 0, err
		}
		if _, err := fmt.Fscan(lines, &n, &took); err != nil {
			return 0, 0, fmt.Errorf("%w: %s", err, errs)
		}
		return n, took, nil
	}, nil
}

// pythonVersion is what the machine has, or nothing.
func pythonVersion() string {
	text, err := exec.Command("python3", "-c", "import platform; print(platform.python_version())").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
