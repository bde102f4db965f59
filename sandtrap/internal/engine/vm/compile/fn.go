package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// fn compiles one function. The window of a callee starts after the temporaries; where
// there are more or less of them than it looked like, the code is made once more.
type fn struct {
	*compiler
	ir.Listing
	ssa    *ssa.Function
	out    *ir.Func
	blocks []*ssa.BasicBlock
	loops  *loops // nil if there are none
	late   bool   // lateDefers

	facts      map[ssa.Value]*fact
	lastValue  ssa.Value // that was asked for last, with its fact
	lastFact   *fact
	spare      []fact       // for facts
	values     []ssa.Value  // for what uses and resolve give
	operandsOf []*ssa.Value // for operands
	room       struct {     // for these two at first
		values   [8]ssa.Value
		operands [8]*ssa.Value
	}
	listed      map[*ssa.Call][]ssa.Value // what these calls of append take one by one
	unmade      map[*ssa.Store]bool       // stores into the arrays that would have held it
	pinned      []ssa.Value
	entryValues []ssa.Value

	hoisted map[hoistKey]int // constants that stay in registers
	hoistAt []hoist
	nfixed  int
	top     int // first cell of a callee's window
	reach   int // cells from there on that calls use
	temp    int
	maxTemp int
	starts  []int
	fixups  []fixup
	reached []bool // for dropCode, as is moved
	moved   []int32
	lastExt *ir.SlowOp
	loads   []hostLoad // after which there has been nothing but loads
	cur     token.Pos
}

type fixup struct{ at, block int }

// A fact is what is known of a value.
type fact struct {
	typ         *ir.Type
	lazy, fused answer
	promoted    bool // a local variable in registers
	tardy       bool // an address that is not used in time: see findTardy
	fixed       bool // its registers are given from outside: a parameter
	placed      bool // reg is known
	reg         int

	defined     bool // the fields below are known
	pinned      bool // needed everywhere
	block, from int
	uses        []use
	firstUse    [1]use
	class       class
}

// An answer is yes, no, or not found out yet.
type answer int8

func answerOf(yes bool) answer {
	if yes {
		return 1
	}
	return -1
}

func (f *fn) fact(v ssa.Value) *fact {
	x := f.known(v)
	if x == nil {
		if len(f.spare) == 0 {
			f.spare = make([]fact, 8)
		}
		x = &f.spare[0]
		f.spare = f.spare[1:]
		f.facts[v] = x
		f.lastValue, f.lastFact = v, x
	}
	return x
}

// known is what is known of v, nil if nothing is. Most questions come in rows about one value.
func (f *fn) known(v ssa.Value) *fact {
	if v != f.lastValue {
		f.lastValue, f.lastFact = v, f.facts[v]
	}
	return f.lastFact
}

// reg is the first register of v, if it has one.
func (f *fn) reg(v ssa.Value) (int, bool) {
	x := f.known(v)
	if x == nil || !x.placed {
		return 0, false
	}
	return x.reg, true
}

func (f *fn) regOf(v ssa.Value) int {
	r, _ := f.reg(v)
	return r
}

func (f *fn) isPromoted(a *ssa.Alloc) bool {
	x := f.known(a)
	return x != nil && x.promoted
}

type compileError struct{ msg string }

// A refused construct is Go, but not for this engine.
type refused struct {
	pos       token.Pos
	construct string // after "engine vm cannot"
	hint      string
}

func (f *fn) refuse(pos token.Pos, construct, hint string) {
	if !pos.IsValid() {
		pos = f.cur
	}
	panic(refused{pos, construct, hint})
}

func (f *fn) fail(format string, args ...any) {
	panic(compileError{f.ssa.String() + ": " + fmt.Sprintf(format, args...)})
}

func (f *fn) typ(v ssa.Value) *ir.Type {
	if isConstLike(v) {
		return f.Types.Of(v.Type())
	}
	return f.typAs(v, f.fact(v))
}

func (f *fn) typAs(v ssa.Value, x *fact) *ir.Type {
	if x.typ == nil {
		x.typ = f.typeOf(v)
	}
	return x.typ
}

func (f *fn) typeOf(v ssa.Value) *ir.Type {
	switch v := v.(type) {
	case *ssa.Range:
		return ir.Universe.Any
	case *ssa.FreeVar:
		if f.isCopy(v) {
			return f.elemOf(v)
		}
	}
	return f.Types.Of(v.Type())
}

// lazy values have no code of their own: they name a part of another value, or
// an address that their users compute themselves.
func (f *fn) lazy(v ssa.Value) bool { return f.lazyAs(v, f.fact(v)) }

func (f *fn) lazyAs(v ssa.Value, x *fact) bool {
	if x.lazy == 0 {
		x.lazy = answerOf(f.isLazy(v, x))
	}
	return x.lazy > 0
}

func (f *fn) isLazy(v ssa.Value, x *fact) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return f.isPromoted(v) || f.onlyValue(v) != nil
	case *ssa.UnOp:
		x, ok := f.isCopied(v)
		return ok && !isConstLike(x)
	case *ssa.Extract:
		return true
	case *ssa.ChangeType:
		return !isConstLike(v.X) && ir.SameForm(f.typ(v), f.typ(v.X))
	case *ssa.ChangeInterface:
		return !isConstLike(v.X)
	case *ssa.Field:
		return !isConstLike(v.X) && !f.typ(v.X).Agg
	case *ssa.FieldAddr:
		return !x.tardy && f.elemOf(v.X).Kind != ir.KindHost && f.addressable(v) && onlyMemory(v)
	case *ssa.IndexAddr:
		return !x.tardy && f.addressable(v) && onlyMemory(v) && len(*v.Referrers()) <= 2
	case *ssa.Call:
		return f.isLength(v)
	}
	return false // or fused
}

// isLength reports len of a slice, which is there beside the slice.
func (f *fn) isLength(v *ssa.Call) bool {
	b, ok := v.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len" && !isConstLike(v.Call.Args[0]) && f.typ(v.Call.Args[0]).Kind == reflect.Slice
}

func isConstLike(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Global, *ssa.Builtin:
		return true
	case *ssa.ChangeType:
		return isConstLike(v.X)
	}
	return false
}

// addressable reports that the value lies flat where the pointer says.
func (f *fn) addressable(v ssa.Value) bool {
	e := f.elemOf(v)
	if e.Agg {
		return false
	}
	for _, c := range e.Cells {
		if c.Agg != nil {
			return false
		}
	}
	return len(e.Cells) > 0
}

func (f *fn) elemOf(v ssa.Value) *ir.Type {
	return f.Types.Of(v.Type().Underlying().(*types.Pointer).Elem())
}

// onlyMemory reports that the address is used for loads and stores only.
func onlyMemory(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if r.Addr != v || r.Val == v {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyMemory(r) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// promote finds the local variables that can live in registers.
func (f *fn) promote() {
	for _, b := range f.blocks {
		for _, i := range b.Instrs {
			a, ok := i.(*ssa.Alloc)
			if !ok || a.Heap || !f.addressable(a) {
				continue
			}
			if f.elemOf(a).W() <= ir.InlineMax && onlyMemory(a) && f.fieldsFlat(a) {
				f.fact(a).promoted = true
				f.pinned = append(f.pinned, a)
			}
		}
	}
}

func (f *fn) fieldsFlat(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if fa, ok := r.(*ssa.FieldAddr); ok {
			if !f.addressable(fa) || !f.fieldsFlat(fa) {
				return false
			}
		}
	}
	return true
}

// fused reports a comparison that its only user, a branch right after it, does
// itself.
func (f *fn) fused(v ssa.Value) bool { return f.fusedAs(v, f.fact(v)) }

func (f *fn) fusedAs(v ssa.Value, x *fact) bool {
	if x.fused == 0 {
		x.fused = answerOf(f.isFused(v))
	}
	return x.fused > 0
}

func (f *fn) isFused(v ssa.Value) bool {
	b, ok := v.(*ssa.BinOp)
	if !ok || len(*b.Referrers()) != 1 {
		return false
	}
	cond, ok := (*b.Referrers())[0].(*ssa.If)
	if !ok || cond.Block() != b.Block() {
		return false
	}
	switch b.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	t := f.typ(b.X)
	if t.W() == 1 && t.Cells[0].M == ir.BankI {
		return true
	}
	if t.W() == 1 && t.Cells[0].M&ir.BankR != 0 && !t.Agg && (b.Op == token.EQL || b.Op == token.NEQ) {
		return isNilConst(b.X) || isNilConst(b.Y)
	}
	return false
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// needsReg reports that v has registers of its own.
func (f *fn) needsReg(v ssa.Value) bool {
	if isConstLike(v) {
		return false
	}
	x := f.fact(v)
	if x.promoted {
		return true
	}
	if f.lazyAs(v, x) || f.fusedAs(v, x) {
		return false
	}
	return f.typAs(v, x).W() > 0
}

// early reports that the result may share registers with operands: one
// instruction, which reads before it writes.
func (f *fn) early(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.BinOp:
		t, x := f.typ(i), f.typ(i.X)
		return t.W() == 1 && x.W() == 1 && t.Kind == x.Kind && t.Cells[0].M == ir.BankI && i.Op != token.SHL && i.Op != token.SHR
	case *ssa.Call:
		return f.listed[i] != nil // its values are read later
	}
	return false
}

// resolve appends the values whose registers v is made of.
func (f *fn) resolve(v ssa.Value, to []ssa.Value) []ssa.Value {
	if v == nil || isConstLike(v) {
		return to
	}
	x := f.fact(v)
	if x.promoted {
		return to
	}
	if a, ok := v.(*ssa.Alloc); ok {
		if only := f.onlyValue(a); only != nil {
			return f.resolve(only, to)
		}
	}
	if f.lazyAs(v, x) || f.fusedAs(v, x) {
		return f.operands(v.(ssa.Instruction), to)
	}
	if f.typAs(v, x).W() == 0 {
		return to
	}
	return append(to, v)
}

func (f *fn) operands(i ssa.Instruction, to []ssa.Value) []ssa.Value {
	from := len(f.operandsOf)
	f.operandsOf = i.Operands(f.operandsOf)
	for k, end := from, len(f.operandsOf); k < end; k++ {
		if o := *f.operandsOf[k]; o != nil {
			to = f.resolve(o, to)
		}
	}
	f.operandsOf = f.operandsOf[:from]
	return to
}

// uses appends the values an instruction needs in registers when it runs.
func (f *fn) uses(i ssa.Instruction, to []ssa.Value) []ssa.Value {
	switch i := i.(type) {
	case *ssa.DebugRef:
		return to
	case *ssa.Store:
		if f.isUnmade(i) {
			return to
		}
	case *ssa.Call:
		if f.listed[i] != nil {
			return f.resolve(i.Call.Args[0], to)
		}
	}
	if v, ok := i.(ssa.Value); ok {
		if x := f.fact(v); x.promoted || f.lazyAs(v, x) || f.fusedAs(v, x) {
			return to
		}
	}
	return f.operands(i, to)
}

// width is the number of cells v needs.
func (f *fn) width(v ssa.Value) int {
	if a, ok := v.(*ssa.Alloc); ok && f.isPromoted(a) {
		return f.elemOf(a).W()
	}
	return f.typ(v).W()
}

// hoistKey is a number constant as its cell holds it.
type hoistKey struct{ i int64 }

type hoist struct {
	i   int64
	reg int
}

const maxHoisted = 16

// hoist reserves registers for the number constants that code in loops uses and
// no instruction can hold itself; they are loaded once, on entry.
func (f *fn) hoist() {
	for _, b := range f.blocks {
		if !f.inLoop(b) {
			continue
		}
		for _, i := range b.Instrs {
			for _, o := range i.Operands(nil) {
				c, ok := (*o).(*ssa.Const)
				if ok && f.worthHoisting(i, c) {
					f.hoistConst(c)
				}
			}
		}
	}
}

// worthHoisting reports a number operand of arithmetic or a comparison.
func (f *fn) worthHoisting(i ssa.Instruction, c *ssa.Const) bool {
	b, ok := i.(*ssa.BinOp)
	if !ok || c.Value == nil {
		return false
	}
	t := f.typ(c)
	if ir.IsFloat(t) {
		return true
	}
	n, ok := f.intConst(c)
	if !ok {
		return false
	}
	switch b.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.SHL, token.SHR:
		return n != int64(int32(n)) || b.Op == token.SUB && b.X == c || (b.Op == token.SHL || b.Op == token.SHR) && b.X == c
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return n != int64(int16(n)) || ir.IsUnsigned(t) || b.X == c
	}
	return true
}

func (f *fn) hoistConst(c *ssa.Const) {
	i, _, _, _ := constBits(c.Value, f.typ(c))
	if _, ok := f.hoisted[hoistKey{i}]; ok || len(f.hoistAt) >= maxHoisted || f.nfixed >= nearMax {
		return
	}
	if f.hoisted == nil {
		f.hoisted = map[hoistKey]int{}
	}
	f.hoisted[hoistKey{i}] = f.nfixed
	f.hoistAt = append(f.hoistAt, hoist{i, f.nfixed})
	f.nfixed++
}

// inLoop reports a block that may run more than once in a call.
func (f *fn) inLoop(b *ssa.BasicBlock) bool { return f.loops != nil && f.loops.in[b.Index] != none }

// likelyTemps is how many temporaries the code is going to need, most of the time: one if
// a constant has to be in a register.
func (f *fn) likelyTemps() int {
	for _, b := range f.blocks {
		for _, i := range b.Instrs {
			switch i.(type) {
			case *ssa.MakeInterface, *ssa.IndexAddr, *ssa.Slice, *ssa.Lookup, *ssa.MapUpdate, *ssa.MakeSlice, *ssa.MakeChan, *ssa.Send:
				f.operandsOf = i.Operands(f.operandsOf[:0])
				for _, o := range f.operandsOf {
					if *o != nil && isConstLike(*o) {
						return 1
					}
				}
			}
		}
	}
	return 0
}
