package rewrite

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// toolchain is a universe of all that the toolchain's own sources declare.
type toolchain struct {
	mu    sync.Mutex
	from  types.Importer
	named map[string][]string
}

var toolchainUniverse = &toolchain{
	from:  goimporter.ForCompiler(token.NewFileSet(), "source", nil),
	named: map[string][]string{"fmt": {"fmt"}, "strings": {"strings"}, "strconv": {"strconv"}, "time": {"time"}, "math": {"math"}},
}

func (t *toolchain) Import(path string) (*types.Package, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.from.Import(path)
}

func (t *toolchain) Named(name string) []string                      { return t.named[name] }
func (t *toolchain) Handle(*types.TypeName) bool                     { return false }
func (t *toolchain) Replaced(*types.TypeName, string) bool           { return false }
func (t *toolchain) Standard(string) bool                            { return true }
func (t *toolchain) Engine(path, owner, name string) string          { return "" }
func (t *toolchain) Settable(v *types.Var) bool                      { return v.Name() == "Args" }
func (t *toolchain) Predeclared() []types.Object                     { return nil }
func (t *toolchain) Explain(path, name string) (e check.Explanation) { return e }

// load imports the packages that src names before Check's budget runs: reading
// them from source takes long on a busy machine.
func (t *toolchain) load(src string) {
	for _, m := range regexp.MustCompile(`"([a-z0-9/]+)"`).FindAllStringSubmatch(src, -1) {
		if t.isPackage(m[1]) {
			t.Import(m[1])
		}
	}
	for _, paths := range t.named {
		if strings.Contains(src, paths[0]+".") {
			t.Import(paths[0])
		}
	}
}

func (t *toolchain) isPackage(path string) bool {
	info, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", path))
	return err == nil && info.IsDir()
}

// lower lowers a whole program or snippet.
func lower(t *testing.T, src string, inputs ...check.Input) *Program {
	t.Helper()
	toolchainUniverse.load(src)
	p, err := Compile(parse.Source{Name: "script.go", Text: src}, parse.Bounds{}, toolchainUniverse, inputs)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return p
}

// A stub imports the packages that lowered code does, with types alone.
type stub struct {
	packages map[string]*types.Package
}

// newStub makes the gate package and the mirrors of p out of its import section.
func newStub(p *Program) stub {
	gate := types.NewPackage(abi.Path, abi.Name)
	for _, g := range abi.Table {
		tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, g.Signature)
		if err != nil {
			panic(err)
		}
		gate.Scope().Insert(types.NewFunc(token.NoPos, gate, g.Name, tv.Type.(*types.Signature)))
	}
	s := stub{map[string]*types.Package{abi.Path: gate}}
	for _, m := range p.Mirrors() {
		s.packages[abi.MirrorPath(m.Path)] = types.NewPackage(abi.MirrorPath(m.Path), "mirror")
	}
	for _, b := range p.Bindings() {
		switch b.Kind {
		case abi.BindConst:
		case abi.BindType:
			obj := b.Object.(*types.TypeName)
			mirror := s.packages[abi.MirrorPath(b.Path)]
			mirror.Scope().Insert(alias(mirror, obj))
		default:
			gate.Scope().Insert(types.NewFunc(token.NoPos, gate, abi.Binding(b.Index), stubSignature(p, b)))
		}
	}
	return s
}

// alias declares obj under its own name in pkg.
func alias(pkg *types.Package, obj *types.TypeName) *types.TypeName {
	name := types.NewTypeName(token.NoPos, pkg, obj.Name(), nil)
	named, ok := obj.Type().(*types.Named)
	if !ok || named.TypeParams().Len() == 0 {
		types.NewAlias(name, obj.Type())
		return name
	}
	inst, fresh := anyInstance(named, pkg)
	types.NewAlias(name, inst).SetTypeParams(fresh)
	return name
}

// stubSignature is the type of b's gate. Types of the script cannot be known
// before the script is checked, so gates that mention them stay generic.
func stubSignature(p *Program, b Binding) *types.Signature {
	sig := b.Type.(*types.Signature)
	f, ok := b.Object.(*types.Func)
	if !ok || !mentionsPackage(p.Main().Package, sig) {
		return sig
	}
	switch b.Kind {
	case abi.BindFunc:
		return f.Signature()
	case abi.BindMethod, abi.BindMethodValue:
		return genericMethod(b, f)
	}
	return sig
}

// genericMethod is the type of the gate of a method of a generic type, for all types.
func genericMethod(b Binding, f *types.Func) *types.Signature {
	recv := f.Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	on, fresh := anyInstance(recv.(*types.Named).Origin(), f.Pkg())
	return methodGate(b.Kind, fresh, on, methodOf(on, f), b.Pointer)
}

// anyInstance is a generic type with type parameters of its own in pkg.
func anyInstance(generic *types.Named, pkg *types.Package) (*types.Named, []*types.TypeParam) {
	var fresh []*types.TypeParam
	var args []types.Type
	for tp := range generic.TypeParams().TypeParams() {
		n := types.NewTypeName(token.NoPos, pkg, tp.Obj().Name(), nil)
		fresh = append(fresh, types.NewTypeParam(n, tp.Constraint()))
		args = append(args, fresh[len(fresh)-1])
	}
	inst, err := types.Instantiate(nil, generic, args, false)
	if err != nil {
		panic(err)
	}
	return inst.(*types.Named), fresh
}

func mentionsPackage(pkg *types.Package, t types.Type) bool {
	found := false
	types.TypeString(t, func(p *types.Package) string {
		found = found || p == pkg
		return ""
	})
	return found
}

func (s stub) Import(path string) (*types.Package, error) {
	if p := s.packages[path]; p != nil {
		p.MarkComplete()
		return p, nil
	}
	return nil, fmt.Errorf("lowered code imports %q", path)
}

// recheck wants the printed form of p to type-check against a stub, with
// the types that Info holds.
func recheck(p *Program) error {
	fset := token.NewFileSet()
	text := p.Text()
	file, err := parser.ParseFile(fset, "lowered.go", text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("printed form does not parse: %v\n%s", err, text)
	}
	info := check.NewInfo()
	var errs []error
	conf := types.Config{Importer: newStub(p), Error: func(err error) {
		if !strings.Contains(err.Error(), "and not used") {
			errs = append(errs, err)
		}
	}}
	conf.Check("main", fset, []*ast.File{file}, info)
	if len(errs) > 0 {
		return fmt.Errorf("printed form does not type-check: %v\n%s", errors.Join(errs...), text)
	}
	return sameTypes(p, info, file)
}

// nodes lists the nodes of f in order, without those that the printer adds or drops.
func nodesOf(f *ast.File) []ast.Node {
	var list []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.ParenExpr, *ast.EmptyStmt, *ast.CommentGroup, *ast.Comment:
		default:
			list = append(list, n)
		}
		return true
	})
	return list
}

// sameTypes compares what p's Info and the second check say of each node.
func sameTypes(p *Program, second *types.Info, file *ast.File) error {
	first := p.Main().Info
	a, b := nodesOf(p.Main().Files[0]), nodesOf(file)
	for i := range min(len(a), len(b)) {
		if fmt.Sprintf("%T", a[i]) != fmt.Sprintf("%T", b[i]) {
			return fmt.Errorf("node %d is %T, printed as %T", i, a[i], b[i])
		}
		if err := sameNode(first, second, a[i], b[i]); err != nil {
			return fmt.Errorf("%v: %s: %w", p.FileSet().Position(a[i].Pos()), types.ExprString(exprOf(a[i])), err)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d nodes, printed as %d", len(a), len(b))
	}
	return nil
}

func exprOf(n ast.Node) ast.Expr {
	if e, ok := n.(ast.Expr); ok {
		return e
	}
	return ast.NewIdent(fmt.Sprintf("%T", n))
}

func sameNode(first, second *types.Info, a, b ast.Node) error {
	if a, ok := a.(ast.Expr); ok {
		got, want := first.Types[a], second.Types[b.(ast.Expr)]
		if isGenericType(got) && want.IsType() {
			return nil
		}
		if typeText(got.Type) != typeText(want.Type) {
			return fmt.Errorf("type %v, second check says %v", typeText(got.Type), typeText(want.Type))
		}
		if g, w := modeText(got), modeText(want); g != w {
			return fmt.Errorf("mode %s, second check says %s", g, w)
		}
	}
	if a, ok := a.(*ast.SelectorExpr); ok {
		got, want := first.Selections[a], second.Selections[b.(*ast.SelectorExpr)]
		if (got == nil) != (want == nil) || got != nil && selectionText(got) != selectionText(want) {
			return fmt.Errorf("selection %v, second check says %v", got, want)
		}
	}
	if a, ok := a.(*ast.Ident); ok {
		b := b.(*ast.Ident)
		if g, w := objectText(first.Uses[a]), objectText(second.Uses[b]); g != w {
			return fmt.Errorf("use of %s, second check says %s", g, w)
		}
		if g, w := objectText(first.Defs[a]), objectText(second.Defs[b]); g != w {
			return fmt.Errorf("definition of %s, second check says %s", g, w)
		}
		if g, w := first.Instances[a].Type, second.Instances[b].Type; typeText(g) != typeText(w) && !genericStub(second.Uses[b]) {
			return fmt.Errorf("instance %v, second check says %v", g, w)
		}
	}
	return nil
}

// genericStub reports whether obj is a gate that stubSignature keeps generic.
func genericStub(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Pkg().Path() == abi.Path && f.Signature().TypeParams().Len() > 0
}

// typeText identifies a type without regard to its package's identity, to
// mirrors and to the names of results.
func typeText(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case nil:
		return "none"
	case *types.Tuple:
		var list []string
		for _, v := range check.VarTypes(t) {
			list = append(list, typeText(v))
		}
		return strings.Join(list, ", ")
	case *types.Signature:
		if t.TypeParams().Len() == 0 {
			return fmt.Sprintf("func(%s, %v) %s", typeText(t.Params()), t.Variadic(), typeText(t.Results()))
		}
	}
	s := types.TypeString(types.Unalias(t), nil)
	s = strings.ReplaceAll(s, abi.Path+"/", "")
	return strings.ReplaceAll(s, "interface{}", "any")
}

// isGenericType reports whether tv is a generic type that is not instantiated; its
// mirror is an alias, and reads differently.
func isGenericType(tv types.TypeAndValue) bool {
	n, ok := tv.Type.(*types.Named)
	return ok && tv.IsType() && n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0
}

func modeText(tv types.TypeAndValue) string {
	s := fmt.Sprintf("void=%v type=%v builtin=%v value=%v nil=%v addressable=%v assignable=%v ok=%v",
		tv.IsVoid(), tv.IsType(), tv.IsBuiltin(), tv.IsValue(), tv.IsNil(), tv.Addressable(), tv.Assignable(), tv.HasOk())
	if tv.Value != nil {
		s += " " + tv.Value.ExactString()
	}
	return s
}

func selectionText(s *types.Selection) string {
	return fmt.Sprint(s.Kind(), typeText(s.Recv()), s.Obj().Name(), s.Index(), s.Indirect(), typeText(s.Type()))
}

// objectText leaves out the package of types, which are mirrored.
func objectText(o types.Object) string {
	if o == nil {
		return "none"
	}
	return fmt.Sprintf("%T %s", o, o.Name())
}

// buildSSA wants go/ssa to build p from Files and Info.
func buildSSA(p *Program) error {
	return ssaOf(p.FileSet(), p.Main().Package, p.Main().Files[0], p.Main().Info)
}

// ssaOf builds a package and checks what was built.
func ssaOf(fset *token.FileSet, pkg *types.Package, file *ast.File, info *types.Info) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go/ssa: %v", r)
		}
	}()
	prog := ssa.NewProgram(fset, ssa.SanityCheckFunctions|ssa.InstantiateGenerics)
	created := map[*types.Package]bool{pkg: true}
	var create func(*types.Package)
	create = func(pkg *types.Package) {
		for _, imp := range pkg.Imports() {
			if !created[imp] {
				created[imp] = true
				prog.CreatePackage(imp, nil, nil, true)
				create(imp)
			}
		}
	}
	create(pkg)
	prog.CreatePackage(pkg, []*ast.File{file}, info, false).Build()
	return nil
}

// plainSSA builds source that is not lowered.
func plainSSA(src string) error {
	parsed, err := parse.Parse(parse.Source{Name: "script.go", Text: src}, parse.Bounds{})
	if err != nil {
		return err
	}
	c, err := check.Check(parsed, toolchainUniverse, nil)
	if err != nil {
		return err
	}
	return ssaOf(c.Fset, c.Pkg, c.File, c.Info)
}
