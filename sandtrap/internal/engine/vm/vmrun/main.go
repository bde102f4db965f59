// Command vmrun runs Go files on the vm, and with -set the conformance programs
// of a Go tree.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/traefik/yaegi/stdlib"
	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm"
)

// hosts offers the standard library for experiments.
type hosts struct{ types map[string]reflect.Type }

func newHosts() *hosts {
	h := &hosts{types: map[string]reflect.Type{}}
	for key, syms := range stdlib.Symbols {
		i := strings.LastIndex(key, "/")
		if i < 0 {
			continue
		}
		path := key[:i]
		for name, v := range syms {
			if v.Kind() == reflect.Pointer && v.IsNil() && !strings.HasPrefix(name, "_") {
				h.types[path+"."+name] = v.Type().Elem()
			}
		}
	}
	return h
}

func (h *hosts) Types() map[string]reflect.Type { return h.types }

func lookup(path, name string) (reflect.Value, bool) {
	base := path[strings.LastIndex(path, "/")+1:]
	v, ok := stdlib.Symbols[path+"/"+base][name]
	return v, ok
}

func (h *hosts) Global(path, name string) (reflect.Value, bool) { return lookup(path, name) }

func (h *hosts) Func(name string) (reflect.Value, bool) {
	if !strings.HasPrefix(name, "(") {
		i := strings.LastIndex(name, ".")
		return lookup(name[:i], name[i+1:])
	}
	recv, method, _ := strings.Cut(name[1:], ").")
	rt, ok := h.types[strings.TrimPrefix(recv, "*")]
	if !ok {
		return reflect.Value{}, false
	}
	if strings.HasPrefix(recv, "*") {
		rt = reflect.PointerTo(rt)
	}
	m, ok := rt.MethodByName(method)
	return m.Func, ok
}

var (
	fset  = token.NewFileSet()
	imp   = importer.ForCompiler(fset, "gc", nil)
	table = newHosts()
)

// args gives the words of the line "// run" of a program.
func args(file string) []string {
	data, _ := os.ReadFile(file)
	line, _, _ := strings.Cut(string(data), "\n")
	words := []string{file}
	for _, w := range strings.Fields(strings.TrimPrefix(line, "// run")) {
		if !strings.HasPrefix(w, "-") {
			words = append(words, w)
		}
	}
	return words
}

// load compiles one program.
func load(file string) (*vm.Program, error) {
	var files []*ast.File
	for i, name := range args(file) {
		if i > 0 {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			name = filepath.Join(filepath.Dir(file), name)
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imp, GoVersion: "go1.26"}
	pkg, err := conf.Check("main", fset, files, info)
	if err != nil {
		return nil, err
	}
	prog := ssa.NewProgram(fset, ssa.InstantiateGenerics)
	seen := map[*types.Package]bool{}
	var add func(ps []*types.Package)
	add = func(ps []*types.Package) {
		for _, p := range ps {
			if !seen[p] {
				seen[p] = true
				prog.CreatePackage(p, nil, nil, true)
				add(p.Imports())
			}
		}
	}
	add(pkg.Imports())
	main := prog.CreatePackage(pkg, files, info, false)
	main.Build()
	return vm.Compile(main, table, func(p *types.Package) bool { return p == pkg })
}

// run gives the combined output, and what went wrong.
func run(file string) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("crash: %v", r)
		}
	}()
	p, err := load(file)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	res := p.Exec(&out, &out, vm.Limits{Deadline: time.Now().Add(60 * time.Second), Depth: 1 << 20})
	if res.Fault != nil {
		return out.String(), fmt.Errorf("fault: %w", res.Fault)
	}
	if res.Panic != "" {
		out.WriteString(res.Panic)
	}
	if res.Exit != 0 {
		return out.String(), fmt.Errorf("exit %d: %s", res.Exit, res.Panic)
	}
	return out.String(), nil
}

func main() {
	set := flag.String("set", "", "file with the list of programs")
	root := flag.String("root", "", "directory of the list")
	from := flag.Int("from", 0, "first to run")
	dump := flag.String("dump", "", "function to show")
	flag.Parse()
	if *set == "" {
		for _, f := range flag.Args() {
			p, err := load(f)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			if *dump != "" {
				p.Dump(os.Stdout, *dump)
				return
			}
			start := time.Now()
			res := p.Exec(os.Stdout, os.Stderr, vm.Limits{})
			fmt.Fprintln(os.Stderr, res.Panic, res.Fault, res.Exit, time.Since(start))
		}
		return
	}
	data, err := os.ReadFile(*set)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	good := 0
	names := strings.Fields(string(data))
	for i, n := range names {
		if i < *from {
			continue
		}
		fmt.Printf("%d %s: ", i, n)
		os.Stdout.Sync()
		file := filepath.Join(*root, n)
		os.Args = args(file)
		want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		dog := time.AfterFunc(70*time.Second, func() {
			fmt.Println("FAIL hangs")
			os.Exit(3)
		})
		got, err := run(file)
		dog.Stop()
		switch {
		case err != nil:
			fmt.Printf("FAIL %.600v\n", strings.ReplaceAll(err.Error(), "\n", " | "))
		case got != string(want):
			fmt.Printf("FAIL output differs: %.300q\n", got)
		default:
			good++
			fmt.Println("ok")
		}
	}
	fmt.Printf("total %d of %d\n", good, len(names))
}
