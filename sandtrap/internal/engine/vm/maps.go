package vm

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Map is a map: an index into rows of keys and values, which keep the order of
// insertion. A deleted row stays empty until the rows are packed.
type Map struct {
	t     *ir.Type
	ints  map[int64]int32
	strs  map[string]int32
	any   map[any]int32
	keys  *ir.Obj
	vals  *ir.Obj
	alive []bool
	rows  int // used rows
	head  int // there is nothing in the rows before it
	last  int // the row found last: what is looked up is often stored next
	paid  int // rows that were charged
	count int

	epoch int     // changes when rows move
	moved []int32 // where the rows of the epoch before went

	ranged bool     // it was ever ranged over
	view   *mapView // if set, the entries are the host's and there are no rows
	left   *Map     // the rows there were before, for iterators that are on their way
}

func newMap(t *ir.Type) *Map {
	h := &Map{t: t, keys: &ir.Obj{}, vals: &ir.Obj{}}
	switch {
	case t.Key.Kind == reflect.String:
		h.strs = map[string]int32{}
	case t.Key.W() == 1 && t.Key.Cells[0].M == ir.BankI && !ir.IsFloat(t.Key) && t.Key.Kind != reflect.Struct:
		h.ints = map[int64]int32{}
	default:
		h.any = map[any]int32{}
	}
	return h
}

func doMakeMap(m *machine, x *ir.SlowOp) {
	m.alloc(mapBytes)
	m.R[x.A] = follow(m, newMap(x.T))
}

// find gives the row of a key, or -1.
func (h *Map) find(p *nest, b bank, k int) int {
	if h.last < h.rows && h.isLast(p, b, k) {
		return h.last
	}
	var r int32
	var ok bool
	switch {
	case h.ints != nil:
		r, ok = h.ints[b.I[k]]
	case h.strs != nil:
		r, ok = h.strs[p.textKey(b.S[k])]
	default:
		r, ok = h.any[mapKey(p, h.t.Key, b, k)]
	}
	if !ok {
		return -1
	}
	h.last = int(r)
	return int(r)
}

// isLast reports the key of the row found last, if it is a number or a text.
func (h *Map) isLast(p *nest, b bank, k int) bool {
	switch {
	case h.ints != nil:
		return h.keys.I[h.last] == b.I[k] && h.alive[h.last]
	case h.strs != nil:
		was, s := h.keys.S[h.last], b.S[k]
		if len(s) > longKey {
			return h.alive[h.last] && p.same(was, s)
		}
		return was == s && h.alive[h.last]
	}
	return false
}

func growObj(o *ir.Obj, t *ir.Type) {
	banks, w := ir.BanksOf(t.Cells), t.W()
	if banks&ir.BankI != 0 {
		o.I = append(o.I, make([]int64, w)...)
	}
	if banks&ir.BankS != 0 {
		o.S = append(o.S, make([]string, w)...)
	}
	if banks&ir.BankR != 0 {
		o.R = append(o.R, make([]any, w)...)
	}
}

// roomier makes room for another row where append would take long.
func (h *Map) roomier(p *nest) {
	if h.rows < asideBytes/cellMost/ir.InlineMax {
		return
	}
	k, v := h.keys, h.vals
	kw, vw := h.t.Key.W(), h.t.Elem.W()
	k.I, k.S, k.R = roomier(p, k.I, kw), roomier(p, k.S, kw), roomier(p, k.R, kw)
	v.I, v.S, v.R = roomier(p, v.I, vw), roomier(p, v.S, vw), roomier(p, v.R, vw)
	h.alive = roomier(p, h.alive, 1)
}

// insert gives the row of a key, made if it is not there. The key stored last is the one that is kept,
// as in Go: 0 and -0 are equal and print differently.
func (h *Map) insert(p *nest, b bank, k int) int {
	if r := h.find(p, b, k); r >= 0 {
		if h.any != nil {
			rawCopy(h.t.Key.Cells, h.keys, r*h.t.Key.W(), b, k)
		}
		return r
	}
	h.roomier(p) // which may stop the run, with nothing done
	r := h.rows
	h.rows++
	h.count++
	growObj(h.keys, h.t.Key)
	growObj(h.vals, h.t.Elem)
	h.alive = append(h.alive, true)
	rawCopy(h.t.Key.Cells, h.keys, r*h.t.Key.W(), b, k)
	switch {
	case h.ints != nil:
		h.ints[b.I[k]] = int32(r)
	case h.strs != nil:
		h.strs[p.textKey(b.S[k])] = int32(r)
	default:
		h.any[mapKey(p, h.t.Key, b, k)] = int32(r)
	}
	h.last = r
	return r
}

func (h *Map) remove(p *nest, b bank, k int) {
	r := h.find(p, b, k)
	if r < 0 {
		return
	}
	switch {
	case h.ints != nil:
		delete(h.ints, b.I[k])
	case h.strs != nil:
		delete(h.strs, p.textKey(b.S[k]))
	default:
		delete(h.any, mapKey(p, h.t.Key, b, k))
	}
	zeroCells(h.t.Key, h.keys, r*h.t.Key.W())
	zeroCells(h.t.Elem, h.vals, r*h.t.Elem.W())
	h.alive[r] = false
	h.count--
	for h.head < h.rows && !h.alive[h.head] { // whoever takes the first one again and again does not pass by those taken
		h.head++
	}
	if h.rows > 32 && h.count < h.rows/4 {
		h.pack(p)
	}
}

// pack drops the empty rows. Iterators notice by the epoch.
func (h *Map) pack(p *nest) {
	n := newMap(h.t)
	kw, vw := h.t.Key.W(), h.t.Elem.W()
	for r := range h.rows {
		if h.alive[r] {
			to := n.insert(p, h.keys, r*kw)
			rawCopy(h.t.Elem.Cells, n.vals, to*vw, h.vals, r*vw)
		}
	}
	n.paid, n.ranged = h.paid, h.ranged
	old := h.epoch
	moved := make([]int32, h.rows+1)
	k := int32(0)
	for r := range h.rows {
		moved[r] = k
		if h.alive[r] {
			k++
		}
	}
	moved[h.rows] = k
	*h = *n
	h.epoch = old + 1
	h.moved = moved
}

func (h *Map) len() int {
	if h.view != nil {
		return h.view.len()
	}
	return h.count
}

func (h *Map) clear() {
	if h.view != nil {
		h.view.clear()
		return
	}
	e := h.epoch
	n := newMap(h.t)
	n.paid, n.ranged = h.paid, h.ranged
	*h = *n
	h.epoch = e + 1
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

// putEntry enters a value in a map; both are in cells.
func (m *machine) putEntry(h *Map, kb bank, k int, vb bank, v int) {
	if h.view != nil {
		h.view.put(h.t, kb, k, vb, v)
		return
	}
	m.payRow(h)
	row := h.insert(m.keys(), kb, k)
	rawCopy(h.t.Elem.Cells, h.vals, row*h.t.Elem.W(), vb, v)
}

// payRow pays for the rows of h, in steps, before there are more of them. It does not
// pay for them again after some were deleted.
func (m *machine) payRow(h *Map) {
	if h.rows < h.paid {
		return
	}
	n := int64(max(6, h.rows/4))
	h.paid += int(n)
	size := rowBytes + ir.CellsBytes(h.t.Key.Cells) + ir.CellsBytes(h.t.Elem.Cells)
	if h.strs != nil {
		size += textRow
	} else if h.any != nil {
		size += textRow + 3*ir.CellsBytes(h.t.Key.Cells)
	}
	m.alloc(n * size)
	follow(m, h)
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
