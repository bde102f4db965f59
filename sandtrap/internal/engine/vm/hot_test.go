package vm

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allowedCalls are what the compiler puts into every loop of this kind; none is on
// the way of an instruction that succeeds.
var allowedCalls = regexp.MustCompile(`^runtime\.(gcWriteBarrier\d*|wbZero|wbMove|panic\w*|goPanic\w*|morestack\w*|typeAssert)`)

// One ordinary call in the loop costs every instruction its registers.
func TestHotMakesNoCall(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "vm.test")
	build := exec.Command("go", "test", "-c", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `engine/vm\.hot$`, bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile(`\tCALL (\S+?)(\(SB\))?\s*$`)
	lines := strings.Split(string(out), "\n")
	if len(lines) < 1000 {
		t.Fatalf("the disassembly of hot has only %d lines", len(lines))
	}
	for _, line := range lines {
		m := calls.FindStringSubmatch(line)
		if m != nil && !allowedCalls.MatchString(m[1]) {
			t.Errorf("hot makes a call: %s", strings.TrimSpace(line))
		}
	}
}
