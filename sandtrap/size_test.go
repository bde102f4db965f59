package sandtrap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A size is how large a package may be, without its tests and what is generated.
type size struct{ lines, files int }

// maxSize is that of all packages.
var maxSize = size{8000, 40}

// maxExported is how many exported names packages may have at their top level. None of these grows.
var maxExported = map[string]int{"sandtrap": 75, "builtins": 30, "rewrite": 40, "isolate/wire": 40}

// TestSizes counts lines, files and exported names. A package that is larger than it may be is split.
func TestSizes(t *testing.T) {
	have, exported := map[string]size{}, map[string]int{}
	for name := range moduleImports(t, "..") {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(name)
		if n := strings.Count(string(text), "\n"); isService(dir) && n > maxServiceFile {
			t.Errorf("%s has %d lines; the limit is %d", name, n, maxServiceFile)
		}
		exported[dir] += exportedNames(t, name, text)
		if !strings.Contains(string(text), "\n// Code generated ") && !strings.HasPrefix(string(text), "// Code generated ") {
			s := have[dir]
			have[dir] = size{s.lines + strings.Count(string(text), "\n"), s.files + 1}
		}
	}
	for dir, s := range have {
		most := maxSize
		if isService(dir) {
			most = maxServiceSize
		}
		if s.lines > most.lines || s.files > most.files {
			t.Errorf("%s has %d lines in %d files; the limits are %d and %d", dir, s.lines, s.files, most.lines, most.files)
		}
	}
	for dir, n := range maxExported {
		if exported[dir] > n {
			t.Errorf("%s exports %d names; the limit is %d", dir, exported[dir], n)
		}
		t.Logf("%s exports %d names", dir, exported[dir])
	}
}

// exportedNames counts those that a file declares at its top level.
func exportedNames(t *testing.T, name string, text []byte) (n int) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	count := func(id *ast.Ident) {
		if id.IsExported() {
			n++
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						count(id)
					}
				}
			}
		}
	}
	return n
}

// maxKindSwitches is how many functions may have a switch over four kinds of package reflect or more. It does not
// grow: who looks at a value by its kind does so through what is there.
const maxKindSwitches = 48

// TestKindSwitches counts them, in files that are written by hand.
func TestKindSwitches(t *testing.T) {
	n := 0
	for name := range moduleImports(t, "..") {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(f) {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && switchesOverKinds(fn) {
				n++
				t.Logf("%s: %s", name, fn.Name.Name)
			}
		}
	}
	if n > maxKindSwitches {
		t.Errorf("%d functions switch over four kinds or more; the limit is %d", n, maxKindSwitches)
	}
}

// switchesOverKinds reports that the cases of a switch in fn name four kinds or more.
func switchesOverKinds(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		s, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		kinds := map[string]bool{}
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if sel, ok := e.(*ast.SelectorExpr); ok && isKind(sel) {
					kinds[sel.Sel.Name] = true
				}
			}
		}
		found = found || len(kinds) >= 4
		return true
	})
	return found
}

// isKind reports reflect.Bool and kin.
func isKind(sel *ast.SelectorExpr) bool {
	pkg, ok := sel.X.(*ast.Ident)
	if !ok || pkg.Name != "reflect" {
		return false
	}
	for k := reflect.Invalid; k <= reflect.UnsafePointer; k++ {
		if strings.EqualFold(k.String(), sel.Sel.Name) {
			return true
		}
	}
	return sel.Sel.Name == "Pointer" || sel.Sel.Name == "UnsafePointer" // of which Kind.String says ptr and unsafe.Pointer
}
