package sandtrap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// costly are functions that a variable of a package must not call before main: each worker is a
// process of its own, so it would pay for them again, whether its script needs them or not.
var costly = []string{"regexp.MustCompile", "regexp.MustCompilePOSIX", "template.Must", "htmltemplate.Must"}

// neverWorks are packages that no program of a host links.
var neverWorks = []string{"sandtrap/sandtraptest", "sandtrap/sandtraptest/internal/rig", "cmd/conformance", "cmd/internal/conformance"}

// TestNothingIsCompiledBeforeMain reads the variables of every package that a worker may link.
func TestNothingIsCompiledBeforeMain(t *testing.T) {
	read := 0
	for name := range moduleImports(t, "..") {
		if slices.Contains(neverWorks, filepath.Dir(name)) {
			continue
		}
		read++
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join("..", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range callsBeforeMain(f) {
			t.Errorf("%s calls %s before main: have a sync.OnceValue do it", name, call)
		}
	}
	if read < 100 {
		t.Fatalf("read only %d files: the test does not read the module", read)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; var a, b = f(func() { regexp.MustCompile(c) }), [](*regexp.Regexp){regexp.MustCompile(d)}", 0)
	if err != nil || len(callsBeforeMain(f)) != 1 {
		t.Errorf("found %v in a file with one such call, %v", callsBeforeMain(f), err)
	}
}

// callsBeforeMain are the costly calls in the values of package variables, those in function
// literals apart.
func callsBeforeMain(f *ast.File) []string {
	found := []string{}
	for _, d := range f.Decls {
		if _, ok := d.(*ast.FuncDecl); ok {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if name := calledName(n.Fun); slices.Contains(costly, name) {
					found = append(found, name)
				}
			}
			return true
		})
	}
	return found
}

func calledName(fun ast.Expr) string {
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			return pkg.Name + "." + sel.Sel.Name
		}
	}
	return ""
}
