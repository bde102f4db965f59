package confine

import (
	"slices"
	"strings"
	"testing"
)

// dangerous are parts of names of calls that give more than memory, time and the socket.
var dangerous = []string{"open", "exec", "clone", "fork", "socket", "connect", "ptrace", "mount", "ioctl", "mprotect", "prctl", "setns", "unshare", "bpf", "io_uring", "kill", "fcntl", "dup", "send", "recv"}

// TestTable: the rows have reasons, nothing dangerous is among them, and they are few.
func TestTable(t *testing.T) {
	names := []string{}
	for _, c := range calls {
		if c.why == "" {
			t.Errorf("%s has no reason", c.name)
		}
		for _, d := range dangerous {
			if strings.Contains(c.name, d) && c.name != "tgkill" {
				t.Errorf("%s is in the table", c.name)
			}
		}
		if c.name == "tgkill" && len(c.args) != 2 {
			t.Error("tgkill reaches other processes")
		}
		names = append(names, c.name)
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n > 20 {
		t.Errorf("%d calls: more than 20", n)
	}
}

// TestNoExec: no row gives memory that can be executed.
func TestNoExec(t *testing.T) {
	for _, c := range calls {
		if c.name != "mmap" {
			continue
		}
		prot := slices.IndexFunc(c.args, func(a arg) bool { return a.index == 2 })
		if prot < 0 || c.args[prot].equal.number&^3 != 0 {
			t.Errorf("mmap with %+v", c.args)
		}
	}
}
