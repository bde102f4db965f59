package vm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// namesInMessages are members that files of the engine name for another reason than to decide
// something about a call.
var namesInMessages = map[string]string{
	"reflect.Value":             "the type as a message names it",
	"reflect.Value.SetMapIndex": "in a panic, as Go words it",
	"reflect.TypeAssert":        "in a panic, as Go words it",
	"reflect.MakeFunc":          "in a panic, as Go words it",
	"html":                      "a function of templates",
	"fmt":                       "the origin of errors whose text is all that they show",
	"sync":                      "the origin of locks, of which no host has a use",
	"errors":                    "the origin of errors whose text is all that they show",
	"io.EOF":                    "a saved session names the error",
	"io.ErrUnexpectedEOF":       "a saved session names the error",
	"io.ErrClosedPipe":          "a saved session names the error",
	"io.ErrNoProgress":          "a saved session names the error",
	"io.ErrShortBuffer":         "a saved session names the error",
	"io.ErrShortWrite":          "a saved session names the error",
	"context.Canceled":          "a saved session names the error",
	"strconv.ErrRange":          "a saved session names the error",
	"strconv.ErrSyntax":         "a saved session names the error",
	"errors.ErrUnsupported":     "a saved session names the error",
	"context.DeadlineExceeded":  "a saved session names the error",
	"time.ParseError":           "a saved session names the error's type",
	"strconv.NumError":          "a saved session names the error's type",
	"time.UTC":                  "a saved session names the value, which is compared",
	"time.Local":                "a saved session names the value, which is compared",
}

// TestNoMemberNames: no file of the engine decides by the name of a member of the library. Its row
// says what is special about it.
func TestNoMemberNames(t *testing.T) {
	table, err := builtins.NewTable(builtins.Std()...)
	if err != nil {
		t.Fatal(err)
	}
	members, paths := map[string]bool{}, map[string]bool{}
	for _, p := range table.Paths() {
		paths[p] = true
		for _, name := range membersOf(t, table, p) {
			members[p+"."+name] = true
		}
	}
	used, files := map[string]bool{}, 0
	for _, dir := range []string{".", "call", "compile", "exec", "heap", "ir", "mirror", "ops", "printer", "templates", "wrap"} {
		list, err := fs.Glob(os.DirFS(dir), "*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range list {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			files++
			at := token.NewFileSet()
			f, err := parser.ParseFile(at, path.Join(dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for name, pos := range namesIn(f) {
				if used[name] = true; namesInMessages[name] == "" && (members[name] || paths[name]) {
					t.Errorf("%s: %q is decided by its name", at.Position(pos), name)
				}
			}
		}
	}
	for name := range namesInMessages {
		if !used[name] || !members[name] && !paths[name] {
			t.Errorf("nothing names the member %q", name)
		}
	}
	if files < 100 || len(members) < 2000 {
		t.Errorf("read %d files, for the names of %d members", files, len(members))
	}
}

// namesIn are the texts in f that have a dot, and the others that are compared, cases, or keys.
func namesIn(f *ast.File) map[string]token.Pos {
	found := map[string]token.Pos{}
	note := func(dotted bool, list ...ast.Expr) {
		for _, e := range list {
			lit, ok := e.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			if s, err := strconv.Unquote(lit.Value); err == nil && (!dotted || strings.Contains(s, ".")) {
				found[s] = lit.Pos()
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			note(n.Op != token.EQL && n.Op != token.NEQ, n.X, n.Y)
		case *ast.KeyValueExpr:
			note(false, n.Key)
		case *ast.CaseClause:
			note(false, n.List...)
		case *ast.BasicLit:
			note(true, n)
		}
		return true
	})
	return found
}

// membersOf lists what scripts have of a package: "F" and "T.M".
func membersOf(t *testing.T, table *builtins.Table, path string) (list []string) {
	pkg, err := table.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pkg.Scope().Names() {
		list = append(list, name)
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(obj.Type()))
		if types.IsInterface(obj.Type()) {
			methods = types.NewMethodSet(obj.Type())
		}
		for m := range methods.Methods() {
			list = append(list, name+"."+m.Obj().Name())
		}
	}
	return list
}
