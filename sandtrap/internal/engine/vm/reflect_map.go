package vm

import (
	"reflect"
	"runtime"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// key is a value as a key of the map r.
func (r *rvalue) key(method string, k reflect.Value) *ir.Obj {
	x := rvalueIn(k)
	return r.m.assigned("reflect.Value."+method, x, r.v.t.Key)
}

func (r *rvalue) MapIndex(key reflect.Value) reflect.Value {
	r.must("MapIndex", reflect.Map)
	k := r.key("MapIndex", key)
	e, ok := r.m.lookup(r.mirror(), mirror{t: r.v.t.Key, c: k})
	if !ok {
		return reflect.Value{}
	}
	return r.m.reflectValue(val{t: e.t, o: e.c, k: e.k, flag: (r.v.flag | valIn(key).flag) & hidden})
}

func (r *rvalue) MapKeys() []reflect.Value {
	r.must("MapKeys", reflect.Map)
	pairs := r.v.pairs(r.m)
	keys := make([]reflect.Value, len(pairs))
	for i, p := range pairs {
		keys[i] = r.m.reflectValue(p.key)
	}
	return keys
}

func (r *rvalue) SetMapIndex(key, elem reflect.Value) {
	r.must("SetMapIndex", reflect.Map)
	r.mustShow("SetMapIndex")
	rvalueIn(key).mustShow("SetMapIndex")
	k := r.key("SetMapIndex", key)
	h, _ := r.v.ref().(*Map)
	x := rvalueIn(elem)
	if !x.v.valid() {
		switch {
		case h == nil:
		case h.view != nil:
			h.view.set(h.view.key(h.t, k, 0), reflect.Value{})
		default:
			h.remove(r.m.keys(), k, 0)
		}
		return
	}
	x.mustShow("SetMapIndex")
	e := r.m.assigned("reflect.Value.SetMapIndex", x, r.v.t.Elem)
	if h == nil {
		throwPlain("assignment to entry in nil map")
	}
	r.m.putEntry(h, k, 0, e, 0)
}

// A mapWalk is what a reflect.MapIter of the script's stands for: the entries that the
// map had when it began, of which those that are gone are left out.
type mapWalk struct {
	over  *rvalue
	pairs []pair
	at    int // of the entry after the current one; -1 before it began
}

func (r *rvalue) MapRange() *reflect.MapIter {
	r.must("MapRange", reflect.Map)
	it := new(reflect.MapIter)
	r.m.walks(it).over = r
	return it
}

// walks is what it stands for, as long as the script has it.
func (m *machine) walks(it *reflect.MapIter) *mapWalk {
	if it == nil {
		throwNil()
	}
	key := weak.Make(it)
	if w, ok := m.made().walks.Load(key); ok {
		return w.(*mapWalk)
	}
	m.charge(noteBytes)
	w := &mapWalk{at: -1}
	m.made().walks.Store(key, w)
	runtime.AddCleanup(it, func(key weak.Pointer[reflect.MapIter]) { m.made().walks.Delete(key) }, key)
	return w
}

func (m *machine) mapIterNext(it *reflect.MapIter) bool {
	w := m.walks(it)
	switch {
	case w.over == nil:
		throw("MapIter.Next called on an iterator that does not have an associated map Value")
	case w.at > len(w.pairs):
		throw("MapIter.Next called on exhausted iterator")
	case w.at < 0:
		w.pairs, w.at = w.over.v.pairs(m), 0
	}
	for w.at++; w.at <= len(w.pairs); w.at++ {
		p := &w.pairs[w.at-1]
		if e, ok := m.lookup(w.over.mirror(), mirror{t: p.key.t, c: p.key.load(m)}); ok {
			p.elem.o, p.elem.k = e.c, e.k
			return true
		}
	}
	w.pairs = nil
	w.at = 1
	return false
}

// current is the entry that an iterator is at.
func (m *machine) current(method string, it *reflect.MapIter) pair {
	w := m.walks(it)
	if w.at < 0 {
		throw("MapIter." + method + " called before Next")
	}
	if w.at > len(w.pairs) {
		throw("MapIter." + method + " called on exhausted iterator")
	}
	return w.pairs[w.at-1]
}

func (m *machine) mapIterKey(it *reflect.MapIter) reflect.Value {
	return m.reflectValue(m.current("Key", it).key)
}

func (m *machine) mapIterValue(it *reflect.MapIter) reflect.Value {
	return m.reflectValue(m.current("Value", it).elem)
}

func (m *machine) mapIterReset(it *reflect.MapIter, v reflect.Value) {
	w := m.walks(it)
	*w = mapWalk{at: -1}
	if v.IsValid() {
		r := rvalueIn(v)
		r.must("MapRange", reflect.Map)
		w.over = r
	}
}

// mapIterMethod is a method of reflect.MapIter, nil if scripts have none by this name.
func (m *machine) mapIterMethod(name string) any {
	switch name {
	case "Next":
		return m.mapIterNext
	case "Key":
		return m.mapIterKey
	case "Value":
		return m.mapIterValue
	case "Reset":
		return m.mapIterReset
	}
	return nil
}

func (r *rvalue) SetIterKey(it *reflect.MapIter) {
	r.Set(r.m.mapIterKey(it))
}

func (r *rvalue) SetIterValue(it *reflect.MapIter) {
	r.Set(r.m.mapIterValue(it))
}
