package vm

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"golang.org/x/tools/go/ssa"
)

// A slotKey is what bindings are told apart by first.
type slotKey struct {
	kind              rewrite.BindingKind
	path, owner, name string
	pointer           bool
}

func keyOf(b rewrite.Binding) slotKey {
	return slotKey{b.Kind, b.Path, b.Owner, b.Name, b.Pointer}
}

// A global is a variable of a cell at package level.
type global struct {
	t  *Type
	at *Obj
}

// A linkage is what the cells of a session have become.
type linkage struct {
	program *Program
	funcs   map[string]*Func // what names mean now
	vars    map[string]*global
	slots   map[slotKey][]int // of the host's members that code uses
	free    []int             // slots that no code reads
}

// newLinkage is that of no cell yet.
func newLinkage(w wrapperTable) *linkage {
	p := newProgram(w)
	p.gates = &gateTable{}
	p.types = &typeTable{known: map[types.Type]*Type{}}
	return &linkage{program: p, funcs: map[string]*Func{}, vars: map[string]*global{}, slots: map[slotKey][]int{}}
}

// A part is what compiling a cell needs. Cell is another word in this package.
type part struct {
	*linkage
	prog    *rewrite.Program
	known   *objects // what it refers to of earlier cells
	globals map[*ssa.Global]*global
	made    []*global
	brought []int // slots
}

// objects are what the objects that a unit refers to have become.
type objects struct {
	funcs map[types.Object]*Func
	vars  map[types.Object]*global
	gates []rewrite.Binding
}

// identify notes by what a function is found again when its cell is compiled anew.
func (c *compiler) identify(f *Func, fn *ssa.Function) {
	at := 0
	if fn.Pos().IsValid() {
		at = c.origin.fset.Position(fn.Pos()).Offset
	}
	f.key = fmt.Sprintf("%s@%d", fn, at)
	f.working = !declared(fn, c.loader.prog.Entry())
	f.sig = c.types.of(types.NewSignatureType(nil, nil, nil, fn.Signature.Params(), fn.Signature.Results(), fn.Signature.Variadic()))
	for _, v := range fn.FreeVars {
		f.caps = append(f.caps, c.types.of(v.Type()))
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
		part.forget(i)
	}
	part.giveBack(part.brought)
	c.drop(c.fresh)
	for _, t := range c.shown {
		t.methods, t.ids, t.entries, t.shown, t.code = nil, nil, nil, nil, nil
	}
}

// scriptPackages tells those of the script from those of the host: all cells are called
// main, and nothing of the host is.
func scriptPackages(p *rewrite.Program) func(*types.Package) bool {
	var own []*types.Package
	for _, u := range p.Units() {
		own = append(own, u.Package)
	}
	for _, u := range p.Earlier() {
		own = append(own, u.Package)
	}
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
	c.known = &objects{map[types.Object]*Func{}, map[types.Object]*global{}, nil}
	for _, name := range outer.Scope().Names() {
		switch obj := outer.Scope().Lookup(name).(type) {
		case *types.Func:
			c.known.funcs[obj] = c.funcs[name]
		case *types.Var:
			c.known.vars[obj] = c.vars[name]
		}
	}
}

// knownFunc and knownVar find what an object of an earlier cell has become.
func (c *part) knownFunc(obj types.Object) *Func {
	if f := c.known.funcs[obj]; f != nil {
		return f
	}
	for _, u := range c.prog.Earlier() {
		if f := u.Linked.(*objects).funcs[obj]; f != nil {
			return f
		}
	}
	return nil
}

func (c *part) knownVar(obj types.Object) *global {
	if v := c.known.vars[obj]; v != nil {
		return v
	}
	for _, u := range c.prog.Earlier() {
		if v := u.Linked.(*objects).vars[obj]; v != nil {
			return v
		}
	}
	return nil
}

// earlier is the code of fn if an earlier cell brought it.
func (c *compiler) earlier(fn *ssa.Function) *Func {
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
	return c.types.of(t).declared[obj.Name()]
}

// global is where a variable at package level is.
func (c *part) global(cc *compiler, g *ssa.Global) *global {
	if p := c.globals[g]; p != nil {
		return p
	}
	p := c.knownVar(g.Object())
	if p == nil {
		t := cc.types.of(g.Type().Underlying().(*types.Pointer).Elem())
		p = &global{t, newObj(max(1, t.w()), mI|mS|mR, 1)}
		c.made = append(c.made, p)
	}
	c.globals[g] = p
	return p
}

// partGlobal is the address of a variable at package level.
func (f *fn) partGlobal(dst int, p *global) {
	if p.t.agg {
		f.ext(&ext{do: DoPartAgg, a: dst, n: int64(f.putRef(p.at)), t: p.t})
		return
	}
	f.refTo(dst, p.at)
	f.intTo(dst, 0)
}

// slot is the number of a member of the host in the runs of a session: one for all cells
// that use it.
func (c *part) slot(b rewrite.Binding) int {
	key := keyOf(b)
	for _, i := range c.slots[key] {
		if slices.EqualFunc(c.program.gates.list[i].TypeArgs, b.TypeArgs, types.Identical) {
			return i
		}
	}
	list := &c.program.gates.list
	if n := len(c.free); n > 0 {
		b.Index, c.free = c.free[n-1], c.free[:n-1]
		(*list)[b.Index] = b
	} else {
		b.Index = len(*list)
		*list = append(*list, b)
	}
	if c.brought = append(c.brought, b.Index); b.Kind != rewrite.BindInput {
		c.slots[key] = append(c.slots[key], b.Index)
	}
	return b.Index
}

// giveBack makes the slots of inputs among list, which no code uses any more, free.
func (k *linkage) giveBack(list []int) {
	for _, i := range list {
		if k.program.gates.list[i].Kind == rewrite.BindInput {
			k.free = append(k.free, i)
		}
	}
}

// bindings are all that the program uses of the host, as far as it is compiled.
func (l *loader) bindings() []rewrite.Binding {
	if l.part == nil {
		return l.prog.Bindings()
	}
	return append(slices.Clone(l.part.program.gates.list), l.prog.Bindings()...)
}

// forget makes a slot one that nothing is known of.
func (k *linkage) forget(i int) {
	list := k.program.gates.list
	key := keyOf(list[i])
	if k.slots[key] = slices.DeleteFunc(k.slots[key], func(at int) bool { return at == i }); len(k.slots[key]) == 0 {
		delete(k.slots, key)
	}
	list[i] = rewrite.Binding{Kind: rewrite.BindInput}
}

// A compiledPart is a cell whose code is in the program.
type compiledPart struct {
	prog     *rewrite.Program
	inits    []*Func
	main     *Func
	vars     []variable
	made     []*global
	slots    []int // that it brought
	known    *objects
	types    []*Type // that it declares, with their methods
	compiled []*Func
}

// compile compiles a cell, and makes needs known, which are types that the host asks for by name. If it fails, all is as it was.
func (k *linkage) compile(l *loader, needs []types.Type) (out *compiledPart, err error) {
	p := l.prog
	l.part = &part{linkage: k, prog: p, globals: map[*ssa.Global]*global{}}
	k.program.gates.typeOf, k.program.types.typeOf = l.typeOf, l.typeOf
	k.program.types.seen = map[types.Type]*Type{}
	defer func() { k.program.types.seen = nil }()
	k.program.types.script, k.program.types.cellOf = scriptPackages(p), p.CellOf
	c := &compiler{
		Program: k.program, byFn: map[*ssa.Function]*Func{}, loader: l, origin: partOrigin(p), typed: len(k.program.types.all), reflects: true,
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
	out = &compiledPart{prog: p, inits: c.inits, main: c.main, vars: c.partVars(main)}
	for _, t := range needs {
		c.needMethods(c.types.of(t))
	}
	c.finish()
	out.types = c.declare(main)
	out.made, out.slots, out.known = l.part.made, l.part.brought, c.objects(main)
	out.compiled = c.fresh
	done = true
	return out, nil
}
