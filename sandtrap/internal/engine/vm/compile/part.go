package compile

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

// A slotKey is what bindings are told apart by first.
type slotKey struct {
	kind              abi.BindingKind
	path, owner, name string
	pointer           bool
}

func keyOf(b rewrite.Binding) slotKey {
	return slotKey{b.Kind, b.Path, b.Owner, b.Name, b.Pointer}
}

// A Global is a variable of a cell at package level.
type Global struct {
	T  *ir.Type
	At *ir.Obj
}

// A Linkage is what the cells of a session have become.
type Linkage struct {
	Program *ir.Program
	Funcs   map[string]*ir.Func // what names mean now
	Vars    map[string]*Global
	slots   map[slotKey][]int // of the host's members that code uses
	Free    []int             // slots that no code reads
}

// NewLinkage is that of no cell yet.
func NewLinkage(w ir.WrapperTable) *Linkage {
	p := newProgram(w)
	p.Gates = &ir.GateTable{}
	p.Types = &ir.TypeTable{Known: map[types.Type]*ir.Type{}}
	return &Linkage{Program: p, Funcs: map[string]*ir.Func{}, Vars: map[string]*Global{}, slots: map[slotKey][]int{}}
}

// A part is what compiling a cell needs. Cell is another word in this package.
type part struct {
	*Linkage
	prog    *rewrite.Program
	known   *objects // what it refers to of earlier cells
	globals map[*ssa.Global]*Global
	made    []*Global
	brought []int // slots
}

// objects are what the objects that a unit refers to have become.
type objects struct {
	Funcs map[types.Object]*ir.Func
	Vars  map[types.Object]*Global
	gates []rewrite.Binding
}

// identify notes by what a function is found again when its cell is compiled anew.
func (c *compiler) identify(f *ir.Func, fn *ssa.Function) {
	at := 0
	if fn.Pos().IsValid() {
		at = c.origin.Fset.Position(fn.Pos()).Offset
	}
	f.Key = fmt.Sprintf("%s@%d", fn, at)
	f.Working = !declared(fn, c.loader.prog.Entry())
	f.Sig = c.Types.Of(types.NewSignatureType(nil, nil, nil, fn.Signature.Params(), fn.Signature.Results(), fn.Signature.Variadic()))
	for _, v := range fn.FreeVars {
		t := c.Types.Of(v.Type())
		if c.isCopy(v) {
			t = t.Elem
		}
		f.Caps = append(f.Caps, t)
	}
}

// declared reports that fn is a function or method that a cell declares, or a literal in
// one.
func declared(fn *ssa.Function, entry string) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Synthetic != "" || fn.Origin() != nil {
		return false
	}
	return obj.Signature().Recv() != nil || obj.Name() != entry && obj.Name() != "main" && obj.Name() != "init"
}

// partError tells why a cell could not be compiled.
func partError(p *rewrite.Program, r any) error {
	switch r := r.(type) {
	case refused:
		return diag.Rejections{rejection(p, r)}
	case *gates.Stop:
		return r
	case compileError:
		return fmt.Errorf("engine vm cannot compile this program: %s", r.msg)
	}
	return fmt.Errorf("engine vm cannot compile this program: %v", r)
}

// takeBack drops what was compiled. Types stay; nothing refers to them.
func (c *compiler) takeBack() {
	part := c.loader.part
	for _, i := range part.brought {
		part.Forget(i)
	}
	part.GiveBack(part.brought)
	c.Drop(c.fresh)
	for _, t := range c.shown {
		t.Methods, t.Ids, t.Entries, t.Shown, t.Code = nil, nil, nil, nil, nil
	}
}

// scriptPackages tells those of the script from those of the host: all cells are called
// main, and nothing of the host is.
func scriptPackages(p *rewrite.Program) func(*types.Package) bool {
	var own []*types.Package // without the cells: this outlives them
	for _, u := range p.Units() {
		own = append(own, u.Package)
	}
	for _, u := range p.Earlier() {
		own = append(own, u.Package)
	}
	own = slices.DeleteFunc(own, func(q *types.Package) bool { return q.Path() == "main" })
	return func(q *types.Package) bool { return isLibrary(q) || q.Path() == "main" || slices.Contains(own, q) }
}

// earlier makes what the cell may refer to known to go/ssa. Of earlier units that are
// there with their source, instances may be made; everything else is compiled already.
func (c *part) earlier(prog *ssa.Program, l *loader) {
	for _, u := range c.prog.Earlier() {
		known, _ := u.Linked.(*objects)
		if known == nil {
			panic(fmt.Sprintf("package %s was never loaded", u.Package.Path()))
		}
		prog.CreatePackage(u.Package, u.Files, u.Info, false)
		if u.Outer != nil {
			prog.CreatePackage(u.Outer, nil, nil, false)
		}
		l.gatesOf(prog, u.Package, known.gates)
	}
	outer := c.prog.Main().Outer
	prog.CreatePackage(outer, nil, nil, false)
	c.known = &objects{map[types.Object]*ir.Func{}, map[types.Object]*Global{}, nil}
	for _, name := range outer.Scope().Names() {
		obj := outer.Scope().Lookup(name)
		name = strings.TrimPrefix(name, abi.Earlier)
		switch obj := obj.(type) {
		case *types.Func:
			c.known.Funcs[obj] = c.Funcs[name]
		case *types.Var:
			c.known.Vars[obj] = c.Vars[name]
		}
	}
}

// knownFunc and knownVar find what an object of an earlier cell has become.
func (c *part) knownFunc(obj types.Object) *ir.Func {
	if f := c.known.Funcs[obj]; f != nil {
		return f
	}
	for _, u := range c.prog.Earlier() {
		if f := u.Linked.(*objects).Funcs[obj]; f != nil {
			return f
		}
	}
	return nil
}

func (c *part) knownVar(obj types.Object) *Global {
	if v := c.known.Vars[obj]; v != nil {
		return v
	}
	for _, u := range c.prog.Earlier() {
		if v := u.Linked.(*objects).Vars[obj]; v != nil {
			return v
		}
	}
	return nil
}

// earlier is the code of fn if an earlier cell brought it.
func (c *compiler) earlier(fn *ssa.Function) *ir.Func {
	if c.loader.part == nil || fn.Blocks != nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return c.loader.part.knownFunc(obj)
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, named := t.(*types.Named); !named || types.IsInterface(t) {
		return nil
	}
	return c.Types.Of(t).Declared[obj.Name()]
}

// global is where a variable at package level is.
func (c *part) global(cc *compiler, g *ssa.Global) *Global {
	if p := c.globals[g]; p != nil {
		return p
	}
	p := c.knownVar(g.Object())
	if p == nil {
		t := cc.Types.Of(g.Type().Underlying().(*types.Pointer).Elem())
		p = &Global{t, ir.NewObj(t.W(), ir.BanksOf(t.Cells), 1)}
		c.made = append(c.made, p)
	}
	c.globals[g] = p
	return p
}

// partGlobal is the address of a variable at package level.
func (f *fn) partGlobal(dst int, p *Global) {
	if p.T.Agg {
		f.ext(&ir.SlowOp{Do: ir.DoPartAgg, A: dst, N: int64(f.putRef(p.At)), T: p.T})
		return
	}
	f.refTo(dst, p.At)
	f.intTo(dst, 0)
}

// slot is the number of a member of the host in the runs of a session: one for all cells
// that use it.
func (c *part) slot(b rewrite.Binding) int {
	key := keyOf(b)
	for _, i := range c.slots[key] {
		if slices.EqualFunc(c.Program.Gates.List[i].TypeArgs, b.TypeArgs, types.Identical) {
			return i
		}
	}
	list := &c.Program.Gates.List
	if n := len(c.Free); n > 0 {
		b.Index, c.Free = c.Free[n-1], c.Free[:n-1]
		(*list)[b.Index] = b
	} else {
		b.Index = len(*list)
		*list = append(*list, b)
	}
	if c.brought = append(c.brought, b.Index); b.Kind != abi.BindInput {
		c.slots[key] = append(c.slots[key], b.Index)
	}
	return b.Index
}

// GiveBack makes the slots of inputs among list, which no code uses any more, free.
func (k *Linkage) GiveBack(list []int) {
	for _, i := range list {
		if k.Program.Gates.List[i].Kind == abi.BindInput {
			k.Free = append(k.Free, i)
		}
	}
}

// bindings are all that the program uses of the host, as far as it is compiled.
func (l *loader) bindings() []rewrite.Binding {
	if l.part == nil {
		return l.prog.Bindings()
	}
	return append(slices.Clone(l.part.Program.Gates.List), l.prog.Bindings()...)
}

// Forget makes a slot one that nothing is known of.
func (k *Linkage) Forget(i int) {
	list := k.Program.Gates.List
	key := keyOf(list[i])
	if k.slots[key] = slices.DeleteFunc(k.slots[key], func(at int) bool { return at == i }); len(k.slots[key]) == 0 {
		delete(k.slots, key)
	}
	list[i] = rewrite.Binding{Kind: abi.BindInput}
}

// A CompiledPart is a cell whose code is in the program.
type CompiledPart struct {
	Prog     *rewrite.Program
	Inits    []*ir.Func
	Main     *ir.Func
	Vars     []ir.Variable
	Made     []*Global
	Slots    []int // that it brought
	Known    *objects
	Types    []*ir.Type // that it declares, with their methods
	Compiled []*ir.Func
}

// Compile compiles a cell, and makes needs known, which are types that the host asks for by name. If it fails, all is as it was.
func (k *Linkage) Compile(l *loader, needs []types.Type) (out *CompiledPart, err error) {
	p := l.prog
	l.part = &part{Linkage: k, prog: p, globals: map[*ssa.Global]*Global{}}
	k.Program.Gates.TypeOf, k.Program.Types.TypeOf = l.typeOf, l.typeOf
	k.Program.Types.Seen = map[types.Type]*ir.Type{}
	defer func() { k.Program.Types.Seen = nil }()
	k.Program.Types.Script, k.Program.Types.CellOf = scriptPackages(p), p.CellOf()
	c := &compiler{
		Program: k.Program, byFn: map[*ssa.Function]*ir.Func{}, loader: l, origin: ir.PartOrigin(p), typed: len(k.Program.Types.All), reflects: true,
	}
	done := false
	defer func() {
		r := recover()
		if done {
			return
		}
		c.takeBack()
		out, err = nil, partError(p, r)
	}()
	main := l.build()
	c.prog = main.Prog
	c.reach(main, p.Entry())
	c.members(main)
	out = &CompiledPart{Prog: p, Inits: c.Inits, Main: c.Main, Vars: c.partVars(main)}
	for _, t := range needs {
		c.needMethods(c.Types.Of(t))
	}
	c.finish()
	out.Types = c.declare(main)
	out.Made, out.Slots, out.Known = l.part.made, l.part.brought, c.objects(main)
	out.Compiled = c.fresh
	done = true
	return out, nil
}
