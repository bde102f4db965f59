package parse

import (
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// Go's own test programs that are made to run must pass, apart from those that
// hold what a sandbox refuses by design.
func TestParseGoTests(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "test")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this Go installation has no test directory")
	}
	byDesign := map[diag.Code]bool{diag.BadImport: true, diag.BadDirective: true, diag.NoBody: true, diag.TooLarge: true, diag.TooDeep: true}
	passed := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) != "// run" {
			return nil
		}
		_, err = Parse(Source{Name: "x.go", Text: string(text)}, Bounds{})
		var rs diag.Rejections
		if errors.As(err, &rs) && !byDesign[rs[0].Code] {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		if err == nil {
			passed++
		} else {
			t.Logf("%s: %v", filepath.Base(path), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if passed < 900 {
		t.Errorf("%d programs parse, want 900", passed)
	}
}
