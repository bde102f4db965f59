package exec

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

var callInstr = regexp.MustCompile(`\tCALL (\S+?)(\(SB\))?\s*$`)

// disassembly gives the machine code of the loop, line by line.
func disassembly(t *testing.T) []string {
	bin := filepath.Join(t.TempDir(), "vm.test")
	build := exec.Command("go", "test", "-c", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `engine/vm/exec\.hot$`, bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 1000 {
		t.Fatalf("the disassembly of hot has only %d lines", len(lines))
	}
	return lines[1:]
}

// badCalls are the calls that cost every instruction its registers.
func badCalls(lines []string) []string {
	var bad []string
	for _, line := range lines {
		if m := callInstr.FindStringSubmatch(line); m != nil && !allowedCalls.MatchString(m[1]) {
			bad = append(bad, strings.TrimSpace(line))
		}
	}
	return bad
}

// maxDispatch is how many machine instructions may lie between two of the script's.
const maxDispatch = 8

// dispatch is what the machine does from the end of one instruction to the next: from
// where most jumps go to, up to the jump through the table.
func dispatch(lines []string) []string {
	ends := map[string]int{}
	target := ""
	for _, line := range lines {
		if f := strings.Fields(line); len(f) == 5 && f[3] == "JMP" && strings.HasPrefix(f[4], "0x") {
			if ends[f[4]]++; ends[f[4]] > ends[target] {
				target = f[4]
			}
		}
	}
	var path []string
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 4 || f[1] != target && path == nil || strings.HasPrefix(f[3], "NOP") {
			continue
		}
		path = append(path, strings.Join(f[3:], " "))
		if f[3] == "JMP" {
			break
		}
	}
	return path
}

// One ordinary call in the loop, or one live value too many, and every instruction
// pays for it with registers that are saved and loaded.
func TestHotKeepsItsRegisters(t *testing.T) {
	lines := disassembly(t)
	for _, call := range badCalls(lines) {
		t.Errorf("hot makes a call: %s", call)
	}
	if !strings.Contains(strings.Join(lines, "\n"), "MOVZX") {
		t.Skip("what follows knows amd64")
	}
	path := dispatch(lines)
	text := strings.Join(path, "\n")
	if len(path) > maxDispatch || strings.Contains(text, "(SP)") || !strings.Contains(text, "*8)") {
		t.Errorf("between two instructions the loop does\n%s", text)
	}
}

// What the test above looks for is found where it is.
func TestHotTestCanFail(t *testing.T) {
	lines := []string{
		"  hot.go:20\t\t0x10\t\t83c208\t\tADDL $0x8, DX\t",
		"  hot.go:21\t\t0x14\t\t83c208\t\tMOVQ DX, 0x8(SP)\t",
		"  hot.go:22\t\t0x18\t\t42ff24d1\t\tJMP 0(CX)(R10*8)\t",
		"  hot.go:25\t\t0x1c\t\te8\t\tCALL fmt.Println(SB)\t",
		"  hot.go:26\t\t0x20\t\te8\t\tCALL runtime.gcWriteBarrier2(SB)\t",
		"  hot.go:27\t\t0x24\t\tebca\t\tJMP 0x10\t",
		"  hot.go:28\t\t0x28\t\tebca\t\tJMP 0x10\t",
		"  hot.go:29\t\t0x2c\t\tebca\t\tJMP 0x30\t",
	}
	if bad := badCalls(lines); len(bad) != 1 || !strings.Contains(bad[0], "fmt.Println") {
		t.Errorf("calls found: %q", bad)
	}
	if path := strings.Join(dispatch(lines), "\n"); path != "ADDL $0x8, DX\nMOVQ DX, 0x8(SP)\nJMP 0(CX)(R10*8)" {
		t.Errorf("dispatch found:\n%s", path)
	}
}
