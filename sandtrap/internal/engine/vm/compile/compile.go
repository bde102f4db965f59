package compile

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// compiler turns SSA form into a Program.
type compiler struct {
	*ir.Program
	prog       *ssa.Program
	byFn       map[*ssa.Function]*ir.Func
	queue      []*ssa.Function
	stubs      []func()
	calls      []callFix
	made       ir.Listing // of all functions so far
	spare      ir.Listing // room for the next one
	fresh      []*ir.Func
	strsOf     *ir.Func // whose constants strIdx has, in a session
	gOff       map[*ssa.Global]int
	strIdx     map[string]int
	needed     []*ir.Type
	needSet    map[*ir.Type]bool
	onlyValues map[*ssa.Alloc]ssa.Value
	loader     *loader

	reflects bool // the program hands values to host code that looks into them

	origin *ir.Origin
	typed  int        // types that the program had before
	shown  []*ir.Type // whose methods were compiled

	wrapped int // methods that types have from embedded fields, and their instructions
}

// compile compiles the main package. Packages for which script is true are compiled
// too; the others are the host's.
func compile(main *ssa.Package, entry string, l *loader, script func(*types.Package) bool) (p *ir.Program, err error) {
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
		prog:    main.Prog, byFn: map[*ssa.Function]*ir.Func{}, loader: l, origin: ir.OriginOf(l.prog),
	}
	c.Types = &ir.TypeTable{Known: map[types.Type]*ir.Type{}, TypeOf: l.typeOf, Script: script}
	c.reflects = l.reflects()
	c.reach(main, entry)
	c.variables(main)
	c.finish()
	return c.Program, nil
}

// few is how many instructions there is room for at first.
const few = 32

func newProgram(w ir.WrapperTable) *ir.Program {
	p := &ir.Program{Wrappers: w}
	p.Code, p.Pos, p.Words = make([]ir.Ins, 0, few), make([]ir.Spot, 0, few), make([]byte, 0, few*ir.WordSize)
	p.Exts = append(make([]*ir.SlowOp, 0, 2*len(ir.FirstExts)), ir.FirstExts[:]...)
	for k := range ir.FirstExts {
		p.Code, p.Pos = append(p.Code, ir.Ins{Op: ir.OpStop, D: int32(k)}), append(p.Pos, 0)
		p.Words = p.Code[k].Bytes(p.Words)
	}
	return p
}

// reach asks for what a run starts with.
func (c *compiler) reach(main *ssa.Package, entry string) {
	c.Inits, c.Main = nil, nil
	for _, u := range c.loader.units {
		if fn := u.Func("init"); !c.idle(fn) {
			c.Inits = append(c.Inits, c.funcOf(fn))
		}
	}
	if entry != "" { // it is run
		c.Main = c.funcOf(main.Func(entry))
	}
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
	for _, t := range c.Types.All[c.typed:] {
		c.IndexHost(t)
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

func (c *compiler) newFunc(name string, results *ir.Type) *ir.Func {
	f := &ir.Func{Name: name, Recover: -1, Results: results, Rw: results.W(), From: c.origin}
	f.Idx = ir.Enter(&c.Funcs, &c.Gaps.Funcs, f)
	c.fresh = append(c.fresh, f)
	if c.loader.part != nil {
		f.Held = &ir.Holding{}
	}
	return f
}

// scripted reports that fn is code of the script.
func (c *compiler) scripted(fn *ssa.Function) bool { return fn.Blocks != nil || c.earlier(fn) != nil }

func (c *compiler) funcOf(fn *ssa.Function) *ir.Func {
	fn = c.library(fn)
	if f, ok := c.byFn[fn]; ok {
		return f
	}
	if f := c.earlier(fn); f != nil {
		return f
	}
	f := c.newFunc(funcName(fn), c.Types.Of(fn.Signature.Results()))
	f.Ssa, f.At, f.Library = fn, fn.Pos(), fn.Pkg != nil && isLibrary(fn.Pkg.Pkg)
	if c.loader.part != nil {
		c.identify(f, fn)
	}
	f.Wrapper = fn.Synthetic != "" && fn.Name() != "init" && !strings.HasPrefix(fn.Synthetic, "instance") && !strings.HasPrefix(fn.Synthetic, "range-over-func")
	c.byFn[fn] = f
	if !c.scripted(fn) {
		f.Wrapper = true
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

func (c *compiler) closureRef(f *ir.Func) *ir.Closure { return &ir.Closure{Fn: f} }

// hostStub is a host function as a script function.
func (c *compiler) hostStub(out *ir.Func, fn *ssa.Function) {
	var ts []*ir.Type
	if r := fn.Signature.Recv(); r != nil {
		ts = append(ts, c.Types.Of(r.Type()))
	}
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		ts = append(ts, c.Types.Of(ps.At(i).Type()))
	}
	g := c.stub(out, ts)
	g.ssa = fn
	x := g.hostExt(fn)
	n := 0
	for _, t := range ts {
		x.Regs, x.Types = append(x.Regs, n), append(x.Types, t)
		n += t.W()
	}
	x.A = n
	g.ext(x)
	out.Nregs = max(out.Nregs, n+out.Rw+24)
	g.move(0, n, out.Results.Cells)
	g.emit(ir.OpRet, 0, 0, 0, 0)
	g.finish()
}

// hostExt finds the host's side of fn.
func (f *fn) hostExt(fn *ssa.Function) *ir.SlowOp {
	if x := f.gateExt(fn); x != nil {
		return x
	}
	if fn.Signature.Recv() == nil {
		panic(compileError{"no host function " + fn.String()})
	}
	return &ir.SlowOp{Do: ir.DoHostMethod, S: fn.Name(), T: f.Types.Of(fn.Signature.Results()), Ok: fn.Signature.Variadic(), Shares: true}
}

// finish hands the code over.
func (f *fn) finish() {
	c := f.compiler
	from := len(c.made.Code)
	if from == 0 { // perhaps the only one
		c.made = ir.Listing{Code: f.Code, Pos: f.Pos}
		f.out.Body = c.made
		f.Listing = ir.Listing{}
		return
	}
	c.made.Code, c.made.Pos = append(c.made.Code, f.Code...), append(c.made.Pos, f.Pos...)
	f.out.Body = ir.Listing{Code: c.made.Code[from:], Pos: c.made.Pos[from:]}
	c.spare = ir.Listing{Code: f.Code[:0], Pos: f.Pos[:0]}
	f.Listing = ir.Listing{}
}

func (c *compiler) function(s *ssa.Function) {
	out := c.byFn[s]
	f := &fn{compiler: c, ssa: s, out: out}
	f.values, f.operandsOf = f.room.values[:0], f.room.operands[:0]
	f.analyse()
	exts, calls := len(c.Exts), len(c.calls)
	f.top = past(f.nfixed+f.likelyTemps(), f.reach)
	f.generate()
	for f.top != past(f.nfixed+f.maxTemp, f.reach) {
		f.top = past(f.nfixed+f.maxTemp, f.reach)
		f.dropExts(exts)
		c.calls = c.calls[:calls]
		f.generate()
	}
	out.Nregs = f.top
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
		if t.W() > 0 {
			x := f.fact(p)
			x.reg, x.fixed, x.placed = n, true, true
			f.entryValues = append(f.entryValues, p)
		}
		n += t.W()
	}
	f.out.Params = n
	f.limit()
	for _, v := range s.FreeVars {
		if f.typ(v).W() > 0 {
			f.entryValues = append(f.entryValues, v)
		}
	}
	if s.Recover != nil {
		f.pinRecover()
	}
	f.nfixed = max(f.assign(n+1), f.out.Rw)
	f.hoist()
}

// limit refuses what the start of a window cannot hold.
func (f *fn) limit() {
	for _, row := range []struct {
		what string
		w    int
	}{{"parameters", f.out.Params}, {"results", f.out.Rw}} {
		if row.w >= nearMax {
			f.refuse(f.declared(), fmt.Sprintf("compile a function with %s of %d words: %s has %d, where a slice or a complex number is two and a struct as many as its fields",
				row.what, nearMax, f.out.Name, row.w), "put some of them into a slice, or into a struct and pass a pointer to it")
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
	if f.Code == nil {
		f.Listing, f.compiler.spare = f.compiler.spare, ir.Listing{}
	}
	if f.Code == nil {
		f.Listing = ir.Listing{Code: make([]ir.Ins, 0, few), Pos: make([]ir.Spot, 0, few)}
	}
	f.Code, f.Pos, f.fixups, f.starts = f.Code[:0], f.Pos[:0], f.fixups[:0], f.starts[:0]
	f.temp = 0
	f.cur = f.ssa.Pos()
	if !f.out.Wrapper && (f.ssa.Name() != "init" || f.ssa.Synthetic == "") {
		f.emit(ir.OpTick, 0, 0, 0, 0)
	}
	f.captures()
	for _, h := range f.hoistAt {
		f.intTo(h.reg, h.i)
	}
	for _, b := range f.blocks {
		f.starts = append(f.starts, len(f.Code))
		for _, i := range b.Instrs {
			f.instr(i)
		}
		if b == f.ssa.Recover {
			f.out.Recover = f.starts[len(f.starts)-1]
		}
	}
	for _, x := range f.fixups {
		f.Code[x.at].D = int32(f.starts[x.block])
	}
	for k := range f.Code {
		if in := &f.Code[k]; ir.IsJump(in.Op) && in.D <= -2 {
			in.D = -2 - in.D
		}
	}
	f.tidyJumps()
}

// link joins all functions into one piece of code.
func (c *compiler) link() {
	c.Code, c.Pos = slices.Grow(c.Code, len(c.made.Code)), slices.Grow(c.Pos, len(c.made.Pos))
	for _, f := range c.fresh {
		f.Ssa = nil
		c.Place(f)
	}
	c.order()
	for _, fx := range c.calls {
		f := c.Funcs[fx.fn]
		in := &c.Code[f.Entry+fx.at]
		if f.Held != nil {
			f.Held.Called = append(f.Held.Called, c.Funcs[in.D])
		}
		in.D = int32(c.Funcs[in.D].Entry)
	}
	c.Words = append(c.Words, make([]byte, len(c.Code)*ir.WordSize-len(c.Words))...)
	for _, f := range c.fresh {
		for k, in := range c.Code[f.Entry:f.End] {
			at := (f.Entry + k) * ir.WordSize
			in.Bytes(c.Words[at:at])
		}
		c.sanity(f)
	}
	c.grantable()
	c.linkMethods()
}

// sanity refuses code that may go round without a tick, whatever made it.
func (c *compiler) sanity(f *ir.Func) {
	for k, in := range c.Code[f.Entry:f.End] {
		if in.Op >= ir.OpJmp && in.Op < ir.OpLoop && int(in.D) <= f.Entry+k {
			panic(compileError{"vm: a jump back without a tick"})
		}
	}
}

// stretchIns is how many instructions take a fraction of a millisecond.
const stretchIns = 200_000

// grantable finds how many ticks a run may take before it has to look at the clock:
// the longer the functions, the more there may be between two ticks.
func (c *compiler) grantable() {
	if c.Stretch == 0 {
		c.Stretch = stretchIns
	}
	for _, f := range c.fresh {
		c.Stretch = min(c.Stretch, int64(max(1, stretchIns/max(1, f.End-f.Entry))))
	}
}

// slot is the number by which runs know the value of b.
func (c *compiler) slot(b rewrite.Binding) int {
	if c.loader.part != nil {
		return c.loader.part.slot(b)
	}
	ir.SetIn(&c.loader.asked, b.Index, true)
	return b.Index
}

func (c *compiler) globalOff(g *ssa.Global) int {
	if off, ok := c.gOff[g]; ok {
		return off
	}
	e := c.Types.Of(g.Type().Underlying().(*types.Pointer).Elem())
	off := c.Globals
	ir.SetIn(&c.gOff, g, off)
	c.Globals += max(1, e.W())
	c.GlobalBytes += ir.CellsBytes(e.Cells)
	if g.Pkg != nil && !c.Types.Script(g.Pkg.Pkg) {
		panic(compileError{"no host variable " + g.String()})
	}
	return off
}

// variables finds the places of those that the program reports.
func (c *compiler) variables(main *ssa.Package) {
	for _, v := range c.loader.prog.Vars() {
		g, ok := main.Members[v.Obj.Name()].(*ssa.Global)
		if !ok {
			continue
		}
		t := c.Types.Of(v.Type)
		c.needMethods(t)
		c.Vars = append(c.Vars, ir.Variable{Name: v.Name, Off: c.globalOff(g), T: t})
	}
}
