package builtins

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestAddressesAlone: of package net the rows, the substitutes and the adapters name nothing that scripts do not have: they open
// no connections, and resolve no names.
func TestAddressesAlone(t *testing.T) {
	row := tableOf(t, Std("net")...).at("net")
	files := 0
	for _, dir := range []string{"internal", "../sandtrap/internal/engine/vm/call", "../sandtrap/internal/engine/vm/wrap"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, name := range namesOf(t, path, "net") {
				if m := row.row(name); m == nil || m.Deny {
					t.Errorf("%s uses net.%s", path, name)
				}
				files++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 20 {
		t.Errorf("only %d uses were found", files)
	}
}

// namesOf are the names that a file uses of a package.
func namesOf(t *testing.T, file, path string) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	local := ""
	for _, imp := range f.Imports {
		if p, _ := strconv.Unquote(imp.Path.Value); p == path {
			if local = path; imp.Name != nil {
				local = imp.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
				names = append(names, sel.Sel.Name)
			}
		}
		return true
	})
	return names
}
