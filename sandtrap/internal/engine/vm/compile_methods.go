package vm

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// methodID numbers methods by name and signature.
func (c *compiler) methodID(m *types.Func) int {
	sig := c.types.of(m.Signature())
	key := m.Id() + "#" + strconv.Itoa(sig.id)
	if k, ok := c.midx[key]; ok {
		return k
	}
	added := &method{key: key, fn: m, sig: sig}
	added.id = put(&c.mids, &c.gaps.mids, added)
	note(&c.midx, key, added.id)
	return added.id
}

// needMethods says that values of t may be found in interfaces.
func (c *compiler) needMethods(t *Type) {
	if _, basic := t.t.(*types.Basic); basic || c.needSet[t] { // basic types have none
		return
	}
	note(&c.needSet, t, true)
	c.needed = append(c.needed, t)
	for _, e := range []*Type{t.elem, t.key} {
		if e != nil {
			c.needMethods(e)
		}
	}
	for _, x := range t.fields {
		c.needMethods(x.typ)
	}
	if c.reflects {
		c.needReflected(t)
	}
}

// needReflected is needMethods for what host code that reflects comes to from t:
// the methods of a pointer, where a value has an address, and what functions return.
func (c *compiler) needReflected(t *Type) {
	n, named := t.t.(*types.Named)
	if named && t.kind != reflect.Interface && n.Obj().Pkg() != nil && c.types.script(n.Obj().Pkg()) || !named && t.kind == reflect.Struct {
		c.needMethods(c.types.of(types.NewPointer(t.t)))
	}
	if sig, ok := t.t.Underlying().(*types.Signature); ok {
		c.needMethods(c.types.of(sig.Results()))
	}
}

// methodsOf compiles the method set of t as interfaces call it: the receiver in
// one cell.
func (c *compiler) methodsOf(t *Type) {
	if t.kind == reflect.Interface || t.kind == kindTuple || t.host != nil {
		return
	}
	if t.kind == reflect.Struct {
		if n, ok := t.t.(*types.Named); ok && n.Obj().Pkg() != nil && !c.types.script(n.Obj().Pkg()) {
			return
		}
	}
	ms := c.prog.MethodSets.MethodSet(t.t)
	if t.methods != nil {
		return // by an earlier cell
	}
	t.methods = map[string]int32{}
	c.shown = append(c.shown, t)
	for i := range ms.Len() {
		sel := ms.At(i)
		m := sel.Obj().(*types.Func)
		if !m.Exported() && m.Pkg() != nil && !c.types.script(m.Pkg()) {
			continue
		}
		c.loader.meter.Unwind() // each may be a wrapper that nobody wrote
		fn := c.prog.MethodValue(sel)
		if fn == nil {
			continue
		}
		if fn.Synthetic != "" {
			c.wraps(t.t, fn)
		}
		if c.reflects {
			c.needMethods(c.types.of(m.Signature().Results()))
		}
		f := c.funcOf(fn)
		f.in = c.types.of(fn.Signature.Params())
		id := c.methodID(m)
		t.ids, t.shown = append(t.ids, id), append(t.shown, c.mids[id])
		if t.w() != 1 {
			f = c.unpackStub(t, fn, f)
		}
		t.methods[m.Id()] = int32(f.idx) + 1
		t.code = append(t.code, f)
	}
}

// unpackStub calls a method whose receiver is not one cell with the receiver
// from an object in cell 0.
func (c *compiler) unpackStub(t *Type, fn *ssa.Function, target *Func) *Func {
	out := c.newFunc(target.name, target.results)
	out.wrapper, out.in = true, target.in
	var ts []*Type
	n := 1
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		pt := c.types.of(ps.At(i).Type())
		ts = append(ts, pt)
		n += pt.w()
	}
	g := c.stub(out, nil)
	g.ssa = fn
	out.params = n
	g.limit()
	g.top = past(max(n, out.rw)+24, t.w()+n)
	out.nregs = g.top
	g.nfixed = n
	g.ext(&ext{do: DoUnpack, a: g.top, b: 0, t: t})
	at, from := g.top+t.w(), 1
	for _, pt := range ts {
		g.move(at, from, pt.cells)
		at += pt.w()
		from += pt.w()
	}
	k := g.emit(opCall, g.top&0xff, g.top>>8, 0, target.idx)
	g.calls = append(g.calls, callFix{out.idx, k})
	g.move(0, g.top, out.results.cells)
	g.emit(opRet, 0, 0, 0, 0)
	g.finish()
	return out
}

// linkMethods makes the dense tables from the maps.
func (c *compiler) linkMethods() {
	for _, t := range c.shown {
		if len(t.methods) == 0 {
			continue
		}
		t.entries = make([]int32, 1+slices.Max(t.ids))
		for _, k := range t.ids {
			t.entries[k] = int32(c.funcs[t.methods[c.mids[k].fn.Id()]-1].entry)
		}
	}
}
