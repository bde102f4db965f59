package dryrun

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnified: patch makes the second text of the first by the differences.
func TestUnified(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	long := strings.Repeat("x\n", 2000)
	pairs := [][2]string{
		{"", "a\n"}, {"a\n", ""}, {"a", "b"}, {"a\n", "a"}, {"a", "a\n"}, {"a\nb\nc\n", "a\nc\n"}, {"\n\n\n", "\n"},
		{"1" + long, "2" + strings.ReplaceAll(long, "x", "y")}, {"1\n" + long, long + "2"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			fmt.Fprintf(&b, "%d\n", r.IntN(4))
		}
		return b.String() + strings.Repeat("end", r.IntN(2))
	}
	for range 150 {
		pairs = append(pairs, [2]string{text(), text()})
	}
	for _, p := range pairs {
		diff := unified(p[0], p[1])
		if p[0] == p[1] {
			if diff != "" {
				t.Errorf("%q: %s", p[0], diff)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(p[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("patch", "--quiet", "--fuzz=0", "--no-backup-if-mismatch", path)
		cmd.Stdin = strings.NewReader("--- f\n+++ f\n" + diff)
		out, err := cmd.CombinedOutput()
		got, _ := os.ReadFile(path) // patch removes a file that is empty
		if err != nil || string(got) != p[1] {
			t.Errorf("%v %s\nfrom %q\nto   %q\ngot  %q\n%s", err, out, p[0], p[1], got, diff)
		}
	}
}
