package vm

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doMakeMap(m *machine, x *ir.SlowOp) {
	m.alloc(mapBytes)
	m.R[x.A] = follow(m, newMap(x.T))
}

func (m *machine) mapAt(r int) *Map {
	h, _ := m.R[r].(*Map)
	return h
}

func doLookup(m *machine, x *ir.SlowOp) {
	h := m.mapAt(x.B)
	if h != nil && h.view != nil {
		m.viewLookup(h, x)
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	row := -1
	switch {
	case h == nil && x.Stores:
		throwPlain("assignment to entry in nil map")
	case h == nil || h.count == 0:
		m.absent(x.T.Key, w, x.C, x.Stores)
	default:
		row = h.find(m.keys(), w, x.C)
	}
	e := x.T.Elem
	if row >= 0 {
		rawCopy(e.Cells, w, x.A, h.vals, row*e.W())
	} else {
		zeroCells(e, w, x.A)
	}
	if x.Ok {
		m.I[x.A+e.W()] = ir.BoolBits(row >= 0)
	}
}

// absent looks at a key that a map without entries is asked for: if it is no key Go
// panics all the same, with another text if nothing is going to be stored.
func (m *machine) absent(key *ir.Type, b bank, k int, stores bool) {
	if !mayHoldAny(key) {
		return
	}
	p := m.keys()
	p.absent = !stores
	mapKey(p, key, b, k)
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

func doMapUpdate(m *machine, x *ir.SlowOp) {
	h := m.mapAt(x.A)
	if h == nil {
		throwPlain("assignment to entry in nil map")
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.putEntry(h, w, x.B, w, x.C)
}

func doDelete(m *machine, x *ir.SlowOp) {
	h, w := m.mapAt(x.Regs[0]), &ir.Obj{I: m.I, S: m.S, R: m.R}
	switch {
	case h != nil && h.view != nil:
		h.view.set(h.view.key(h.t, w, x.Regs[1]), reflect.Value{})
	case h == nil || h.count == 0:
		m.absent(x.Types[0].Key, w, x.Regs[1], false)
	default:
		h.remove(m.keys(), w, x.Regs[1])
	}
}

func doLenMap(m *machine, x *ir.SlowOp) {
	m.I[x.A] = 0
	if h := m.mapAt(x.B); h != nil {
		m.I[x.A] = int64(h.len())
	}
}

func doClear(m *machine, x *ir.SlowOp) {
	if x.Types[0].Kind == reflect.Map {
		if h := m.mapAt(x.Regs[0]); h != nil {
			h.clear()
		}
		return
	}
	store, off, n, _ := m.sliceAt(x.Regs[0])
	if n > 0 {
		m.clearElems(x.Types[0].Elem, store, off, n)
	}
}

// iter is the state of a range over a map or string.
type iter struct {
	h     *Map
	row   int
	epoch int
	snap  *Map // of a map of the host's: what is ranged over
	s     string
	pos   int
}

func doRange(m *machine, x *ir.SlowOp) {
	if x.T.Kind == reflect.String {
		m.R[x.A] = &iter{s: m.S[x.B]}
		return
	}
	h := m.mapAt(x.B)
	it := &iter{h: h}
	if h != nil {
		it.epoch, h.ranged = h.epoch, true
	}
	if h != nil && h.view != nil {
		it.snap = h.solid()
	}
	m.R[x.A] = it
}

func doNext(m *machine, x *ir.SlowOp) {
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
	if it.epoch != h.epoch {
		if it.epoch+1 == h.epoch && it.row < len(h.moved) {
			it.row = int(h.moved[it.row])
		} else {
			it.row = 0
		}
		it.epoch = h.epoch
	}
	if h.view != nil {
		it.overView()
		m.viewNext(it, x)
		return
	}
	it.row = max(it.row, h.head)
	for it.row < h.rows && !h.alive[it.row] {
		it.row++
		m.moved(1)
	}
	if it.row >= h.rows {
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.I[x.A] = 1
	if kf.Typ.W() > 0 {
		rawCopy(kf.Typ.Cells, w, x.A+kf.Off, h.keys, it.row*h.t.Key.W())
	}
	if vf.Typ.W() > 0 {
		rawCopy(vf.Typ.Cells, w, x.A+vf.Off, h.vals, it.row*h.t.Elem.W())
	}
	it.row++
}

// A map may be promoted while it is ranged over. The iterator then goes on over the
// rows that there were.
func (it *iter) overView() {
	if it.snap == nil {
		it.snap = it.h.left
	}
}

// viewLookup is doLookup in a map of the host's.
func (m *machine) viewLookup(h *Map, x *ir.SlowOp) {
	e, w := x.T.Elem, &ir.Obj{I: m.I, S: m.S, R: m.R}
	v := h.view.get(h.view.key(h.t, w, x.C))
	if v.IsValid() {
		fromHost(m, v, e, w, x.A)
	} else {
		zeroCells(e, w, x.A)
	}
	if x.Ok {
		m.I[x.A+e.W()] = ir.BoolBits(v.IsValid())
	}
}

// viewNext is doNext over a map of the host's: over the keys that there were when it
// began, and are there still.
func (m *machine) viewNext(it *iter, x *ir.SlowOp) {
	kf, vf := x.T.Fields[1], x.T.Fields[2]
	h, s, w := it.h, it.snap, &ir.Obj{I: m.I, S: m.S, R: m.R}
	for ; it.row < s.rows; it.row++ {
		m.look()
		if !s.alive[it.row] {
			continue
		}
		k := it.row * h.t.Key.W()
		key := h.view.key(h.t, s.keys, k)
		v := h.view.get(key)
		switch {
		case v.IsValid() && vf.Typ.W() > 0:
			fromHost(m, v, vf.Typ, w, x.A+vf.Off)
		case !v.IsValid() && (key.Equal(key) || h.view.len() == 0):
			continue // deleted
		case !v.IsValid() && vf.Typ.W() > 0: // NaN, which is never found
			rawCopy(vf.Typ.Cells, w, x.A+vf.Off, s.vals, it.row*h.t.Elem.W())
		}
		m.I[x.A] = 1
		if kf.Typ.W() > 0 {
			rawCopy(kf.Typ.Cells, w, x.A+kf.Off, s.keys, k)
		}
		it.row++
		return
	}
}
