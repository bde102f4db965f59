package yaegi

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/traefik/yaegi/stdlib"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
)

// The front here is a small stand-in for the rewriter: it lets the tests of this
// package start from plain Go, with the whole standard library, and with no
// policy between.
type front struct {
	fset     *token.FileSet
	info     *types.Info
	bindings []rewrite.Binding
	mirrors  map[string]string
	index    map[string]int
	values   []reflect.Value
	types    []reflect.Type
	stdout   *bytes.Buffer
}

var errFront = errors.New("the stand-in for the rewriter cannot do it")

var hostImporter = sync.OnceValue(func() *lockedImporter { return &lockedImporter{imp: importer.Default()} })

type lockedImporter struct {
	mu  sync.Mutex
	imp types.Importer
}

func (l *lockedImporter) Import(path string) (*types.Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.imp.Import(path)
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
}

// lowered makes a unit out of plain Go.
func lowered(src string) (*unit, *front, error) {
	f := &front{fset: token.NewFileSet(), info: newInfo(), mirrors: map[string]string{}, index: map[string]int{}, stdout: &bytes.Buffer{}}
	file, err := parser.ParseFile(f.fset, "script.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	conf := types.Config{Importer: hostImporter(), GoVersion: "go1.26"}
	if _, err := conf.Check("main", f.fset, []*ast.File{file}, f.info); err != nil {
		return nil, nil, err
	}
	if err := f.lower(file); err != nil {
		return nil, nil, err
	}
	info := newInfo()
	conf = types.Config{Importer: f, GoVersion: "go1.26"}
	pkg, err := conf.Check("main", f.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errFront, err)
	}
	u := &unit{fset: f.fset, files: []*ast.File{file}, info: info, pkg: pkg, bindings: f.bindings, name: "script.go"}
	for path, name := range f.mirrors {
		u.mirrors = append(u.mirrors, rewrite.Mirror{Path: path, Name: name})
	}
	return u, f, nil
}

func (f *front) lower(file *ast.File) (err error) {
	tick := func() ast.Stmt {
		return &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent(abi.Name), Sel: ast.NewIdent(abi.Tick)}}}
	}
	first := func(b *ast.BlockStmt) {
		if b != nil {
			b.List = append([]ast.Stmt{tick()}, b.List...)
		}
	}
	astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			first(n.Body)
		case *ast.FuncLit:
			first(n.Body)
		case *ast.ForStmt:
			first(n.Body)
		case *ast.RangeStmt:
			first(n.Body)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				if c.Index() < 0 {
					err = errFront
					return false
				}
				c.InsertBefore(tick())
			}
		case *ast.CallExpr:
			f.call(c, n)
		case *ast.SelectorExpr:
			if e := f.selector(n); e != nil {
				c.Replace(e)
			}
		}
		return true
	})
	var decls []ast.Decl
	imports := &ast.GenDecl{Tok: token.IMPORT, Lparen: 1}
	add := func(name, path string) {
		imports.Specs = append(imports.Specs, &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}})
	}
	add(abi.Name, abi.Path)
	for path, name := range f.mirrors {
		add(name, abi.MirrorPath(path))
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			decls = append(decls, d)
		}
	}
	file.Decls = append([]ast.Decl{imports}, decls...)
	return err
}

func (f *front) call(c *astutil.Cursor, n *ast.CallExpr) {
	id, ok := n.Fun.(*ast.Ident)
	if ok && id.Name == "recover" {
		if _, ok := f.info.Uses[id].(*types.Builtin); ok {
			if _, ok := c.Parent().(*ast.DeferStmt); !ok {
				c.Replace(&ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent(abi.Name), Sel: ast.NewIdent(abi.Recover)}, Args: []ast.Expr{n}})
			}
		}
	}
}

// selector is what a selector of a host package becomes, nil if it stays.
func (f *front) selector(n *ast.SelectorExpr) ast.Expr {
	id, ok := n.X.(*ast.Ident)
	if !ok {
		return nil
	}
	p, ok := f.info.Uses[id].(*types.PkgName)
	if !ok {
		return nil
	}
	path := p.Imported().Path()
	sym := stdlib.Symbols[path+"/"+p.Imported().Name()][n.Sel.Name]
	switch o := f.info.Uses[n.Sel].(type) {
	case *types.Const:
		return f.constant(o)
	case *types.TypeName:
		name, ok := f.mirrors[path]
		if !ok {
			name = abi.MirrorName(len(f.mirrors) + 1)
			f.mirrors[path] = name
		}
		f.bind(rewrite.Binding{Kind: rewrite.BindType, Path: path, Name: o.Name(), Type: o.Type(), Object: o}, reflect.Value{}, sym)
		return &ast.SelectorExpr{X: &ast.Ident{Name: name, NamePos: n.Pos()}, Sel: n.Sel}
	case *types.Func:
		if path == "fmt" && strings.HasPrefix(o.Name(), "Print") {
			sym = f.print(o.Name())
		}
		i := f.bind(rewrite.Binding{Kind: rewrite.BindFunc, Path: path, Name: o.Name(), Type: o.Type(), Object: o}, sym, reflect.Value{})
		return f.gate(n.Pos(), i)
	case *types.Var:
		t := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", o.Type())), false)
		read := reflect.MakeFunc(reflect.FuncOf(nil, []reflect.Type{sym.Type()}, false), func([]reflect.Value) []reflect.Value { return []reflect.Value{sym} })
		i := f.bind(rewrite.Binding{Kind: rewrite.BindVar, Path: path, Name: o.Name(), Type: t, Object: o}, read, reflect.Value{})
		return &ast.CallExpr{Fun: f.gate(n.Pos(), i)}
	}
	return nil
}

func (f *front) gate(pos token.Pos, i int) ast.Expr {
	return &ast.SelectorExpr{X: &ast.Ident{Name: abi.Name, NamePos: pos}, Sel: ast.NewIdent(abi.Binding(i))}
}

func (f *front) print(name string) reflect.Value {
	switch name {
	case "Print":
		return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(f.stdout, a...) })
	case "Printf":
		return reflect.ValueOf(func(s string, a ...any) (int, error) { return fmt.Fprintf(f.stdout, s, a...) })
	}
	return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(f.stdout, a...) })
}

func (f *front) constant(o *types.Const) ast.Expr {
	text := o.Val().ExactString()
	kind := map[constant.Kind]token.Token{constant.Int: token.INT, constant.Float: token.FLOAT, constant.String: token.STRING}[o.Val().Kind()]
	if kind == token.FLOAT {
		v, _ := constant.Float64Val(o.Val())
		text = strconv.FormatFloat(v, 'g', -1, 64)
	}
	lit := ast.Expr(&ast.BasicLit{Kind: kind, Value: text})
	if n, ok := o.Type().(*types.Named); ok {
		m, ok := f.mirrors[n.Obj().Pkg().Path()]
		if !ok {
			m = abi.MirrorName(len(f.mirrors) + 1)
			f.mirrors[n.Obj().Pkg().Path()] = m
		}
		f.bind(rewrite.Binding{Kind: rewrite.BindType, Path: n.Obj().Pkg().Path(), Name: n.Obj().Name(), Type: n, Object: n.Obj()}, reflect.Value{},
			stdlib.Symbols[n.Obj().Pkg().Path()+"/"+n.Obj().Pkg().Name()][n.Obj().Name()])
		lit = &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent(m), Sel: ast.NewIdent(n.Obj().Name())}, Args: []ast.Expr{lit}}
	}
	return lit
}

func (f *front) bind(b rewrite.Binding, v, typ reflect.Value) int {
	key := fmt.Sprint(b.Kind, b.Path, b.Name)
	if i, ok := f.index[key]; ok {
		return i
	}
	b.Index = len(f.bindings)
	f.index[key] = b.Index
	f.bindings = append(f.bindings, b)
	f.values = append(f.values, v)
	var t reflect.Type
	if typ.IsValid() {
		t = typ.Type().Elem()
	}
	f.types = append(f.types, t)
	return b.Index
}

// Import makes the gate package and its mirrors.
func (f *front) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	pkg.MarkComplete()
	any := types.Universe.Lookup("any").Type()
	arg := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewVar(0, pkg, "", t)) }
	insert := func(name string, params, results *types.Tuple) {
		pkg.Scope().Insert(types.NewFunc(0, pkg, name, types.NewSignatureType(nil, nil, nil, params, results, false)))
	}
	if path == abi.Path {
		insert(abi.Tick, nil, nil)
		insert(abi.Recover, arg(any), arg(any))
		for i, b := range f.bindings {
			if b.Kind == rewrite.BindFunc || b.Kind == rewrite.BindVar {
				if !f.values[i].IsValid() {
					return nil, fmt.Errorf("%w: %s", errFront, b)
				}
				pkg.Scope().Insert(types.NewFunc(0, pkg, abi.Binding(i), b.Type.(*types.Signature)))
			}
		}
		return pkg, nil
	}
	for i, b := range f.bindings {
		if b.Kind == rewrite.BindType && abi.MirrorPath(b.Path) == path {
			if f.types[i] == nil {
				return nil, fmt.Errorf("%w: %s", errFront, b)
			}
			pkg.Scope().Insert(types.NewTypeName(0, pkg, b.Name, nil))
			o := pkg.Scope().Lookup(b.Name).(*types.TypeName)
			types.NewAlias(o, b.Type)
		}
	}
	return pkg, nil
}

func mustLower(t *testing.T, src string) (*unit, *front) {
	t.Helper()
	u, f, err := lowered(src)
	if err != nil {
		t.Fatal(err)
	}
	return u, f
}
