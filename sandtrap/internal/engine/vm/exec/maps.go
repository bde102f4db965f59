package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Map is a map: an index into rows of keys and values, which keep the order of
// insertion. A deleted row stays empty until the rows are packed.
type Map struct {
	T     *ir.Type
	ints  map[int64]int32
	strs  map[string]int32
	any   map[any]int32
	Keys  *ir.Obj
	Vals  *ir.Obj
	Alive []bool
	Rows  int // used rows
	Head  int // there is nothing in the rows before it
	last  int // the row found last: what is looked up is often stored next
	paid  int // rows that were charged
	Count int

	Epoch int     // changes when rows move
	Moved []int32 // where the rows of the epoch before went

	Ranged bool     // it was ever ranged over
	View   *mapView // if set, the entries are the host's and there are no rows
	Left   *Map     // the rows there were before, for iterators that are on their way
}

func NewMap(t *ir.Type) *Map {
	h := &Map{T: t, Keys: &ir.Obj{}, Vals: &ir.Obj{}}
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

// Find gives the row of a key, or -1.
func (h *Map) Find(p *Recursion, b Bank, k int) int {
	if h.last < h.Rows && h.isLast(p, b, k) {
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
		r, ok = h.any[MapKey(p, h.T.Key, b, k)]
	}
	if !ok {
		return -1
	}
	h.last = int(r)
	return int(r)
}

// isLast reports the key of the row found last, if it is a number or a text.
func (h *Map) isLast(p *Recursion, b Bank, k int) bool {
	switch {
	case h.ints != nil:
		return h.Keys.I[h.last] == b.I[k] && h.Alive[h.last]
	case h.strs != nil:
		was, s := h.Keys.S[h.last], b.S[k]
		if len(s) > longKey {
			return h.Alive[h.last] && p.same(was, s)
		}
		return was == s && h.Alive[h.last]
	}
	return false
}

func GrowObj(o *ir.Obj, t *ir.Type) {
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
func (h *Map) roomier(p *Recursion) {
	if h.Rows < largeBytes/cellMost/ir.InlineMax {
		return
	}
	k, v := h.Keys, h.Vals
	kw, vw := h.T.Key.W(), h.T.Elem.W()
	k.I, k.S, k.R = grownWithin(p, k.I, kw), grownWithin(p, k.S, kw), grownWithin(p, k.R, kw)
	v.I, v.S, v.R = grownWithin(p, v.I, vw), grownWithin(p, v.S, vw), grownWithin(p, v.R, vw)
	h.Alive = grownWithin(p, h.Alive, 1)
}

// Insert gives the row of a key, made if it is not there. The key stored last is the one that is kept,
// as in Go: 0 and -0 are equal and print differently.
func (h *Map) Insert(p *Recursion, b Bank, k int) int {
	if r := h.Find(p, b, k); r >= 0 {
		if h.any != nil {
			RawCopy(h.T.Key.Cells, h.Keys, r*h.T.Key.W(), b, k)
		}
		return r
	}
	h.roomier(p) // which may stop the run, with nothing done
	r := h.Rows
	h.Rows++
	h.Count++
	GrowObj(h.Keys, h.T.Key)
	GrowObj(h.Vals, h.T.Elem)
	h.Alive = append(h.Alive, true)
	RawCopy(h.T.Key.Cells, h.Keys, r*h.T.Key.W(), b, k)
	switch {
	case h.ints != nil:
		h.ints[b.I[k]] = int32(r)
	case h.strs != nil:
		h.strs[p.textKey(b.S[k])] = int32(r)
	default:
		h.any[MapKey(p, h.T.Key, b, k)] = int32(r)
	}
	h.last = r
	return r
}

func (h *Map) Remove(p *Recursion, b Bank, k int) {
	r := h.Find(p, b, k)
	if r < 0 {
		return
	}
	switch {
	case h.ints != nil:
		delete(h.ints, b.I[k])
	case h.strs != nil:
		delete(h.strs, p.textKey(b.S[k]))
	default:
		delete(h.any, MapKey(p, h.T.Key, b, k))
	}
	ZeroCells(h.T.Key, h.Keys, r*h.T.Key.W())
	ZeroCells(h.T.Elem, h.Vals, r*h.T.Elem.W())
	h.Alive[r] = false
	h.Count--
	for h.Head < h.Rows && !h.Alive[h.Head] { // whoever takes the first one again and again does not pass by those taken
		h.Head++
	}
	if h.Rows > 32 && h.Count < h.Rows/4 {
		h.pack(p)
	}
}

// pack drops the empty rows. Iterators notice by the epoch.
func (h *Map) pack(p *Recursion) {
	n := NewMap(h.T)
	kw, vw := h.T.Key.W(), h.T.Elem.W()
	for r := range h.Rows {
		if h.Alive[r] {
			to := n.Insert(p, h.Keys, r*kw)
			RawCopy(h.T.Elem.Cells, n.Vals, to*vw, h.Vals, r*vw)
		}
	}
	n.paid, n.Ranged = h.paid, h.Ranged
	old := h.Epoch
	moved := make([]int32, h.Rows+1)
	k := int32(0)
	for r := range h.Rows {
		moved[r] = k
		if h.Alive[r] {
			k++
		}
	}
	moved[h.Rows] = k
	*h = *n
	h.Epoch = old + 1
	h.Moved = moved
}

func (h *Map) Len() int {
	if h.View != nil {
		return h.View.Len()
	}
	return h.Count
}

func (h *Map) Clear() {
	if h.View != nil {
		h.View.clear()
		return
	}
	e := h.Epoch
	n := NewMap(h.T)
	n.paid, n.Ranged = h.paid, h.Ranged
	*h = *n
	h.Epoch = e + 1
}

// PutEntry enters a value in a map; both are in cells.
func (m *Machine) PutEntry(h *Map, kb Bank, k int, vb Bank, v int) {
	if h.View != nil {
		h.View.put(h.T, kb, k, vb, v)
		return
	}
	m.payRow(h)
	row := h.Insert(m.Keys(), kb, k)
	RawCopy(h.T.Elem.Cells, h.Vals, row*h.T.Elem.W(), vb, v)
}

// payRow pays for the rows of h, in steps, before there are more of them. It does not
// pay for them again after some were deleted.
func (m *Machine) payRow(h *Map) {
	if h.Rows < h.paid {
		return
	}
	n := int64(max(6, h.Rows/4))
	h.paid += int(n)
	size := rowBytes + ir.CellsBytes(h.T.Key.Cells) + ir.CellsBytes(h.T.Elem.Cells)
	if h.strs != nil {
		size += textRow
	} else if h.any != nil {
		size += textRow + 3*ir.CellsBytes(h.T.Key.Cells)
	}
	m.Alloc(n * size)
	Follow(m, h)
}
