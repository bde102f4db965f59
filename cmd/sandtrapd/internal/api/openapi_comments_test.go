package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// module is the prefix of the packages whose comments are read, and root its directory.
const (
	module = "github.com/sandtrap-go/sandtrap"
	root   = "../../../.."
)

// comments are those of the source, which describe the types in the document.
type comments struct{ files map[string][]*ast.File } // by the path of a package

func newComments() *comments { return &comments{map[string][]*ast.File{}} }

// of are the files of a package without its tests.
func (c *comments) of(pkg string) []*ast.File {
	rest, ours := strings.CutPrefix(pkg, module)
	if list, ok := c.files[pkg]; ok || !ours {
		return list
	}
	dir := filepath.Join(root, rest)
	names, _ := fs.Glob(os.DirFS(dir), "*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		c.files[pkg] = append(c.files[pkg], file)
	}
	return c.files[pkg]
}

// specs calls do for each type and constant of a package.
func (c *comments) specs(pkg string, do func(*ast.GenDecl, ast.Spec)) {
	for _, file := range c.of(pkg) {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					do(g, spec)
				}
			}
		}
	}
}

// ofType is the comment of a type, as one line.
func (c *comments) ofType(t reflect.Type) (text string) {
	c.specs(t.PkgPath(), func(g *ast.GenDecl, spec ast.Spec) {
		if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Name == t.Name() {
			text = oneLine(g.Doc.Text())
		}
	})
	return text
}

// ofField is the comment of a field.
func (c *comments) ofField(t reflect.Type, f reflect.StructField) (text string) {
	c.specs(t.PkgPath(), func(_ *ast.GenDecl, spec ast.Spec) {
		ts, ok := spec.(*ast.TypeSpec)
		if !ok || ts.Name.Name != t.Name() {
			return
		}
		st, ok := ts.Type.(*ast.StructType)
		if !ok {
			return
		}
		for _, field := range st.Fields.List {
			for _, name := range field.Names {
				if name.Name == f.Name {
					text = oneLine(field.Doc.Text() + field.Comment.Text())
				}
			}
		}
	})
	return text
}

// A constant is one of a string type.
type constant struct{ value, about string }

// constants are those of a type, in its own package and in that of runs.
func (c *comments) constants(t reflect.Type) (list []constant) {
	if t.PkgPath() == "" {
		return nil
	}
	for _, pkg := range []string{t.PkgPath(), module + "/cmd/sandtrapd/internal/runs"} {
		names := []string{t.Name()}
		if pkg != t.PkgPath() {
			names = []string{filepath.Base(t.PkgPath()) + "." + t.Name()}
		} else if len(list) > 0 {
			break
		}
		c.specs(pkg, func(_ *ast.GenDecl, spec ast.Spec) {
			vs, ok := spec.(*ast.ValueSpec)
			if !ok || vs.Type == nil || typeText(vs.Type) != names[0] {
				return
			}
			for _, v := range vs.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					value, _ := strconv.Unquote(lit.Value)
					list = append(list, constant{value, oneLine(vs.Comment.Text())})
				}
			}
		})
	}
	return list
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	}
	return ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
