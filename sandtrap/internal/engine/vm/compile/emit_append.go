package compile

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// go/ssa makes an array of the values that append is given one by one, and a slice of
// that. Neither is there where the values go right into the slice that grows.

// maxListed is how many values an instruction has room for the number of.
const maxListed = 15

// fuseAppend finds the values of append(s, x, y), all from before, and has nothing made of
// what holds them.
func (f *fn) fuseAppend(c *ssa.Call) {
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "append" {
		return
	}
	list, ok := c.Call.Args[1].(*ssa.Slice)
	if !ok || list.Block() != c.Block() || onlyUser(list) != c {
		return
	}
	array, ok := list.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" || array.Block() != c.Block() || !f.flatElem(f.typ(c)) {
		return
	}
	stores, ok := listStores(array, list)
	if !ok {
		return
	}
	if f.unmade == nil {
		f.listed, f.unmade = map[*ssa.Call][]ssa.Value{}, map[*ssa.Store]bool{}
	}
	var values []ssa.Value
	for _, s := range stores {
		values = append(values, s.Val)
		f.unmade[s] = true
		f.fact(s.Addr).lazy = 1
	}
	f.listed[c] = values
	f.fact(list).lazy, f.fact(array).lazy = 1, 1
}

// isUnmade reports a store into what is not made.
func (f *fn) isUnmade(s *ssa.Store) bool { return f.unmade[s] || f.copied(s.Addr) != nil }

// flatElem reports a slice whose elements can be stored by the loop.
func (f *fn) flatElem(t *ir.Type) bool {
	return t.Kind == reflect.Slice && t.Elem.W() > 0 && !t.Elem.Agg && t.Elem.Plain()
}

// listStores gives the stores that fill array, in order, if that and list are all that is
// done with it.
func listStores(array *ssa.Alloc, list *ssa.Slice) ([]*ssa.Store, bool) {
	n := array.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len()
	if n > maxListed {
		return nil, false
	}
	stores := make([]*ssa.Store, n)
	for _, r := range *array.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Slice:
			if r != list {
				return nil, false
			}
		case *ssa.IndexAddr:
			k, isConst := r.Index.(*ssa.Const)
			s, isStore := onlyUser(r).(*ssa.Store)
			if !isConst || !isStore || s.Addr != r || s.Block() != array.Block() || stores[k.Int64()] != nil {
				return nil, false
			}
			stores[k.Int64()] = s
		default:
			return nil, false
		}
	}
	for _, s := range stores {
		if s == nil {
			return nil, false
		}
	}
	return stores, true
}

// appendListed compiles append with the values one by one.
func (f *fn) appendListed(c *ssa.Call, values []ssa.Value) {
	t := f.typ(c)
	dst, done := f.outReg(f.val(c), t.Cells)
	idx := f.newTemp(1)
	if far(idx, 1) {
		idx = nearMax + 2*scratchSize
	}
	var elem any = t.Elem
	if room := f.frameElems(c); room > 0 {
		elem = ir.FrameElem{Type: t.Elem, Room: room}
	}
	f.emit(ir.OpGrow, dst, f.use(c.Call.Args[0], 1), idx, len(values)|f.putRef(elem)<<4)
	temp := f.temp
	for k, v := range values {
		f.temp = temp
		if k > 0 {
			f.emit(ir.OpAddI, idx, idx, 0, 1)
		}
		f.store(addr{kind: atSlice, r: dst, idx: idx, elem: t.Elem}, f.val(v), t.Elem)
	}
	done()
}
