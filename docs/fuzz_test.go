package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryFuzzTargetIsBuilt: what ClusterFuzzLite builds is each fuzz target of the module.
func TestEveryFuzzTargetIsBuilt(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the script is one of bash: ", err)
	}
	list := exec.Command(bash, ".clusterfuzzlite/build.sh", "list")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var built []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("%q", line)
		}
		built = append(built, fields[0]+" "+fields[1])
	}
	want := fuzzTargets(t)
	slices.Sort(built)
	slices.Sort(want)
	if len(want) < 5 || !slices.Equal(built, want) {
		t.Errorf("built are\n%q, the tree has\n%q", built, want)
	}
}

// fuzzTargets are those of the module: directory and function.
func fuzzTargets(t *testing.T) (found []string) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				dir, _ := filepath.Rel("..", filepath.Dir(path))
				found = append(found, filepath.ToSlash(dir)+" "+fn.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
