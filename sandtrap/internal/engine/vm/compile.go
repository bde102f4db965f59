package vm

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// compiler turns SSA form into a Program.
type compiler struct {
	*Program
	prog       *ssa.Program
	byFn       map[*ssa.Function]*Func
	queue      []*ssa.Function
	stubs      []func()
	calls      []callFix
	made       listing // of all functions so far
	spare      listing // room for the next one
	fresh      []*Func
	strsOf     *Func // whose constants strIdx has, in a session
	gOff       map[*ssa.Global]int
	strIdx     map[string]int
	needed     []*Type
	needSet    map[*Type]bool
	onlyValues map[*ssa.Alloc]ssa.Value
	loader     *loader

	reflects bool // the program hands values to host code that looks into them

	origin *origin
	typed  int     // types that the program had before
	shown  []*Type // whose methods were compiled

	wrapped int // methods that types have from embedded fields, and their instructions
}

// compile compiles the main package. Packages for which script is true are compiled
// too; the others are the host's.
func compile(main *ssa.Package, entry string, l *loader, script func(*types.Package) bool) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			ce, ok := r.(compileError)
			if !ok {
				panic(r)
			}
			p, err = nil, errors.New(ce.msg)
		}
	}()
	c := &compiler{
		Program: newProgram(l.wrappers),
		prog:    main.Prog, byFn: map[*ssa.Function]*Func{}, loader: l, origin: originOf(l.prog),
	}
	c.types = &typeTable{known: map[types.Type]*Type{}, typeOf: l.typeOf, script: script}
	c.reflects = l.reflects()
	c.reach(main, entry)
	c.variables(main)
	c.finish()
	return c.Program, nil
}

// few is how many instructions there is room for at first.
const few = 32

func newProgram(w wrapperTable) *Program {
	p := &Program{wrappers: w}
	p.code, p.pos, p.words = make([]Ins, 0, few), make([]spot, 0, few), make([]byte, 0, few*wordSize)
	p.exts = append(make([]*ext, 0, 2*len(firstExts)), firstExts[:]...)
	for k := range firstExts {
		p.code, p.pos = append(p.code, Ins{Op: opStop, D: int32(k)}), append(p.pos, 0)
		p.words = p.code[k].bytes(p.words)
	}
	return p
}

// reach asks for what a run starts with.
func (c *compiler) reach(main *ssa.Package, entry string) {
	c.inits = nil
	for _, u := range c.loader.units {
		if fn := u.Func("init"); !c.idle(fn) {
			c.inits = append(c.inits, c.funcOf(fn))
		}
	}
	c.main = c.funcOf(main.Func(entry))
}

// idle reports an initialiser that does nothing but note that it has run.
func (c *compiler) idle(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Call:
				if called, ok := i.Call.Value.(*ssa.Function); !ok || c.scripted(called) || !isInit(called) {
					return false
				}
			case *ssa.Store:
				if !isGuard(i.Addr) {
					return false
				}
			case *ssa.UnOp:
				if !isGuard(i.X) {
					return false
				}
			case *ssa.If, *ssa.Jump, *ssa.Return:
			default:
				return false
			}
		}
	}
	return true
}

// isGuard reports the variable in which an initialiser notes that it has run.
func isGuard(v ssa.Value) bool {
	g, ok := v.(*ssa.Global)
	return ok && g.Object() == nil
}

// isInit reports the initialiser of a package.
func isInit(fn *ssa.Function) bool { return fn.Name() == "init" && fn.Signature.Recv() == nil }

// finish compiles what was asked for, and makes it ready to run.
func (c *compiler) finish() {
	for len(c.queue) > 0 || len(c.stubs) > 0 || len(c.needed) > 0 {
		c.drain()
	}
	c.link()
	for _, t := range c.types.all[c.typed:] {
		c.indexHost(t)
	}
}

func (c *compiler) drain() {
	for len(c.queue) > 0 {
		fn := c.queue[0]
		c.queue = c.queue[1:]
		c.loader.meter.Unwind()
		c.function(fn)
	}
	stubs := c.stubs
	c.stubs = nil
	for _, s := range stubs {
		s()
	}
	needed := c.needed
	c.needed = nil
	for _, t := range needed {
		c.methodsOf(t)
	}
}

func (c *compiler) newFunc(name string, results *Type) *Func {
	f := &Func{name: name, recover: -1, results: results, rw: results.w(), from: c.origin}
	f.idx = put(&c.funcs, &c.gaps.funcs, f)
	c.fresh = append(c.fresh, f)
	if c.loader.part != nil {
		f.held = &holding{}
	}
	return f
}

// scripted reports that fn is code of the script.
func (c *compiler) scripted(fn *ssa.Function) bool { return fn.Blocks != nil || c.earlier(fn) != nil }

func (c *compiler) funcOf(fn *ssa.Function) *Func {
	fn = c.library(fn)
	if f, ok := c.byFn[fn]; ok {
		return f
	}
	if f := c.earlier(fn); f != nil {
		return f
	}
	f := c.newFunc(funcName(fn), c.types.of(fn.Signature.Results()))
	f.ssa, f.at, f.library = fn, fn.Pos(), fn.Pkg != nil && isLibrary(fn.Pkg.Pkg)
	if c.loader.part != nil {
		c.identify(f, fn)
	}
	f.wrapper = fn.Synthetic != "" && fn.Name() != "init" && !strings.HasPrefix(fn.Synthetic, "instance") && !strings.HasPrefix(fn.Synthetic, "range-over-func")
	c.byFn[fn] = f
	if !c.scripted(fn) {
		f.wrapper = true
		c.stubs = append(c.stubs, func() { c.hostStub(f, fn) })
		return f
	}
	c.queue = append(c.queue, fn)
	return f
}

// funcName is the name as Go's traces have it: main.f, main.(*T).M, main.T.M,
// main.f.func1 and main.f.func1.1 inside that, main.g[...] of an instance.
func funcName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		n := strings.TrimPrefix(fn.Name(), p.Name()+"$")
		if p.Parent() == nil {
			n = "func" + n
		}
		return funcName(p) + "." + n
	}
	if fn.Pkg != nil && fn.Origin() == nil && fn.Signature.Recv() == nil {
		return fn.Pkg.Pkg.Path() + "." + fn.Name()
	}
	name := fn.RelString(nil)
	if i, j := strings.Index(name, "["), strings.LastIndex(name, "]"); i >= 0 && j > i {
		name = name[:i] + "[...]" + name[j+1:]
	}
	recv, method, ok := strings.Cut(name, ").")
	if !ok || !strings.HasPrefix(recv, "(") {
		return name
	}
	pkg, typ, _ := strings.Cut(strings.TrimLeft(recv, "(*"), ".")
	if strings.HasPrefix(recv, "(*") {
		typ = "(*" + typ + ")"
	}
	return pkg + "." + typ + "." + method
}

func (c *compiler) closureRef(f *Func) *Closure { return &Closure{fn: f} }

// hostStub is a host function as a script function.
func (c *compiler) hostStub(out *Func, fn *ssa.Function) {
	var ts []*Type
	if r := fn.Signature.Recv(); r != nil {
		ts = append(ts, c.types.of(r.Type()))
	}
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		ts = append(ts, c.types.of(ps.At(i).Type()))
	}
	g := c.stub(out, ts)
	g.ssa = fn
	x := g.hostExt(fn)
	n := 0
	for _, t := range ts {
		x.regs, x.types = append(x.regs, n), append(x.types, t)
		n += t.w()
	}
	x.a = n
	g.ext(x)
	out.nregs = max(out.nregs, n+out.rw+24)
	g.move(0, n, out.results.cells)
	g.emit(opRet, 0, 0, 0, 0)
	g.finish()
}

// hostExt finds the host's side of fn.
func (f *fn) hostExt(fn *ssa.Function) *ext {
	if x := f.gateExt(fn); x != nil {
		return x
	}
	if fn.Signature.Recv() == nil {
		panic(compileError{"no host function " + fn.String()})
	}
	return &ext{do: DoHostMethod, s: fn.Name(), t: f.types.of(fn.Signature.Results()), ok: fn.Signature.Variadic(), shares: true}
}

// finish hands the code over.
func (f *fn) finish() {
	c := f.compiler
	from := len(c.made.code)
	if from == 0 { // perhaps the only one
		c.made = listing{f.code, f.pos}
		f.out.body = c.made
		f.listing = listing{}
		return
	}
	c.made.code, c.made.pos = append(c.made.code, f.code...), append(c.made.pos, f.pos...)
	f.out.body = listing{c.made.code[from:], c.made.pos[from:]}
	c.spare = listing{f.code[:0], f.pos[:0]}
	f.listing = listing{}
}

func (c *compiler) function(s *ssa.Function) {
	out := c.byFn[s]
	f := &fn{compiler: c, ssa: s, out: out}
	f.values, f.operandsOf = f.room.values[:0], f.room.operands[:0]
	f.analyse()
	exts, calls := len(c.exts), len(c.calls)
	f.top = past(f.nfixed+f.likelyTemps(), f.reach)
	f.generate()
	for f.top != past(f.nfixed+f.maxTemp, f.reach) {
		f.top = past(f.nfixed+f.maxTemp, f.reach)
		f.dropExts(exts)
		c.calls = c.calls[:calls]
		f.generate()
	}
	out.nregs = f.top
	f.finish()
}

func (f *fn) analyse() {
	s := f.ssa
	if f.loops = loopsOf(s); f.loops != nil {
		f.loops.layout(s)
	}
	f.blocks = s.Blocks
	f.facts, f.late = map[ssa.Value]*fact{}, f.lateDefers()
	f.promote()
	f.findTardy()
	f.fuse()
	n := 0
	for _, p := range s.Params {
		t := f.typ(p)
		if t.w() > 0 {
			x := f.fact(p)
			x.reg, x.fixed, x.placed = n, true, true
			f.entryValues = append(f.entryValues, p)
		}
		n += t.w()
	}
	f.out.params = n
	f.limit()
	for _, v := range s.FreeVars {
		if f.typ(v).w() > 0 {
			f.entryValues = append(f.entryValues, v)
		}
	}
	if s.Recover != nil {
		f.pinRecover()
	}
	f.nfixed = max(f.assign(n+1), f.out.rw)
	f.hoist()
}

// limit refuses what the start of a window cannot hold.
func (f *fn) limit() {
	for _, row := range []struct {
		what string
		w    int
	}{{"parameters", f.out.params}, {"results", f.out.rw}} {
		if row.w >= nearMax {
			f.refuse(f.declared(), fmt.Sprintf("compile a function with %s of %d words: %s has %d, where a slice or a complex number is two and a struct as many as its fields",
				row.what, nearMax, f.out.name, row.w), "put some of them into a slice, or into a struct and pass a pointer to it")
		}
	}
}

// declared is where the function is written down, or the method that it calls.
func (f *fn) declared() token.Pos {
	if obj := f.ssa.Object(); obj != nil {
		return obj.Pos()
	}
	return f.ssa.Pos()
}

// pinRecover keeps what the recover block needs alive everywhere.
func (f *fn) pinRecover() {
	for _, i := range f.ssa.Recover.Instrs {
		for _, v := range f.uses(i, nil) {
			if vi, ok := v.(ssa.Instruction); ok && vi.Block() == f.ssa.Recover {
				continue
			}
			f.pinned = append(f.pinned, v)
		}
	}
}

func (f *fn) generate() {
	if f.code == nil {
		f.listing, f.compiler.spare = f.compiler.spare, listing{}
	}
	if f.code == nil {
		f.listing = listing{make([]Ins, 0, few), make([]spot, 0, few)}
	}
	f.code, f.pos, f.fixups, f.starts = f.code[:0], f.pos[:0], f.fixups[:0], f.starts[:0]
	f.temp = 0
	f.cur = f.ssa.Pos()
	if !f.out.wrapper && (f.ssa.Name() != "init" || f.ssa.Synthetic == "") {
		f.emit(opTick, 0, 0, 0, 0)
	}
	f.captures()
	for _, h := range f.hoistAt {
		f.intTo(h.reg, h.i)
	}
	for _, b := range f.blocks {
		f.starts = append(f.starts, len(f.code))
		for _, i := range b.Instrs {
			f.instr(i)
		}
		if b == f.ssa.Recover {
			f.out.recover = f.starts[len(f.starts)-1]
		}
	}
	for _, x := range f.fixups {
		f.code[x.at].D = int32(f.starts[x.block])
	}
	for k := range f.code {
		if in := &f.code[k]; isJump(in.Op) && in.D <= -2 {
			in.D = -2 - in.D
		}
	}
	f.tidyJumps()
}

// link joins all functions into one piece of code.
func (c *compiler) link() {
	c.code, c.pos = slices.Grow(c.code, len(c.made.code)), slices.Grow(c.pos, len(c.made.pos))
	for _, f := range c.fresh {
		f.ssa = nil
		c.place(f)
	}
	c.order()
	for _, fx := range c.calls {
		f := c.funcs[fx.fn]
		in := &c.code[f.entry+fx.at]
		if f.held != nil {
			f.held.called = append(f.held.called, c.funcs[in.D])
		}
		in.D = int32(c.funcs[in.D].entry)
	}
	c.words = append(c.words, make([]byte, len(c.code)*wordSize-len(c.words))...)
	for _, f := range c.fresh {
		for k, in := range c.code[f.entry:f.end] {
			at := (f.entry + k) * wordSize
			in.bytes(c.words[at:at])
		}
		c.sanity(f)
	}
	c.grantable()
	c.linkMethods()
}

// sanity refuses code that may go round without a tick, whatever made it.
func (c *compiler) sanity(f *Func) {
	for k, in := range c.code[f.entry:f.end] {
		if in.Op >= opJmp && in.Op < opLoop && int(in.D) <= f.entry+k {
			panic(compileError{"vm: a jump back without a tick"})
		}
	}
}

// stretchIns is how many instructions take a fraction of a millisecond.
const stretchIns = 200_000

// grantable finds how many ticks a run may take before it has to look at the clock:
// the longer the functions, the more there may be between two ticks.
func (c *compiler) grantable() {
	if c.stretch == 0 {
		c.stretch = stretchIns
	}
	for _, f := range c.fresh {
		c.stretch = min(c.stretch, int64(max(1, stretchIns/max(1, f.end-f.entry))))
	}
}

// slot is the number by which runs know the value of b.
func (c *compiler) slot(b rewrite.Binding) int {
	if c.loader.part != nil {
		return c.loader.part.slot(b)
	}
	note(&c.loader.asked, b.Index, true)
	return b.Index
}

func (c *compiler) globalOff(g *ssa.Global) int {
	if off, ok := c.gOff[g]; ok {
		return off
	}
	e := c.types.of(g.Type().Underlying().(*types.Pointer).Elem())
	off := c.globals
	note(&c.gOff, g, off)
	c.globals += max(1, e.w())
	c.globalBytes += cellsBytes(e.cells)
	if g.Pkg != nil && !c.types.script(g.Pkg.Pkg) {
		panic(compileError{"no host variable " + g.String()})
	}
	return off
}

// variables finds the places of those that the program reports.
func (c *compiler) variables(main *ssa.Package) {
	for _, v := range c.loader.prog.Vars() {
		g, ok := main.Members[v.Name].(*ssa.Global)
		if !ok {
			continue
		}
		t := c.types.of(v.Type)
		c.needMethods(t)
		c.vars = append(c.vars, variable{name: v.Name, off: c.globalOff(g), t: t})
	}
}
