package rewrite

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestLowerToolchainPrograms lowers the toolchain's own test programs and wants
// each result to type-check again with the same types, and to build as SSA.
func TestLowerToolchainPrograms(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "test")
	var runs, lowered, refused int
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(string(src), "// run\n") || usesHostInternals(string(src)) {
			return nil
		}
		if runs++; testing.Short() && runs%4 != 0 {
			return nil
		}
		parsed, err := parse.Parse(parse.Source{Name: "script.go", Text: string(src)}, parse.Bounds{})
		if err != nil {
			return nil
		}
		toolchainUniverse.load(string(src))
		checked, err := check.Check(parsed, toolchainUniverse, nil)
		if err != nil {
			refused++
			return nil
		}
		name, _ := filepath.Rel(root, path)
		p, err := Lower(checked)
		if err != nil {
			t.Errorf("%s: Lower: %v", name, err)
			return nil
		}
		lowered++
		if err := recheck(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := buildSSA(p); err != nil && plainSSA(string(src)) == nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := 600
	if testing.Short() {
		want /= 4
	}
	if lowered < want {
		t.Errorf("lowered %d programs, want at least %d", lowered, want)
	}
	t.Logf("lowered %d, refused by Check %d", lowered, refused)
}

// usesHostInternals reports whether a program imports what no sandbox has.
func usesHostInternals(src string) bool {
	for _, path := range []string{"unsafe", "runtime", "runtime/debug", "reflect", "syscall", "os/exec", "C", "net", "net/http"} {
		if strings.Contains(src, `"`+path+`"`) {
			return true
		}
	}
	return false
}
