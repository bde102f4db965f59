package vm

import (
	"reflect"
	"slices"
	"unicode/utf8"
)

// Map is a map: an index into rows of keys and values, which keep the order of
// insertion. A deleted row stays empty until the rows are packed.
type Map struct {
	t     *Type
	ints  map[int64]int32
	strs  map[string]int32
	any   map[any]int32
	keys  *Obj
	vals  *Obj
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

func newMap(t *Type) *Map {
	h := &Map{t: t, keys: &Obj{}, vals: &Obj{}}
	switch {
	case t.key.kind == reflect.String:
		h.strs = map[string]int32{}
	case t.key.w() == 1 && t.key.cells[0].m == mI && !isFloat(t.key) && t.key.kind != reflect.Struct:
		h.ints = map[int64]int32{}
	default:
		h.any = map[any]int32{}
	}
	return h
}

func doMakeMap(m *machine, x *ext) {
	m.alloc(mapBytes)
	m.R[x.a] = follow(m, newMap(x.t))
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
		r, ok = h.any[mapKey(p, h.t.key, b, k)]
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

func growObj(o *Obj, t *Type) {
	banks, w := banksOf(t.cells), t.w()
	if banks&mI != 0 {
		o.I = append(o.I, make([]int64, w)...)
	}
	if banks&mS != 0 {
		o.S = append(o.S, make([]string, w)...)
	}
	if banks&mR != 0 {
		o.R = append(o.R, make([]any, w)...)
	}
}

// roomier makes room for another row where append would take long.
func (h *Map) roomier(p *nest) {
	if h.rows < asideBytes/cellMost/inlineMax {
		return
	}
	k, v := h.keys, h.vals
	kw, vw := h.t.key.w(), h.t.elem.w()
	k.I, k.S, k.R = roomier(p, k.I, kw), roomier(p, k.S, kw), roomier(p, k.R, kw)
	v.I, v.S, v.R = roomier(p, v.I, vw), roomier(p, v.S, vw), roomier(p, v.R, vw)
	h.alive = roomier(p, h.alive, 1)
}

// insert gives the row of a key, made if it is not there. The key stored last is the one that is kept,
// as in Go: 0 and -0 are equal and print differently.
func (h *Map) insert(p *nest, b bank, k int) int {
	if r := h.find(p, b, k); r >= 0 {
		if h.any != nil {
			rawCopy(h.t.key.cells, h.keys, r*h.t.key.w(), b, k)
		}
		return r
	}
	h.roomier(p) // which may stop the run, with nothing done
	r := h.rows
	h.rows++
	h.count++
	growObj(h.keys, h.t.key)
	growObj(h.vals, h.t.elem)
	h.alive = append(h.alive, true)
	rawCopy(h.t.key.cells, h.keys, r*h.t.key.w(), b, k)
	switch {
	case h.ints != nil:
		h.ints[b.I[k]] = int32(r)
	case h.strs != nil:
		h.strs[p.textKey(b.S[k])] = int32(r)
	default:
		h.any[mapKey(p, h.t.key, b, k)] = int32(r)
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
		delete(h.any, mapKey(p, h.t.key, b, k))
	}
	zeroCells(h.t.key, h.keys, r*h.t.key.w())
	zeroCells(h.t.elem, h.vals, r*h.t.elem.w())
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
	kw, vw := h.t.key.w(), h.t.elem.w()
	for r := range h.rows {
		if h.alive[r] {
			to := n.insert(p, h.keys, r*kw)
			rawCopy(h.t.elem.cells, n.vals, to*vw, h.vals, r*vw)
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

func doLookup(m *machine, x *ext) {
	h := m.mapAt(x.b)
	if h != nil && h.view != nil {
		m.viewLookup(h, x)
		return
	}
	w := &Obj{m.I, m.S, m.R}
	row := -1
	switch {
	case h == nil && x.stores:
		throwPlain("assignment to entry in nil map")
	case h == nil || h.count == 0:
		m.absent(x.t.key, w, x.c, x.stores)
	default:
		row = h.find(m.keys(), w, x.c)
	}
	e := x.t.elem
	if row >= 0 {
		rawCopy(e.cells, w, x.a, h.vals, row*e.w())
	} else {
		zeroCells(e, w, x.a)
	}
	if x.ok {
		m.I[x.a+e.w()] = b2i(row >= 0)
	}
}

// absent looks at a key that a map without entries is asked for: if it is no key Go
// panics all the same, with another text if nothing is going to be stored.
func (m *machine) absent(key *Type, b bank, k int, stores bool) {
	if !key.holdsInterface() {
		return
	}
	p := m.keys()
	p.absent = !stores
	mapKey(p, key, b, k)
}

// holdsInterface reports a type of keys that may hold what cannot be hashed.
func (t *Type) holdsInterface() bool {
	switch t.kind {
	case reflect.Interface, kindHost:
		return true
	case reflect.Array:
		return t.elem.holdsInterface()
	case reflect.Struct:
		return slices.ContainsFunc(t.fields, func(f field) bool { return f.typ.holdsInterface() })
	}
	return false
}

func doMapUpdate(m *machine, x *ext) {
	h := m.mapAt(x.a)
	if h == nil {
		throwPlain("assignment to entry in nil map")
	}
	w := &Obj{m.I, m.S, m.R}
	m.putEntry(h, w, x.b, w, x.c)
}

// putEntry enters a value in a map; both are in cells.
func (m *machine) putEntry(h *Map, kb bank, k int, vb bank, v int) {
	if h.view != nil {
		h.view.put(h.t, kb, k, vb, v)
		return
	}
	m.payRow(h)
	row := h.insert(m.keys(), kb, k)
	rawCopy(h.t.elem.cells, h.vals, row*h.t.elem.w(), vb, v)
}

// payRow pays for the rows of h, in steps, before there are more of them. It does not
// pay for them again after some were deleted.
func (m *machine) payRow(h *Map) {
	if h.rows < h.paid {
		return
	}
	n := int64(max(6, h.rows/4))
	h.paid += int(n)
	size := rowBytes + cellsBytes(h.t.key.cells) + cellsBytes(h.t.elem.cells)
	if h.strs != nil {
		size += textRow
	} else if h.any != nil {
		size += textRow + 3*cellsBytes(h.t.key.cells)
	}
	m.alloc(n * size)
	follow(m, h)
}

func doDelete(m *machine, x *ext) {
	h, w := m.mapAt(x.regs[0]), &Obj{m.I, m.S, m.R}
	switch {
	case h != nil && h.view != nil:
		h.view.set(h.view.key(h.t, w, x.regs[1]), reflect.Value{})
	case h == nil || h.count == 0:
		m.absent(x.types[0].key, w, x.regs[1], false)
	default:
		h.remove(m.keys(), w, x.regs[1])
	}
}

func doLenMap(m *machine, x *ext) {
	m.I[x.a] = 0
	if h := m.mapAt(x.b); h != nil {
		m.I[x.a] = int64(h.len())
	}
}

func doClear(m *machine, x *ext) {
	if x.types[0].kind == reflect.Map {
		if h := m.mapAt(x.regs[0]); h != nil {
			h.clear()
		}
		return
	}
	store, off, n, _ := m.sliceAt(x.regs[0])
	if n > 0 {
		m.clearElems(x.types[0].elem, store, off, n)
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

func doRange(m *machine, x *ext) {
	if x.t.kind == reflect.String {
		m.R[x.a] = &iter{s: m.S[x.b]}
		return
	}
	h := m.mapAt(x.b)
	it := &iter{h: h}
	if h != nil {
		it.epoch, h.ranged = h.epoch, true
	}
	if h != nil && h.view != nil {
		it.snap = h.solid()
	}
	m.R[x.a] = it
}

func doNext(m *machine, x *ext) {
	it := m.R[x.b].(*iter)
	kf, vf := x.t.fields[1], x.t.fields[2]
	if x.ok {
		m.I[x.a] = b2i(it.pos < len(it.s))
		if it.pos < len(it.s) {
			r, n := utf8.DecodeRuneInString(it.s[it.pos:])
			if kf.typ.w() > 0 {
				m.I[x.a+kf.off] = int64(it.pos)
			}
			if vf.typ.w() > 0 {
				m.I[x.a+vf.off] = int64(r)
			}
			it.pos += n
		}
		return
	}
	h := it.h
	m.I[x.a] = 0
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
	w := &Obj{m.I, m.S, m.R}
	m.I[x.a] = 1
	if kf.typ.w() > 0 {
		rawCopy(kf.typ.cells, w, x.a+kf.off, h.keys, it.row*h.t.key.w())
	}
	if vf.typ.w() > 0 {
		rawCopy(vf.typ.cells, w, x.a+vf.off, h.vals, it.row*h.t.elem.w())
	}
	it.row++
}
