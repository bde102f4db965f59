package sandtraptest

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestStartsLight: the program of these tests, which is each of their workers, makes next to nothing before it begins. There are
// thousands of workers.
func TestStartsLight(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const here, most = "init github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest @", 256 << 10
	_, line, ok := strings.Cut(string(out), here)
	line, _, _ = strings.Cut(line, "\n")
	fields := strings.Fields(line) // 1.2 ms, 0.3 ms clock, 4096 bytes, 17 allocs
	if !ok || len(fields) < 7 || fields[6] != "bytes," {
		t.Fatalf("no initialisation of the package in\n%s", out)
	}
	if n, err := strconv.Atoi(fields[5]); err != nil || n > most {
		t.Errorf("the variables of the package have %s bytes when it begins, want %d at most: %s", fields[5], most, line)
	}
}
