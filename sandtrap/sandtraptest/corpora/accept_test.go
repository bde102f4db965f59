package corpora

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

const root = "../../../"

func load(t *testing.T, dirs ...string) []sandtraptest.Case {
	t.Helper()
	var all []sandtraptest.Case
	for _, dir := range dirs {
		cases, err := sandtraptest.Load(root + dir)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cases...)
	}
	return all
}

// TestAcceptGo holds the expectations themselves against the Go toolchain.
func TestAcceptGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program with the Go toolchain")
	}
	cases := load(t, "testdata/accept", "testdata/regress", "docs/examples")
	bin := buildAll(t, cases)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(filepath.Join(bin, "p"+strconv.Itoa(i)))
			cmd.Stdin = strings.NewReader(c.Sections["stdin"])
			got, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want := c.Sections["stdout"]; string(got) != want {
				t.Errorf("go run prints\n%s\nthe file says\n%s", got, want)
			}
		})
	}
}

// buildAll builds all cases as mains of one module, which is many times faster
// than one by one, and returns the directory of the binaries.
func buildAll(t *testing.T, cases []sandtraptest.Case) string {
	t.Helper()
	dir := t.TempDir()
	rig.WriteFile(t, filepath.Join(dir, "go.mod"), "module judged\n\ngo 1.26\n")
	for i, c := range cases {
		rig.WriteFile(t, filepath.Join(dir, "p"+strconv.Itoa(i), "main.go"), c.Script)
	}
	bin := filepath.Join(dir, "bin")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin+"/", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}
