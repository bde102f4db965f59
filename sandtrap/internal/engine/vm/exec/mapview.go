package exec

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
	m     *Machine
	V     reflect.Value
	fixed bool // the run may not write to it
}

// viewOf is the Map of type t over the host's map v.
func viewOf(m *Machine, t *ir.Type, v reflect.Value) *Map {
	return &Map{T: t, Keys: &ir.Obj{}, Vals: &ir.Obj{}, View: &mapView{m, v, m.fixed(v)}}
}

// mapLocks keep two runs that the host has given one map from being in it at the same
// time, which would end the process. What the host itself does with a map while
// scripts have it, it has to guard.
var mapLocks [64]sync.Mutex

func (w *mapView) lock() *sync.Mutex {
	l := &mapLocks[w.V.Pointer()>>4%uintptr(len(mapLocks))]
	l.Lock()
	return l
}

// Key is the key in cells as the host has it.
func (w *mapView) Key(t *ir.Type, b Bank, k int) reflect.Value {
	v := ToHost(w.m, t.Key, b, k, w.V.Type().Key())
	if w.m != nil {
		w.m.afford(textLength(v))
	}
	if t.Key.Kind == reflect.Interface && !v.Comparable() {
		p := &Recursion{M: w.m}
		p.unhashable(p.nameOf(v.Interface()))
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

func (w *mapView) Get(key reflect.Value) reflect.Value {
	defer w.lock().Unlock()
	return w.V.MapIndex(key)
}

// Set enters a value; a zero Value deletes the entry.
func (w *mapView) Set(key, v reflect.Value) {
	w.change()
	defer w.lock().Unlock()
	w.V.SetMapIndex(key, v)
}

func (w *mapView) Len() int {
	defer w.lock().Unlock()
	return w.V.Len()
}

// change comes before each write.
func (w *mapView) change() {
	if w.fixed {
		w.m.refuseWrite(w.V.Type())
	}
}

func (w *mapView) clear() {
	w.change()
	defer w.lock().Unlock()
	w.V.Clear()
}

// all are the entries, unsorted.
func (w *mapView) all() (keys, vals []reflect.Value) {
	w.m.Charge(int64(w.Len()) * 4 * CellBytes)
	defer w.lock().Unlock()
	for it := w.V.MapRange(); it.Next(); {
		w.m.crossed()
		keys, vals = append(keys, it.Key()), append(vals, it.Value())
	}
	return keys, vals
}

// Solid is h, or a copy of what h is a view of: in rows that are in the order of the
// keys, so that the same map is the same in each run.
func (h *Map) Solid() *Map {
	if h == nil || h.View == nil {
		return h
	}
	m, t := h.View.m, h.T
	keys, vals := h.View.all()
	cells := ir.NewObj(t.Key.W(), ir.BankI|ir.BankS|ir.BankR, len(keys))
	order := make([]int, len(keys))
	for i, key := range keys {
		m.crossed()
		order[i] = i
		FromHost(m, key, t.Key, cells, i*t.Key.W())
	}
	sort.SliceStable(order, func(i, j int) bool {
		m.Poll()
		return m.CompareCells(t.Key, cells, order[i]*t.Key.W(), cells, order[j]*t.Key.W()) < 0
	})
	c := NewMap(t)
	val := ir.NewObj(t.Elem.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	for _, i := range order {
		m.crossed()
		row := c.Insert(m.Keys(), cells, i*t.Key.W())
		FromHost(m, vals[i], t.Elem, val, 0)
		RawCopy(t.Elem.Cells, c.Vals, row*t.Elem.W(), val, 0)
	}
	return c
}

// put enters a value in a map of the host's; both are in cells.
func (w *mapView) put(t *ir.Type, kb Bank, k int, vb Bank, v int) {
	defer w.m.share()()
	n := w.Len()
	key, elem := w.entry(t, kb, k, vb, v)
	w.m.WantEnd(elem, w.V.Pointer(), w.V.Pointer()+1)
	w.Set(key, elem)
	if w.Len() > n {
		w.m.Charge(entryBytes(w.V.Type()))
	}
}

// fill is put for a map that is new, and that nobody of the host has yet.
func (w *mapView) fill(t *ir.Type, kb Bank, k int, vb Bank, v int) {
	defer w.m.share()()
	w.Set(w.entry(t, kb, k, vb, v))
	w.m.Charge(entryBytes(w.V.Type()))
}

// entry is what is in cells as the host has it.
func (w *mapView) entry(t *ir.Type, kb Bank, k int, vb Bank, v int) (key, elem reflect.Value) {
	return w.Key(t, kb, k), ToHost(w.m, t.Elem, vb, v, w.V.Type().Elem())
}

// promote makes h a view of a new map of the type rt, with its entries.
func (m *Machine) promote(h *Map, rt reflect.Type) {
	m.Deeper()
	defer m.Shallower()
	was := *h
	w := &mapView{m: m, V: reflect.MakeMapWithSize(rt, h.Count)}
	*h = Map{T: h.T, Keys: &ir.Obj{}, Vals: &ir.Obj{}, View: w, Epoch: h.Epoch, Moved: h.Moved}
	if was.Ranged {
		h.Left = &Map{T: h.T, Keys: was.Keys, Vals: was.Vals, Alive: was.Alive, Rows: was.Rows}
	}
	done := false
	defer func() {
		if !done { // an entry cannot be given to the host
			*h = was
		}
	}()
	for row := range was.Rows {
		m.crossed()
		if was.Alive[row] {
			w.fill(h.T, was.Keys, row*h.T.Key.W(), was.Vals, row*h.T.Elem.W())
		}
	}
	done = true
}

// share makes what the script gives to the host the host's own memory where it is
// not yet, until the function that it returns is called.
func (m *Machine) share() func() {
	was := m.Sharing
	m.Sharing = true
	return func() { m.Sharing = was }
}
