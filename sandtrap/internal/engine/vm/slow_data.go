package vm

import (
	"go/token"
	"reflect"
	"strconv"
	"unicode/utf8"
)

func doConcat(m *machine, x *ext) {
	if b, c := m.S[x.b], m.S[x.c]; b != "" && c != "" {
		m.charge(allocated(int64(len(b) + len(c))))
	}
	m.S[x.a] = m.concat(m.S[x.b], m.S[x.c])
}

func doComplexOp(m *machine, x *ext) {
	a, b := m.cplx(x.b), m.cplx(x.c)
	var c complex128
	switch token.Token(x.n) {
	case token.ADD:
		c = a + b
	case token.SUB:
		c = a - b
	case token.MUL:
		c = a * b
	case token.QUO:
		c = a / b
	}
	if x.t.kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.setCplx(x.a, c)
}

func doIntToString(m *machine, x *ext) {
	i := m.I[x.b]
	r := rune(i)
	if int64(r) != i || isUnsigned(x.u) && i < 0 {
		r = utf8.RuneError
	}
	m.S[x.a] = string(r)
}

func doSliceToString(m *machine, x *ext) {
	n, off := int(m.I[x.b]), int(m.I[x.b+1]>>32)
	m.charge(allocated(int64(n)))
	switch o := m.R[x.b].(type) {
	case nil:
		m.S[x.a] = ""
	case *Num[uint8]:
		m.S[x.a] = m.textOf(o.V[off : off+n])
	case *Num[int32]:
		m.charge(int64(n) * (utf8.UTFMax - 1))
		m.S[x.a] = m.textOfRunes(o.V[off : off+n])
	case *hostVals: // of a named type
		m.charge(int64(n) * (utf8.UTFMax - 1))
		m.S[x.a] = o.text(off, n)
	default:
		panic("vm: string of an unexpected slice")
	}
}

func doStringToSlice(m *machine, x *ext) {
	var v any
	n := 0
	m.alloc(storeBytes(x.t.elem, int64(len(m.S[x.b]))))
	if x.t.elem.kind == reflect.Uint8 {
		b := m.bytesOf(m.S[x.b])
		v, n = &Num[uint8]{b}, len(b)
	} else {
		r := m.runesOf(m.S[x.b])
		v, n = &Num[int32]{r}, len(r)
	}
	m.setSlice(x.a, m.followAny(v), 0, n, n)
}

// setSlice writes a slice header: R the store, I the length, I+1 offset and
// capacity.
func (m *machine) setSlice(a int, store any, off, n, c int) {
	m.R[a], m.I[a], m.I[a+1] = store, int64(n), int64(off)<<32|int64(c)
}

func (m *machine) sliceAt(a int) (store any, off, n, c int) {
	h := m.I[a+1]
	return m.R[a], int(h >> 32), int(m.I[a]), int(h & 0xffffffff)
}

const maxElems = 1 << 31

func doMakeSlice(m *machine, x *ext) {
	n, c := m.I[x.b], m.I[x.c]
	m.refuseHuge(max(n, c), x.t)
	if n < 0 || n > m.elemLimit(x.t) {
		throwf("makeslice: len out of range")
	}
	if c < n || c > m.elemLimit(x.t) {
		throwf("makeslice: cap out of range")
	}
	m.alloc(storeBytes(x.t, c))
	m.setSlice(x.a, m.followAny(newStore(x.t, int(c))), 0, int(n), int(c))
}

func (m *machine) elemLimit(t *Type) int64 {
	if t.w() == 0 {
		return maxElems
	}
	return maxElems / 8
}

// bounds reads the operands of a slice expression.
func (m *machine) bound(x *ext, k int, def int) (int64, bool) {
	if x.regs[k] < 0 {
		return int64(def), false
	}
	v := m.I[x.regs[k]]
	if isUnsigned(x.types[k]) && v < 0 {
		v = 1<<63 - 1
	}
	return v, true
}

func doSliceString(m *machine, x *ext) {
	s := m.S[x.b]
	lo, _ := m.bound(x, 0, 0)
	hi, given := m.bound(x, 1, len(s))
	if given && (hi < 0 || hi > int64(len(s))) {
		throwf("slice bounds out of range [:%d]%s", hi, lengthPart(hi, len(s)))
	}
	if lo < 0 {
		throwf("slice bounds out of range [%d:]", lo)
	}
	if lo > hi {
		throwf("slice bounds out of range [%d:%d]", lo, hi)
	}
	m.S[x.a] = s[lo:hi]
}

func doSlice(m *machine, x *ext) {
	store, off, n, c := m.sliceAt(x.b)
	array := x.t.kind == reflect.Pointer
	if array && store == nil {
		throwNil()
	}
	what := "capacity"
	if array {
		what = "length"
		c = n
	}
	lo, _ := m.bound(x, 0, 0)
	hi, hiGiven := m.bound(x, 1, n)
	mx, mxGiven := m.bound(x, 2, c)
	if x.s == "makeslice" && (hi < 0 || hi > int64(c)) {
		throwf("makeslice: %s out of range", map[bool]string{true: "len", false: "cap"}[hi < 0])
	}
	part := func(i int64) string {
		if i < 0 {
			return ""
		}
		return " with " + what + " " + strconv.Itoa(c)
	}
	switch {
	case mxGiven && (mx < 0 || mx > int64(c)):
		throwf("slice bounds out of range [::%d]%s", mx, part(mx))
	case mxGiven && (hi < 0 || hi > mx):
		if hi < 0 {
			throwf("slice bounds out of range [:%d:]", hi)
		}
		throwf("slice bounds out of range [:%d:%d]", hi, mx)
	case hiGiven && !mxGiven && (hi < 0 || hi > int64(c)):
		throwf("slice bounds out of range [:%d]%s", hi, part(hi))
	case lo < 0 || lo > hi:
		if lo < 0 {
			throwf("slice bounds out of range [%d:%s]", lo, map[bool]string{true: ":"}[mxGiven])
		}
		if mxGiven {
			throwf("slice bounds out of range [%d:%d:]", lo, hi)
		}
		throwf("slice bounds out of range [%d:%d]", lo, hi)
	}
	m.setSlice(x.a, store, off+int(lo), int(hi-lo), int(mx-lo))
}

func doSliceToArray(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.b)
	if int64(n) < x.n {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.n)
	}
	m.setSlice(x.a, store, off, int(x.n), int(x.n))
}

func doSliceToArrayValue(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.b)
	if n < x.t.n {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.t.n)
	}
	m.alloc(aggBytes(x.t))
	v := m.followAny(newAgg(x.t))
	m.moveElems(x.t.elem, v, 0, store, off, x.t.n)
	m.R[x.a] = v
}

// doAppend is append(s, t...): go/ssa always gives a slice, or a string.
func doAppend(m *machine, x *ext) {
	store, off, n, c := m.sliceAt(x.regs[0])
	elem := x.t.elem
	k := 0
	if x.types[1].kind == reflect.String {
		k = len(m.S[x.regs[1]])
	} else {
		k = int(m.I[x.regs[1]])
	}
	if k == 0 {
		m.setSlice(x.a, store, off, n, c)
		return
	}
	if n+k > c {
		store, c = m.grownTo(n+k, int(x.n), elem, store, off, n, c)
		off = 0
	}
	if x.types[1].kind == reflect.String {
		m.moveText(store, off+n, m.S[x.regs[1]])
	} else {
		src, soff, _, _ := m.sliceAt(x.regs[1])
		m.moveElems(elem, store, off+n, src, soff, k)
	}
	m.setSlice(x.a, store, off, n+k, c)
}

// grownTo gives a new store for need elements, with the n that were in the old one, and
// its capacity. room is what the frame has for its first elements.
func (m *machine) grownTo(need, room int, elem *Type, store any, off, n, c int) (any, int) {
	if n == 0 && need <= room {
		c = room
	} else {
		c = growCap(elem, c, need)
	}
	m.alloc(storeBytes(elem, int64(c)))
	to := m.followAny(newStore(elem, c))
	if store != nil {
		m.moveElems(elem, to, 0, store, off, n)
	}
	return to, c
}

// slowGrow makes room for append where there is none.
func (m *machine) slowGrow(a, b, idx, d int) {
	elem, k, room := m.p.refs[d>>4], d&15, 0
	if framed, ok := elem.(frameElem); ok {
		elem, room = framed.Type, framed.room
	}
	store, off, n, c := m.sliceAt(b)
	if n+k > c {
		store, c = m.grownTo(n+k, room, elem.(*Type), store, off, n, c)
		off = 0
	}
	m.setSlice(a, store, off, n+k, c)
	m.I[idx] = int64(n)
}

func doCopy(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.regs[0])
	k := 0
	if x.types[1].kind == reflect.String {
		s := m.S[x.regs[1]]
		if k = min(n, len(s)); k > 0 {
			m.moveText(store, off, s[:k])
		}
	} else {
		src, soff, sn, _ := m.sliceAt(x.regs[1])
		if k = min(n, sn); k > 0 {
			m.moveElems(x.types[0].elem, store, off, src, soff, k)
		}
	}
	if x.t.w() > 0 && x.t.kind == reflect.Int {
		m.I[x.a] = int64(k)
	}
}

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
	var r int32
	var ok bool
	switch {
	case h.ints != nil:
		r, ok = h.ints[b.I[k]]
	case h.strs != nil:
		r, ok = h.strs[b.S[k]]
	default:
		r, ok = h.any[mapKey(p, h.t.key, b, k)]
	}
	if !ok {
		return -1
	}
	return int(r)
}

func growObj(o *Obj, t *Type) {
	for _, c := range t.cells {
		_ = c
	}
	banks := mask(0)
	for _, c := range t.cells {
		banks |= c.m
	}
	w := t.w()
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

// insert gives the row of a key, made if it is not there.
func (h *Map) insert(p *nest, b bank, k int) int {
	if r := h.find(p, b, k); r >= 0 {
		return r
	}
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
		h.strs[b.S[k]] = int32(r)
	default:
		h.any[mapKey(p, h.t.key, b, k)] = int32(r)
	}
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
		delete(h.strs, b.S[k])
	default:
		delete(h.any, mapKey(p, h.t.key, b, k))
	}
	zeroCells(h.t.key, h.keys, r*h.t.key.w())
	zeroCells(h.t.elem, h.vals, r*h.t.elem.w())
	h.alive[r] = false
	h.count--
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
	if h != nil {
		row = m.findRow(h, x.c)
	}
	if x.t.key.kind == reflect.Interface && (h == nil || h.count == 0) {
		m.hashable(m.R[x.c])
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

// findRow is the row of a key; an empty map has none.
func (m *machine) findRow(h *Map, key int) int {
	if h.count == 0 {
		return -1
	}
	return h.find(m.keys(), &Obj{m.I, m.S, m.R}, key)
}

// hashable panics as Go does for a key that an empty map is asked for.
func (m *machine) hashable(v any) {
	if v == nil || m.comparableValue(v) {
		return
	}
	name := m.dynName(v)
	if f, ok := v.(*Iface); ok {
		name = uncomparable(f.T).str
	}
	throwPlain("hash of unhashable type: %s", name)
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
	if h := m.mapAt(x.regs[0]); h != nil && h.view != nil {
		h.view.set(h.view.key(h.t, &Obj{m.I, m.S, m.R}, x.regs[1]), reflect.Value{})
		return
	} else if h != nil {
		h.remove(m.keys(), &Obj{m.I, m.S, m.R}, x.regs[1])
		return
	}
	if x.types[0].key.kind == reflect.Interface {
		m.hashable(m.R[x.regs[1]])
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
