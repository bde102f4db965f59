package ops

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func MakeMap(m *exec.Machine, x *ir.SlowOp) {
	m.Alloc(exec.MapBytes)
	m.R[x.A] = exec.Follow(m, exec.NewMap(x.T))
}

func mapAt(m *exec.Machine, r int) *exec.Map {
	h, _ := m.R[r].(*exec.Map)
	return h
}

func Lookup(m *exec.Machine, x *ir.SlowOp) {
	h := mapAt(m, x.B)
	if h != nil && h.View != nil {
		viewLookup(m, h, x)
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	row := -1
	switch {
	case h == nil && x.Stores:
		exec.ThrowPlain("assignment to entry in nil map")
	case h == nil || h.Count == 0:
		absent(m, x.T.Key, w, x.C, x.Stores)
	default:
		row = h.Find(m.Keys(), w, x.C)
	}
	e := x.T.Elem
	if row >= 0 {
		exec.RawCopy(e.Cells, w, x.A, h.Vals, row*e.W())
	} else {
		exec.ZeroCells(e, w, x.A)
	}
	if x.Ok {
		m.I[x.A+e.W()] = ir.BoolBits(row >= 0)
	}
}

// absent looks at a key that a map without entries is asked for: if it is no key Go
// panics all the same, with another text if nothing is going to be stored.
func absent(m *exec.Machine, key *ir.Type, b exec.Bank, k int, stores bool) {
	if !mayHoldAny(key) {
		return
	}
	p := m.Keys()
	p.Absent = !stores
	exec.MapKey(p, key, b, k)
}

// mayHoldAny reports a type of keys that may hold what cannot be hashed.
func mayHoldAny(t *ir.Type) bool {
	switch t.Kind {
	case reflect.Interface, ir.KindHost:
		return true
	case reflect.Array:
		return mayHoldAny(t.Elem)
	case reflect.Struct:
		return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return mayHoldAny(f.Typ) })
	}
	return false
}

func MapUpdate(m *exec.Machine, x *ir.SlowOp) {
	h := mapAt(m, x.A)
	if h == nil {
		exec.ThrowPlain("assignment to entry in nil map")
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.PutEntry(h, w, x.B, w, x.C)
}

func Delete(m *exec.Machine, x *ir.SlowOp) {
	h, w := mapAt(m, x.Regs[0]), &ir.Obj{I: m.I, S: m.S, R: m.R}
	switch {
	case h != nil && h.View != nil:
		h.View.Set(h.View.Key(h.T, w, x.Regs[1]), reflect.Value{})
	case h == nil || h.Count == 0:
		absent(m, x.Types[0].Key, w, x.Regs[1], false)
	default:
		h.Remove(m.Keys(), w, x.Regs[1])
	}
}

func LenMap(m *exec.Machine, x *ir.SlowOp) {
	m.I[x.A] = 0
	if h := mapAt(m, x.B); h != nil {
		m.I[x.A] = int64(h.Len())
	}
}

func Clear(m *exec.Machine, x *ir.SlowOp) {
	if x.Types[0].Kind == reflect.Map {
		if h := mapAt(m, x.Regs[0]); h != nil {
			h.Clear()
		}
		return
	}
	store, off, n, _ := m.SliceAt(x.Regs[0])
	if n > 0 {
		m.ClearElems(x.Types[0].Elem, store, off, n)
	}
}

// iter is the state of a range over a map or string.
type iter struct {
	h     *exec.Map
	row   int
	epoch int
	snap  *exec.Map // of a map of the host's: what is ranged over
	s     string
	pos   int
}

func Range(m *exec.Machine, x *ir.SlowOp) {
	if x.T.Kind == reflect.String {
		m.R[x.A] = &iter{s: m.S[x.B]}
		return
	}
	h := mapAt(m, x.B)
	it := &iter{h: h}
	if h != nil {
		it.epoch, h.Ranged = h.Epoch, true
	}
	if h != nil && h.View != nil {
		it.snap = h.Solid()
	}
	m.R[x.A] = it
}

func Next(m *exec.Machine, x *ir.SlowOp) {
	it := m.R[x.B].(*iter)
	kf, vf := x.T.Fields[1], x.T.Fields[2]
	if x.Ok {
		m.I[x.A] = ir.BoolBits(it.pos < len(it.s))
		if it.pos < len(it.s) {
			r, n := utf8.DecodeRuneInString(it.s[it.pos:])
			if kf.Typ.W() > 0 {
				m.I[x.A+kf.Off] = int64(it.pos)
			}
			if vf.Typ.W() > 0 {
				m.I[x.A+vf.Off] = int64(r)
			}
			it.pos += n
		}
		return
	}
	h := it.h
	m.I[x.A] = 0
	if h == nil {
		return
	}
	if it.epoch != h.Epoch {
		if it.epoch+1 == h.Epoch && it.row < len(h.Moved) {
			it.row = int(h.Moved[it.row])
		} else {
			it.row = 0
		}
		it.epoch = h.Epoch
	}
	if h.View != nil {
		it.overView()
		viewNext(m, it, x)
		return
	}
	it.row = max(it.row, h.Head)
	for it.row < h.Rows && !h.Alive[it.row] {
		it.row++
		m.CountCopied(1)
	}
	if it.row >= h.Rows {
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.I[x.A] = 1
	if kf.Typ.W() > 0 {
		exec.RawCopy(kf.Typ.Cells, w, x.A+kf.Off, h.Keys, it.row*h.T.Key.W())
	}
	if vf.Typ.W() > 0 {
		exec.RawCopy(vf.Typ.Cells, w, x.A+vf.Off, h.Vals, it.row*h.T.Elem.W())
	}
	it.row++
}

// A map may be promoted while it is ranged over. The iterator then goes on over the
// rows that there were.
func (it *iter) overView() {
	if it.snap == nil {
		it.snap = it.h.Left
	}
}

// viewLookup is Lookup in a map of the host's.
func viewLookup(m *exec.Machine, h *exec.Map, x *ir.SlowOp) {
	e, w := x.T.Elem, &ir.Obj{I: m.I, S: m.S, R: m.R}
	v := h.View.Get(h.View.Key(h.T, w, x.C))
	if v.IsValid() {
		exec.FromHost(m, v, e, w, x.A)
	} else {
		exec.ZeroCells(e, w, x.A)
	}
	if x.Ok {
		m.I[x.A+e.W()] = ir.BoolBits(v.IsValid())
	}
}

// viewNext is Next over a map of the host's: over the keys that there were when it
// began, and are there still.
func viewNext(m *exec.Machine, it *iter, x *ir.SlowOp) {
	kf, vf := x.T.Fields[1], x.T.Fields[2]
	h, s, w := it.h, it.snap, &ir.Obj{I: m.I, S: m.S, R: m.R}
	for ; it.row < s.Rows; it.row++ {
		m.Poll()
		if !s.Alive[it.row] {
			continue
		}
		k := it.row * h.T.Key.W()
		key := h.View.Key(h.T, s.Keys, k)
		v := h.View.Get(key)
		switch {
		case v.IsValid() && vf.Typ.W() > 0:
			exec.FromHost(m, v, vf.Typ, w, x.A+vf.Off)
		case !v.IsValid() && (key.Equal(key) || h.View.Len() == 0):
			continue // deleted
		case !v.IsValid() && vf.Typ.W() > 0: // NaN, which is never found
			exec.RawCopy(vf.Typ.Cells, w, x.A+vf.Off, s.Vals, it.row*h.T.Elem.W())
		}
		m.I[x.A] = 1
		if kf.Typ.W() > 0 {
			exec.RawCopy(kf.Typ.Cells, w, x.A+kf.Off, s.Keys, k)
		}
		it.row++
		return
	}
}
