package compile

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// methodID numbers methods by name and signature.
func (c *compiler) methodID(m *types.Func) int {
	sig := c.Types.Of(m.Signature())
	key := m.Id() + "#" + strconv.Itoa(sig.ID)
	if k, ok := c.Midx[key]; ok {
		return k
	}
	added := &ir.Method{Key: key, Fn: m, Sig: sig}
	added.Id = ir.Enter(&c.MethodIDs, &c.Gaps.Mids, added)
	ir.SetIn(&c.Midx, key, added.Id)
	return added.Id
}

// needMethods says that values of t may be found in interfaces.
func (c *compiler) needMethods(t *ir.Type) {
	if _, basic := t.T.(*types.Basic); basic || c.needSet[t] { // basic types have none
		return
	}
	ir.SetIn(&c.needSet, t, true)
	c.needed = append(c.needed, t)
	for _, e := range []*ir.Type{t.Elem, t.Key} {
		if e != nil {
			c.needMethods(e)
		}
	}
	for _, x := range t.Fields {
		c.needMethods(x.Typ)
	}
	if c.reflects {
		c.needReflected(t)
	}
}

// needReflected is needMethods for what host code that reflects comes to from t:
// the methods of a pointer, where a value has an address, and what functions return.
func (c *compiler) needReflected(t *ir.Type) {
	n, named := t.T.(*types.Named)
	if named && t.Kind != reflect.Interface && n.Obj().Pkg() != nil && c.Types.Script(n.Obj().Pkg()) || !named && t.Kind == reflect.Struct {
		c.needMethods(c.Types.Of(types.NewPointer(t.T)))
	}
	if sig, ok := t.T.Underlying().(*types.Signature); ok {
		c.needMethods(c.Types.Of(sig.Results()))
	}
}

// methodsOf compiles the method set of t as interfaces call it: the receiver in
// one cell.
func (c *compiler) methodsOf(t *ir.Type) {
	if t.Kind == reflect.Interface || t.Kind == ir.KindTuple || t.Host != nil {
		return
	}
	if t.Kind == reflect.Struct {
		if n, ok := t.T.(*types.Named); ok && n.Obj().Pkg() != nil && !c.Types.Script(n.Obj().Pkg()) {
			return
		}
	}
	ms := c.prog.MethodSets.MethodSet(t.T)
	if t.Methods != nil {
		return // by an earlier cell
	}
	t.Methods = map[string]int32{}
	c.shown = append(c.shown, t)
	for i := range ms.Len() {
		sel := ms.At(i)
		m := sel.Obj().(*types.Func)
		if !m.Exported() && m.Pkg() != nil && !c.Types.Script(m.Pkg()) {
			continue
		}
		c.loader.meter.Unwind() // each may be a wrapper that nobody wrote
		fn := c.prog.MethodValue(sel)
		if fn == nil {
			continue
		}
		if fn.Synthetic != "" {
			c.wraps(t.T, fn)
		}
		if c.reflects {
			c.needMethods(c.Types.Of(m.Signature().Results()))
		}
		f := c.funcOf(fn)
		f.In = c.Types.Of(fn.Signature.Params())
		id := c.methodID(m)
		t.Ids, t.Shown = append(t.Ids, id), append(t.Shown, c.MethodIDs[id])
		if t.W() != 1 {
			f = c.unpackStub(t, fn, f)
		}
		t.Methods[m.Id()] = int32(f.Idx) + 1
		t.Code = append(t.Code, f)
	}
}

// unpackStub calls a method whose receiver is not one cell with the receiver
// from an object in cell 0.
func (c *compiler) unpackStub(t *ir.Type, fn *ssa.Function, target *ir.Func) *ir.Func {
	out := c.newFunc(target.Name, target.Results)
	out.Wrapper, out.In, out.Unpacked = true, target.In, target
	var ts []*ir.Type
	n := 1
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		pt := c.Types.Of(ps.At(i).Type())
		ts = append(ts, pt)
		n += pt.W()
	}
	g := c.stub(out, nil)
	g.ssa = fn
	out.Params = n
	g.limit()
	g.top = past(max(n, out.Rw)+24, t.W()+n)
	out.Nregs = g.top
	g.nfixed = n
	g.ext(&ir.SlowOp{Do: ir.DoUnpack, A: g.top, B: 0, T: t})
	at, from := g.top+t.W(), 1
	for _, pt := range ts {
		g.move(at, from, pt.Cells)
		at += pt.W()
		from += pt.W()
	}
	k := g.emit(ir.OpCall, g.top&0xff, g.top>>8, 0, target.Idx)
	g.calls = append(g.calls, callFix{out.Idx, k})
	g.move(0, g.top, out.Results.Cells)
	g.emit(ir.OpRet, 0, 0, 0, 0)
	g.finish()
	return out
}

// linkMethods makes the dense tables from the maps.
func (c *compiler) linkMethods() {
	for _, t := range c.shown {
		if len(t.Methods) == 0 {
			continue
		}
		t.Entries = make([]int32, 1+slices.Max(t.Ids))
		for _, k := range t.Ids {
			t.Entries[k] = int32(c.Funcs[t.Methods[c.MethodIDs[k].Fn.Id()]-1].Entry)
		}
	}
}
