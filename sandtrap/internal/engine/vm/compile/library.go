package compile

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/library"
)

// A source is a part of the library: the files that declare its functions, and what checking them tells.
type source struct {
	path  string
	texts []string
	check func() *checkedSource // once for all programs, when one needs it
}

type checkedSource struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

// generics stand for generic functions and types, callers for functions that take one interface and do little
// but call its methods.
var generics, callers = newSource("sandtrap/library", library.Generic()), newSource("sandtrap/library/callers", library.Callers())

func newSource(path string, texts []string) *source {
	s := &source{path: path, texts: texts}
	s.check = sync.OnceValue(s.checked)
	return s
}

// checked parses and checks the files.
func (s *source) checked() *checkedSource {
	out := &checkedSource{info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}}
	fset := token.NewFileSet()
	fset.AddFile("", 1<<40, 0) // its positions are those of no script
	for _, text := range s.texts {
		text = strings.ReplaceAll(text, "\r", "")
		f, err := parser.ParseFile(fset, "", text+handles(text), parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		out.files = append(out.files, f)
	}
	conf := types.Config{GoVersion: "go1.26", Error: func(err error) {
		if te := (types.Error{}); !errors.As(err, &te) || !te.Soft {
			panic(err)
		}
	}}
	out.pkg, _ = conf.Check(s.path, fset, out.files, out.info)
	return out
}

// declares reports a function, by its name in the source. It reads the text alone.
func (s *source) declares(name string) bool {
	return slices.ContainsFunc(s.texts, func(text string) bool { return strings.Contains(text, "\nfunc "+name+"[") })
}

func isLibrary(p *types.Package) bool { return p.Path() == generics.path || p.Path() == callers.path }

// handles gives each generic function a type of its own with a method that calls
// it: methods can be instantiated when the SSA form is there already, functions
// cannot. A function that stands for a method has another that keeps its receiver.
func handles(text string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Type.TypeParams != nil {
			writeHandles(&out, fn, func(n ast.Node) string { return text[n.Pos()-f.FileStart : n.End()-f.FileStart] })
		}
	}
	return out.String()
}

func writeHandles(out *strings.Builder, fn *ast.FuncDecl, cut func(ast.Node) string) {
	var types, params, args []string
	for _, l := range fn.Type.TypeParams.List {
		for _, n := range l.Names {
			types = append(types, n.Name)
		}
	}
	for _, l := range fn.Type.Params.List {
		for _, n := range l.Names {
			params = append(params, n.Name+" "+cut(l.Type))
			arg := n.Name
			if _, ok := l.Type.(*ast.Ellipsis); ok {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	ret, results := "", ""
	if fn.Type.Results != nil {
		ret, results = "return", cut(fn.Type.Results)
	}
	name, typeArgs := fn.Name.Name, "["+strings.Join(types, ", ")+"]"
	does := fmt.Sprintf("(%s) %s { %s %s%s(%s) }", strings.Join(params, ", "), results, ret, name, typeArgs, strings.Join(args, ", "))
	fmt.Fprintf(out, "\ntype handle_%[1]s%[2]s struct{}\nfunc (handle_%[1]s%[3]s) Call%[4]s\n", name, cut(fn.Type.TypeParams), typeArgs, does)
	if methodName().MatchString(name) {
		does := fmt.Sprintf("(%s) %s { %s %s%s(%s) }", strings.Join(params[1:], ", "), results, ret, name, typeArgs, strings.Join(args, ", "))
		fmt.Fprintf(out, "\ntype value_%[1]s%[2]s struct{}\nfunc (value_%[1]s%[3]s) Call(%[4]s) func(%[5]s) %[6]s { return func%[7]s }\n",
			name, cut(fn.Type.TypeParams), typeArgs, params[0], strings.Join(params[1:], ", "), results, does)
	}
}

// methodName is the form of the names of functions that stand for methods.
var methodName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_[A-Z]\w*_[A-Z]\w*$`) })

// handleKinds are the first parts of the names of handles.
var handleKinds = map[abi.BindingKind]string{
	abi.BindFunc: "handle_", abi.BindMethod: "handle_", abi.BindMethodValue: "value_",
}

// sourceOf is the part of the library in which the function of a binding may be.
func sourceOf(b rewrite.Binding) *source {
	if generic(b) {
		return generics
	}
	return callers
}

// handleOf is the handle of a binding, nil if the library has none.
func handleOf(b rewrite.Binding) *types.Named {
	kind, ok := handleKinds[b.Kind]
	if !ok || !b.Standard {
		return nil
	}
	return sourceOf(b).handle(kind, memberName(b))
}

// memberName is the name of a member without type arguments.
func memberName(b rewrite.Binding) string {
	if b.Owner != "" {
		return b.Path + "." + b.Owner + "." + b.Name
	}
	return b.Path + "." + b.Name
}

// handle is the handle of a member, by its path and names.
func (s *source) handle(kind, member string) *types.Named {
	name := strings.NewReplacer("/", "_", ".", "_").Replace(member)
	if !s.declares(name) {
		return nil
	}
	obj, ok := s.check().pkg.Scope().Lookup(kind + name).(*types.TypeName)
	if !ok {
		return nil
	}
	return obj.Type().(*types.Named)
}

// generic reports that b is of a generic function, or of a method of a generic type.
func generic(b rewrite.Binding) bool {
	sig, ok := b.Type.(*types.Signature)
	return ok && (len(b.TypeArgs) > 0 || sig.TypeParams().Len() > 0)
}

// libraries makes the SSA form of the parts of the library that the program needs.
func (l *loader) libraries(prog *ssa.Program) {
	for _, s := range []*source{generics, callers} {
		if l.needs(s) {
			lib := s.check()
			prog.CreatePackage(lib.pkg, lib.files, lib.info, false)
			l.library = true
		}
	}
}

func (l *loader) needs(s *source) bool {
	for _, list := range l.gates {
		for _, b := range list {
			if sourceOf(b) == s && handleOf(b) != nil || s == generics && b.Kind == abi.BindType && b.Standard && len(b.TypeArgs) > 0 {
				return true
			}
		}
	}
	return false
}

// library gives the function of the library that fn, a gate or a method of a
// generic type, stands for, and fn itself if there is none.
func (c *compiler) library(fn *ssa.Function) *ssa.Function {
	if !c.loader.library {
		return fn
	}
	if recv := fn.Signature.Recv(); recv != nil && fn.Blocks == nil {
		if h, args := c.methodHandle(recv.Type(), fn.Name()); h != nil {
			return c.instanceOf(h, args)
		}
	}
	b, ok := c.binding(fn)
	if !ok {
		return fn
	}
	h := handleOf(b)
	if h == nil || c.native(b) {
		return fn
	}
	args := b.TypeArgs
	switch {
	case !generic(b):
		args = []types.Type{fn.Signature.Params().At(0).Type()}
	case len(args) == 0:
		args = fn.TypeArgs()
	}
	return c.instanceOf(h, args)
}

// instanceOf is the function behind the handle h for the types args.
func (c *compiler) instanceOf(h *types.Named, args []types.Type) *ssa.Function {
	inst, err := types.Instantiate(nil, h, args, false)
	if err != nil {
		panic(compileError{err.Error()})
	}
	return c.prog.MethodValue(c.prog.MethodSets.MethodSet(inst).At(0))
}

// methodHandle is the handle of a method of the type of a receiver, and the type's
// arguments, for values in interfaces; nil if the library has none.
func (c *compiler) methodHandle(recv types.Type, name string) (*types.Named, []types.Type) {
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	n, ok := recv.(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 || n.Obj().Pkg() == nil || c.Types.Script(n.Obj().Pkg()) {
		return nil, nil
	}
	return generics.handle("handle_", n.Obj().Pkg().Path()+"."+n.Obj().Name()+"."+name), slices.Collect(n.TypeArgs().Types())
}

// native reports that the host's own instance does as well: it works on elements
// that both hold alike, and calls nothing back.
func (c *compiler) native(b rewrite.Binding) bool {
	if !b.Is("native") || len(b.TypeArgs) == 0 {
		return false
	}
	s := c.Types.Of(b.TypeArgs[0])
	return s.Kind == reflect.Slice && !s.Named && s.Elem.Host != nil && !s.Elem.Named && ir.IsNative(s.Elem)
}

// binding is what fn is the gate of.
func (c *compiler) binding(fn *ssa.Function) (b rewrite.Binding, ok bool) {
	name, ok := c.gateName(fn)
	if !ok {
		return b, false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	list := c.loader.gates[fn.Pkg.Pkg]
	if i, ok := abi.Number(name); ok && i < len(list) {
		return list[i], true
	}
	return b, false
}

// gateName is the name of fn in the gate package.
func (c *compiler) gateName(fn *ssa.Function) (string, bool) {
	if fn.Blocks != nil || fn.Signature.Recv() != nil {
		return "", false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || fn.Pkg.Pkg.Path() != abi.Path {
		return "", false
	}
	return fn.Name(), true
}

// isTick reports a tick as the rewriter wrote it. Ticks are counted by the code
// itself, at the same places.
func (c *compiler) isTick(fn *ssa.Function) bool {
	name, ok := c.gateName(fn)
	return ok && name == abi.Tick
}
