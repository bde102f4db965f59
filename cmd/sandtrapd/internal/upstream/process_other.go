//go:build !unix

package upstream

import "os/exec"

func group(*exec.Cmd) {}

// kill ends the program; this system has no groups of processes.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
