package vm

import (
	"reflect"

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
