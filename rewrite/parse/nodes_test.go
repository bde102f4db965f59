package parse

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryNodeDecided reads go/ast's source for its node types, and wants a row for
// each, and no others.
func TestEveryNodeDecided(t *testing.T) {
	types := nodeTypes(t)
	if len(types) < 55 {
		t.Fatalf("only %d node types found in go/ast", len(types))
	}
	for name := range types {
		if nodes[name].Why == "" {
			t.Errorf("%s has no row, or no reason in it", name)
		}
	}
	for name := range nodes {
		if !types[name] {
			t.Errorf("%s has a row but is no node type", name)
		}
	}
}

// nodeTypes finds the exported types of go/ast with a method End() token.Pos.
func nodeTypes(t *testing.T) map[string]bool {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "go", "ast", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "End" {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				types["*ast."+star.X.(*ast.Ident).Name] = true
			}
		}
	}
	return types
}

func TestDirectiveRowsHaveReasons(t *testing.T) {
	for name, row := range directives {
		if row.Why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
}
