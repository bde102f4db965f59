package vm

import (
	"reflect"
	"sort"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A mapView makes a Map one of the host's: its entries are in a Go map, and the rows
// of the Map are empty. A map that came from the host is a view at once; one of the
// script becomes it when it is given to the host to keep.
type mapView struct {
	m     *machine
	v     reflect.Value
	fixed bool // the run may not write to it
}

// viewOf is the Map of type t over the host's map v.
func viewOf(m *machine, t *ir.Type, v reflect.Value) *Map {
	return &Map{t: t, keys: &ir.Obj{}, vals: &ir.Obj{}, view: &mapView{m, v, m.fixed(v)}}
}

// mapLocks keep two runs that the host has given one map from being in it at the same
// time, which would end the process. What the host itself does with a map while
// scripts have it, it has to guard.
var mapLocks [64]sync.Mutex

func (w *mapView) lock() *sync.Mutex {
	l := &mapLocks[w.v.Pointer()>>4%uintptr(len(mapLocks))]
	l.Lock()
	return l
}

// key is the key in cells as the host has it.
func (w *mapView) key(t *ir.Type, b bank, k int) reflect.Value {
	v := toHost(w.m, t.Key, b, k, w.v.Type().Key())
	if w.m != nil {
		w.m.afford(textLength(v))
	}
	if t.Key.Kind == reflect.Interface && !v.Comparable() {
		throwf("hash of unhashable type %s", v.Elem().Type())
	}
	return v
}

// textLength is the length of a text, in an interface or not, and 0 of all else.
func textLength(v reflect.Value) int64 {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return 0
	}
	return int64(v.Len())
}

func (w *mapView) get(key reflect.Value) reflect.Value {
	defer w.lock().Unlock()
	return w.v.MapIndex(key)
}

// set enters a value; a zero Value deletes the entry.
func (w *mapView) set(key, v reflect.Value) {
	w.change()
	defer w.lock().Unlock()
	w.v.SetMapIndex(key, v)
}

func (w *mapView) len() int {
	defer w.lock().Unlock()
	return w.v.Len()
}

// change comes before each write.
func (w *mapView) change() {
	if w.fixed {
		w.m.refuseWrite(w.v.Type())
	}
}

func (w *mapView) clear() {
	w.change()
	defer w.lock().Unlock()
	w.v.Clear()
}

// all are the entries, unsorted.
func (w *mapView) all() (keys, vals []reflect.Value) {
	w.m.charge(int64(w.len()) * 4 * cellBytes)
	defer w.lock().Unlock()
	for it := w.v.MapRange(); it.Next(); {
		w.m.crossed()
		keys, vals = append(keys, it.Key()), append(vals, it.Value())
	}
	return keys, vals
}

// solid is h, or a copy of what h is a view of: in rows that are in the order of the
// keys, so that the same map is the same in each run.
func (h *Map) solid() *Map {
	if h == nil || h.view == nil {
		return h
	}
	m, t := h.view.m, h.t
	keys, vals := h.view.all()
	cells := ir.NewObj(t.Key.W(), ir.BankI|ir.BankS|ir.BankR, len(keys))
	order := make([]int, len(keys))
	for i, key := range keys {
		m.crossed()
		order[i] = i
		fromHost(m, key, t.Key, cells, i*t.Key.W())
	}
	sort.SliceStable(order, func(i, j int) bool {
		m.look()
		return m.compareCells(t.Key, cells, order[i]*t.Key.W(), cells, order[j]*t.Key.W()) < 0
	})
	c := newMap(t)
	val := ir.NewObj(t.Elem.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	for _, i := range order {
		m.crossed()
		row := c.insert(m.keys(), cells, i*t.Key.W())
		fromHost(m, vals[i], t.Elem, val, 0)
		rawCopy(t.Elem.Cells, c.vals, row*t.Elem.W(), val, 0)
	}
	return c
}

// put enters a value in a map of the host's; both are in cells.
func (w *mapView) put(t *ir.Type, kb bank, k int, vb bank, v int) {
	defer w.m.share()()
	n := w.len()
	key, elem := w.entry(t, kb, k, vb, v)
	w.m.wantEnd(elem, w.v.Pointer(), w.v.Pointer()+1)
	w.set(key, elem)
	if w.len() > n {
		w.m.charge(entryBytes(w.v.Type()))
	}
}

// fill is put for a map that is new, and that nobody of the host has yet.
func (w *mapView) fill(t *ir.Type, kb bank, k int, vb bank, v int) {
	defer w.m.share()()
	w.set(w.entry(t, kb, k, vb, v))
	w.m.charge(entryBytes(w.v.Type()))
}

// entry is what is in cells as the host has it.
func (w *mapView) entry(t *ir.Type, kb bank, k int, vb bank, v int) (key, elem reflect.Value) {
	return w.key(t, kb, k), toHost(w.m, t.Elem, vb, v, w.v.Type().Elem())
}

// promote makes h a view of a new map of the type rt, with its entries.
func (m *machine) promote(h *Map, rt reflect.Type) {
	m.deeper()
	defer m.shallower()
	was := *h
	w := &mapView{m: m, v: reflect.MakeMapWithSize(rt, h.count)}
	*h = Map{t: h.t, keys: &ir.Obj{}, vals: &ir.Obj{}, view: w, epoch: h.epoch, moved: h.moved}
	if was.ranged {
		h.left = &Map{t: h.t, keys: was.keys, vals: was.vals, alive: was.alive, rows: was.rows}
	}
	done := false
	defer func() {
		if !done { // an entry cannot be given to the host
			*h = was
		}
	}()
	for row := range was.rows {
		m.crossed()
		if was.alive[row] {
			w.fill(h.t, was.keys, row*h.t.Key.W(), was.vals, row*h.t.Elem.W())
		}
	}
	done = true
}

// share makes what the script gives to the host the host's own memory where it is
// not yet, until the function that it returns is called.
func (m *machine) share() func() {
	was := m.sharing
	m.sharing = true
	return func() { m.sharing = was }
}
