package rewrite

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

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// testPackages is a small universe: Go declarations without bodies.
var testPackages = map[string]string{
	"fmt": `package fmt
func Println(a ...any) (n int, err error)
func Printf(format string, a ...any) (n int, err error)
func Sprint(a ...any) string
func Sprintf(format string, a ...any) string
func Errorf(format string, a ...any) error
type Stringer interface{ String() string }`,
	"strings": `package strings
func ToUpper(s string) string
func Repeat(s string, n int) string
func Split(s, sep string) []string
type Builder struct { hidden int }
func (b *Builder) WriteString(s string) (int, error)
func (b *Builder) String() string`,
	"errors": `package errors
func New(text string) error
func As(err error, target any) bool
func Is(err, target error) bool`,
	"strconv": `package strconv
func Itoa(i int) string
func Atoi(s string) (int, error)`,
	"os": `package os
import "io"
var Args []string
var Stdout io.Writer
var Grid [4]int
var State Config
type Config struct { Name string; Inner Inner; Next *Inner; hidden int }
type Inner struct { N int }
func (c *Config) Set()
func (c Config) Get() int
func Exit(code int)`,
	"io": `package io
type Writer interface { Write(p []byte) (n int, err error) }
var EOF error`,
	"math":         "package math\nconst Pi = 3.14159265358979323846264338327950288419716939937510582097494459\nconst MaxUint64 = 1<<64 - 1\nfunc Sqrt(x float64) float64",
	"math/rand":    "package rand\nfunc Intn(n int) int\nfunc Int() int",
	"math/rand/v2": "package rand\nfunc IntN(n int) int\nfunc Int() int\ntype PCG struct{ hidden int }\nfunc NewPCG(a, b uint64) *PCG",
	"slices": `package slices
func Sort[S ~[]E, E interface{ ~int | ~string | ~float64 }](x S) {}
func Clone[S ~[]E, E any](s S) S {}
func Contains[S ~[]E, E comparable](s S, v E) bool {}`,
	"time": `package time
type Duration int64
type Time struct { hidden int }
const Second Duration = 1e9
const Hour Duration = 3600e9
func Now() Time
func (d Duration) Seconds() float64
func Sleep(d Duration)`,
	"host": `package host
type Point struct { X, Y int; hidden int }
type Shared struct { X int; hidden int }
func Share() *Shared
type Plain struct { X, Y int }
type Handle struct { hidden int }
func Open() *Handle
func Fetch(id int) (Plain, error)
var Limit int`,
}

// testUniverse is the Universe of the tests in this package.
type testUniverse struct {
	mu          sync.Mutex
	packages    map[string]*types.Package
	denied      map[string]check.Explanation // by path, or path.member
	predeclared []string                     // "host.Fetch"
}

func newTestUniverse() *testUniverse {
	return &testUniverse{
		packages: map[string]*types.Package{},
		denied: map[string]check.Explanation{
			"os/exec":             {Exists: true, Why: "it starts processes"},
			"net/http":            {Exists: true, Why: "it opens connections"},
			"ioutil":              {Instead: "os"},
			"stringz":             {Near: "strings"},
			"os.Getenv":           {Exists: true, Why: "it reads the host's environment"},
			"os.ReadFile":         {Exists: true, Why: "it reads the host's files", Instead: "host.Fetch"},
			"strings.Builder.Cap": {Exists: true, Why: "it shows the host's memory"},
			"host.Plain.Secret":   {Exists: true, Why: "not for scripts"},
		},
	}
}

func (u *testUniverse) Import(path string) (*types.Package, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.load(path)
}

func (u *testUniverse) load(path string) (*types.Package, error) {
	if pkg := u.packages[path]; pkg != nil {
		return pkg, nil
	}
	src, ok := testPackages[path]
	if !ok {
		return nil, errors.New("no package " + path)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	conf := types.Config{Importer: importerFunc(u.load), IgnoreFuncBodies: true}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		panic(err)
	}
	u.packages[path] = pkg
	return pkg, nil
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func (u *testUniverse) Named(name string) []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(testPackages)) {
		if strings.HasPrefix(testPackages[path], "package "+name+"\n") {
			paths = append(paths, path)
		}
	}
	return paths
}

func (u *testUniverse) Handle(t *types.TypeName) bool { return t.Name() == "Handle" }

func (u *testUniverse) Replaced(t *types.TypeName, method string) bool {
	return t.Name() == "Builder" && (method == "WriteString" || method == "Grow") // Grow is denied
}

func (u *testUniverse) Settable(v *types.Var) bool { return v.Name() == "Args" }

func (u *testUniverse) Standard(path string) bool              { return path == "strings" }
func (u *testUniverse) Engine(path, owner, name string) string { return "" }

func (u *testUniverse) Predeclared() []types.Object {
	var objs []types.Object
	for _, name := range u.predeclared {
		path, member, _ := strings.Cut(name, ".")
		pkg, err := u.Import(path)
		if err != nil {
			panic(err)
		}
		objs = append(objs, pkg.Scope().Lookup(member))
	}
	return objs
}

func (u *testUniverse) Explain(path, name string) check.Explanation {
	if name != "" {
		path += "." + name
	}
	return u.denied[path]
}

// checkSource parses and checks src.
func checkSource(t *testing.T, src string, u check.Universe, inputs ...check.Input) (*check.Checked, error) {
	t.Helper()
	p, err := parse.Parse(parse.Source{Text: src}, parse.Bounds{})
	if err != nil {
		t.Fatalf("%s\ndoes not parse: %v", src, err)
	}
	return check.Check(p, u, inputs)
}
