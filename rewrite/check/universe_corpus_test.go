package check_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// A universe is one whose packages are the files of testdata/universe.txtar: declarations in Go with comments that say what a
// policy says about them.
//
//	//deny why          scripts do not see it; before the package clause: they cannot import the package
//	//instead name      what to use in place of what is denied or not there
//	//handle            of a type: scripts hold it behind a pointer only
//	//replaced          of a method: the gate for it does more than the method
//	//settable          of a variable: it is the run's own
//	//near name, //gone of a package: there is none of that name, but one that is alike, or nothing more to say
type universe struct {
	files       map[string]*ast.File
	fset        *token.FileSet
	packages    map[string]*types.Package
	denied      map[string]bool // paths
	known       map[string]check.Explanation
	marks       map[string]string // by path.Name or path.Type.Method
	predeclared []types.Object
}

// parsedUniverse is read once; the packages of it are shared by all cases, as those of a policy are by all scripts.
var parsedUniverse = sync.OnceValues(func() (*universe, error) {
	archive, err := txtar.ParseFile("testdata/universe.txtar")
	if err != nil {
		return nil, err
	}
	u := &universe{
		files: map[string]*ast.File{}, fset: token.NewFileSet(), packages: map[string]*types.Package{},
		denied: map[string]bool{}, known: map[string]check.Explanation{}, marks: map[string]string{},
	}
	for _, file := range archive.Files {
		path := strings.TrimSuffix(file.Name, ".go")
		f, err := parser.ParseFile(u.fset, file.Name, file.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if u.packageMarks(path, f) {
			u.files[path] = f
			u.memberMarks(path, f)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(u.files)) {
		if _, err := u.load(path); err != nil {
			return nil, err
		}
	}
	return u, nil
})

// newUniverse is the universe, with members that need no import: "host.Fetch".
func newUniverse(t *testing.T, predeclared ...string) *universe {
	t.Helper()
	shared, err := parsedUniverse()
	if err != nil {
		t.Fatal(err)
	}
	u := *shared
	for _, name := range predeclared {
		path, member, _ := strings.Cut(name, ".")
		obj := u.packages[path].Scope().Lookup(member)
		if obj == nil {
			t.Fatalf("no member %s", name)
		}
		u.predeclared = append(u.predeclared, obj)
	}
	return &u
}

// directives are the lines of a comment that are one of the above, by their words.
func directives(groups ...*ast.CommentGroup) map[string]string {
	found := map[string]string{}
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			word, rest, _ := strings.Cut(strings.TrimPrefix(c.Text, "//"), " ")
			found[word] = rest
		}
	}
	return found
}

// packageMarks reads what stands before a package clause, and reports whether there is such a package.
func (u *universe) packageMarks(path string, f *ast.File) bool {
	marks := directives(f.Doc)
	why, denied := marks["deny"]
	_, gone := marks["gone"]
	near, alike := marks["near"]
	u.denied[path] = denied
	if denied || gone || alike || marks["instead"] != "" {
		u.known[path] = check.Explanation{Exists: denied, Why: why, Instead: marks["instead"], Near: near}
	}
	return !gone && !alike && (denied || marks["instead"] == "")
}

// memberMarks reads the marks of members, and takes those out of the syntax that a policy denies.
func (u *universe) memberMarks(path string, f *ast.File) {
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = &ast.BlockStmt{} // which generic functions need
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			return u.mark(path+"."+name, directives(d.Doc))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					u.mark(path+"."+spec.Name.Name, directives(d.Doc, spec.Doc))
					u.fieldMarks(path+"."+spec.Name.Name, spec)
				case *ast.ValueSpec:
					if u.mark(path+"."+spec.Names[0].Name, directives(d.Doc, spec.Doc)) {
						return true
					}
				}
			}
		}
		return false
	})
}

func (u *universe) fieldMarks(owner string, spec *ast.TypeSpec) {
	if s, ok := spec.Type.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			if len(f.Names) == 1 && u.mark(owner+"."+f.Names[0].Name, directives(f.Doc)) {
				f.Names[0].Name = "hidden" + f.Names[0].Name
			}
		}
	}
}

// mark notes what is said about a member, and reports whether it is denied.
func (u *universe) mark(name string, marks map[string]string) bool {
	for _, word := range []string{"handle", "replaced", "settable"} {
		if _, ok := marks[word]; ok {
			u.marks[name] = word
		}
	}
	why, denied := marks["deny"]
	if denied || marks["instead"] != "" {
		u.known[name] = check.Explanation{Exists: denied, Why: why, Instead: marks["instead"]}
		u.marks[name] = "replaced"
	}
	return denied || marks["instead"] != ""
}

func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// load is any package of the universe, those too that scripts cannot import.
func (u *universe) load(path string) (*types.Package, error) {
	if pkg := u.packages[path]; pkg != nil {
		return pkg, nil
	}
	f := u.files[path]
	if f == nil {
		return nil, errors.New("no package " + path)
	}
	conf := types.Config{Importer: importerFunc(u.load), IgnoreFuncBodies: true}
	pkg, err := conf.Check(path, u.fset, []*ast.File{f}, nil)
	if err != nil {
		return nil, err
	}
	u.packages[path] = pkg
	return pkg, nil
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func (u *universe) Import(path string) (*types.Package, error) {
	if u.denied[path] || u.packages[path] == nil {
		return nil, errors.New("no package " + path)
	}
	return u.packages[path], nil
}

func (u *universe) Named(name string) []string {
	var paths []string
	for path, pkg := range u.packages {
		if pkg.Name() == name && !u.denied[path] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func (u *universe) has(mark, path, name string) bool { return u.marks[path+"."+name] == mark }

func (u *universe) Predeclared() []types.Object { return u.predeclared }
func (u *universe) Handle(t *types.TypeName) bool {
	return u.has("handle", t.Pkg().Path(), t.Name())
}
func (u *universe) Replaced(t *types.TypeName, method string) bool {
	return t.Pkg() != nil && u.has("replaced", t.Pkg().Path(), t.Name()+"."+method)
}
func (u *universe) Settable(v *types.Var) bool               { return u.has("settable", v.Pkg().Path(), v.Name()) }
func (u *universe) Standard(path string) bool                { return path != "host" }
func (u *universe) Engine(path, owner, member string) string { return "" }

func (u *universe) Explain(path, name string) check.Explanation {
	if name != "" {
		path += "." + name
	}
	return u.known[path]
}
