package sandtrap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples: each exported type of the packages that hosts use most has an example.
func TestExamples(t *testing.T) {
	for _, dir := range []string{".", "toolschema"} {
		types, examples := map[string]bool{}, map[string]bool{}
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) < 2 {
			t.Fatal(dir, files, err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && strings.HasSuffix(file, "_test.go") {
					name, _, _ := strings.Cut(strings.TrimPrefix(f.Name.Name, "Example"), "_")
					examples[name] = strings.HasPrefix(f.Name.Name, "Example") || examples[name]
				}
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && !strings.HasSuffix(file, "_test.go") {
					for _, spec := range g.Specs {
						types[spec.(*ast.TypeSpec).Name.Name] = true
					}
				}
			}
		}
		for name := range types {
			if ast.IsExported(name) && !examples[name] {
				t.Errorf("%s: %s has no example", dir, name)
			}
		}
	}
}
