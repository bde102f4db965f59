package rewrite

import (
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestTextCompiles gives the printed programs, with stubs of the gate package and
// the mirrors written as Go source, to the compiler.
func TestTextCompiles(t *testing.T) {
	module := t.TempDir()
	writeFile(t, module, "go.mod", "module sandtrap\n\ngo 1.26\n")
	found, built := 0, 0
	for name, p := range programsToBuild(t) {
		gate := gateSource(p)
		if found++; testing.Short() && found%16 != 0 {
			continue
		}
		if hidden := hiddenType.FindString(gate); hidden != "" {
			t.Logf("%s: the type %s has no name that the stub could write", name, hidden)
			continue
		}
		built++
		dir := filepath.Join(module, name)
		// A package of its own for each, so that one command compiles them all.
		own := strings.ReplaceAll(p.Text(), `"`+abi.Path, `"sandtrap/`+name+"/gate")
		writeFile(t, dir, "main.go", strings.Replace(own, "package main", "package script", 1))
		writeFile(t, dir, "gate/gate.go", gate)
		for _, m := range p.Mirrors() {
			writeFile(t, dir, "gate/"+m.Path+"/mirror.go", mirrorSource(p, m))
		}
	}
	if built < 50 && !testing.Short() || built == 0 {
		t.Fatalf("only %d programs to build", built)
	}
	cmd := exec.Command("go", "build", "-gcflags=-e", "./...")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// hiddenType matches a type that its package does not export.
var hiddenType = regexp.MustCompile(`\bp[0-9]+\.[a-z]\w*`)

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// programsToBuild are those of the golden files, of testdata/accept and
// a few generated ones.
func programsToBuild(t *testing.T) map[string]*Program {
	t.Helper()
	programs := map[string]*Program{}
	u := newCurated(t)
	compile := func(name, src string) {
		p, err := Compile(parse.Source{Text: src}, parse.Bounds{}, u, fuzzInputs)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		programs[name] = p
	}
	for _, dir := range []string{"lower", "accept"} {
		paths, err := filepath.Glob("../testdata/" + dir + "/*.txtar")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no programs in %s: %v", dir, err)
		}
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := dir + "_" + strings.TrimSuffix(filepath.Base(path), ".txtar")
			if dir == "lower" {
				programs[name] = lower(t, fileOf(a, "input.go"))
				continue
			}
			compile(name, string(a.Files[0].Data))
		}
	}
	for i := range 20 {
		compile(fmt.Sprintf("generated_%d", i), generateInto("", randomFeed(i)))
	}
	return programs
}

// gateSource writes the gates that p can call.
func gateSource(p *Program) string {
	q := newImports(p.Main().Package)
	var b strings.Builder
	for _, g := range abi.Table {
		fmt.Fprintf(&b, "func %s%s { panic(0) }\n", g.Name, strings.TrimPrefix(g.Signature, "func"))
	}
	for _, bind := range p.Bindings() {
		if bind.Kind == abi.BindConst || bind.Kind == abi.BindType {
			continue
		}
		sig := types.TypeString(stubSignature(p, bind), q.name)
		fmt.Fprintf(&b, "func %s%s { panic(0) }\n", abi.Binding(bind.Index), strings.TrimPrefix(sig, "func"))
	}
	return "package gate\n\n" + q.clause() + b.String()
}

// mirrorSource declares the types of one mirror.
func mirrorSource(p *Program, m Mirror) string {
	q := newImports(p.Main().Package)
	var b strings.Builder
	seen := map[string]bool{}
	for _, bind := range p.Bindings() {
		if bind.Kind != abi.BindType || bind.Path != m.Path || seen[bind.Name] {
			continue
		}
		seen[bind.Name] = true
		obj := bind.Object.(*types.TypeName)
		named, ok := obj.Type().(*types.Named)
		if !ok || named.TypeParams().Len() == 0 {
			fmt.Fprintf(&b, "type %s = %s.%[1]s\n", obj.Name(), q.name(obj.Pkg()))
			continue
		}
		var params, args []string
		for tp := range named.TypeParams().TypeParams() {
			params = append(params, tp.Obj().Name()+" "+types.TypeString(tp.Constraint(), q.name))
			args = append(args, tp.Obj().Name())
		}
		fmt.Fprintf(&b, "type %s[%s] = %s.%[1]s[%[4]s]\n", obj.Name(), strings.Join(params, ", "), q.name(obj.Pkg()), strings.Join(args, ", "))
	}
	return "package mirror\n\n" + q.clause() + b.String()
}

// imports names packages as their types are written.
type imports struct {
	script *types.Package
	names  map[string]string // by path
}

func newImports(script *types.Package) *imports {
	return &imports{script, map[string]string{}}
}

func (q *imports) name(pkg *types.Package) string {
	if pkg == q.script {
		return "script_types_have_no_name_here"
	}
	if q.names[pkg.Path()] == "" {
		q.names[pkg.Path()] = fmt.Sprintf("p%d", len(q.names))
	}
	return q.names[pkg.Path()]
}

func (q *imports) clause() string {
	var b strings.Builder
	for path, name := range q.names {
		fmt.Fprintf(&b, "import %s %q\n", name, path)
	}
	return b.String()
}
