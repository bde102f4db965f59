package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// The programs of testdata/run print with println alone, so that lowered ones need the fixed gates
// only. Section out is what the program prints when Go compiles it.

// runTopics are the archives of testdata/run, by topic.
func runTopics(t *testing.T) map[string]*txtar.Archive {
	paths, err := filepath.Glob("testdata/run/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs, error %v", err)
	}
	topics := map[string]*txtar.Archive{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		topics[strings.TrimSuffix(filepath.Base(path), ".txtar")] = a
	}
	return topics
}

// lowerPlain lowers a program that imports nothing.
func lowerPlain(t *testing.T, src string) *Program {
	t.Helper()
	p, err := Compile(parse.Source{Text: src}, parse.Bounds{}, newTestUniverse(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLoweredRuns builds what each program is lowered to with go/ssa, as engines do, and wants it to do what
// Go's compiler makes of the program.
func TestLoweredRuns(t *testing.T) {
	for topic, a := range runTopics(t) {
		t.Run(topic, func(t *testing.T) {
			p := lowerPlain(t, fileOf(a, "main.go"))
			if err := recheck(p); err != nil {
				t.Error(err)
			}
			if err := buildSSA(p); err != nil {
				t.Error(err)
			}
			if got, want := interpret(t, p.Text()), fileOf(a, "out"); got != want {
				t.Errorf("%s\nlowered:\n%s", firstDifference(got, want), p.Text())
			}
		})
	}
}

// TestLoweredCompiles compiles each program, and what it is lowered to, and wants both to print what the
// archive says. With -update the archives say what the compiled programs print.
func TestLoweredCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	topics, sources := runTopics(t), map[string]string{}
	for topic, a := range topics {
		sources[topic] = fileOf(a, "main.go")
		sources["lowered_"+topic] = lowerPlain(t, sources[topic]).Text()
	}
	printed := compiled(t, sources)
	for topic, a := range topics {
		if *update {
			setFile(a, "out", printed[topic])
			if err := os.WriteFile(filepath.Join("testdata/run", topic+".txtar"), txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{topic, "lowered_" + topic} {
			if got, want := printed[name], fileOf(a, "out"); got != want {
				t.Errorf("%s: %s", name, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d; the last are %q and %q", len(g), len(w), g[len(g)-1], w[len(w)-1])
}

// openGates is a gate package that stops nothing.
const openGates = `package gate

func Tick()                  {}
func Recover(v any) any      { return v }
func Echo(id int, v ...any)  {}
`

// runtimeSource has the type that interp makes errors of.
const runtimeSource = `package runtime

type errorString string

func (e errorString) RuntimeError() {}
func (e errorString) Error() string { return string(e) }
`

// interpret runs a lowered program in the interpreter of go/ssa.
func interpret(t *testing.T, text string) string {
	t.Helper()
	b := ssaBuilder{prog: ssa.NewProgram(token.NewFileSet(), ssa.SanityCheckFunctions|ssa.InstantiateGenerics), made: map[string]*types.Package{}}
	b.add(t, "runtime", runtimeSource)
	b.add(t, abi.Path, openGates)
	main := b.add(t, "main", text)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer func(stderr *os.File) { os.Stderr = stderr }(os.Stderr)
	os.Stderr = out
	if code := interp.Interpret(main, 0, types.SizesFor("gc", "amd64"), "main", nil); code != 0 {
		t.Errorf("interp ended with code %d", code)
	}
	printed, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(printed)
}

// An ssaBuilder builds packages from source, each of which may import those before it.
type ssaBuilder struct {
	prog *ssa.Program
	made map[string]*types.Package
}

func (b ssaBuilder) Import(path string) (*types.Package, error) {
	if p := b.made[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

func (b ssaBuilder) add(t *testing.T, path, text string) *ssa.Package {
	t.Helper()
	file, err := parser.ParseFile(b.prog.Fset, path+".go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: b}
	pkg, err := conf.Check(path, b.prog.Fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	b.made[path] = pkg
	made := b.prog.CreatePackage(pkg, []*ast.File{file}, info, true)
	made.Build()
	return made
}

// compiled builds all programs into one, as packages with a function Main, and returns what each prints, that of its
// initial values first. Marks in the output tell which is whose.
func compiled(t *testing.T, sources map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module sandtrap\n\ngo 1.26\n")
	writeFile(t, dir, "gate/gate.go", openGates)
	var imports, calls strings.Builder
	for topic, text := range sources {
		text = strings.Replace(strings.Replace(text, "package main\n", "package "+topic+"\n", 1), "\nfunc main() {", "\nfunc Main() {", 1)
		writeFile(t, dir, topic+"/main.go", text)
		writeFile(t, dir, topic+"/a.go", "package "+topic+"\n\nvar _ = mark()\n\nfunc mark() int { println(\"### "+topic+"\"); return 0 }\n")
		fmt.Fprintf(&imports, "import %q\n", "sandtrap/"+topic)
		fmt.Fprintf(&calls, "\tprintln(\"### %s\")\n\t%s.Main()\n", topic, topic)
	}
	writeFile(t, dir, "main.go", "package main\n\n"+imports.String()+"\nfunc main() {\n"+calls.String()+"}\n")
	// What is read before a call that the compiler inlines depends on how much it inlines.
	build := exec.Command("go", "build", "-gcflags=sandtrap/...=-l", "-o", "all", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "all")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed := map[string]string{}
	for _, part := range strings.Split(string(out), "### ")[1:] {
		topic, text, _ := strings.Cut(part, "\n")
		printed[topic] += text
	}
	return printed
}
