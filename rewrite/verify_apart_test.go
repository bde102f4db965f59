package rewrite_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerifyIsApart: the second reader uses no code of the lowering, so that a mistake of
// one is not a mistake of both. What it may use of this package is in the files listed.
func TestVerifyIsApart(t *testing.T) {
	shared := map[string]string{
		"verify.go":  "",
		"program.go": "what a program is",
	}
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	pkg, _ := conf.Check("rewrite", fset, files, info)
	used, seen := 0, map[string]bool{}
	for id, obj := range info.Uses {
		if fset.Position(id.Pos()).Filename != "verify.go" || obj.Pkg() != pkg {
			continue
		}
		used++
		from := fset.Position(obj.Pos()).Filename
		if _, ok := shared[from]; !ok {
			t.Errorf("%s: uses %s of %s", fset.Position(id.Pos()), id.Name, from)
		}
		seen[from] = true
	}
	if used < 100 {
		t.Errorf("only %d uses seen", used)
	}
	for file := range shared {
		if !seen[file] {
			t.Errorf("nothing of %s is used", file)
		}
	}
}

// emptyPackages imports packages without their members: only the names of this one count.
type emptyPackages struct{}

func (emptyPackages) Import(p string) (*types.Package, error) {
	pkg := types.NewPackage(p, path.Base(p))
	pkg.MarkComplete()
	return pkg, nil
}
