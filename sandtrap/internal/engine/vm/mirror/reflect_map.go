package mirror

import (
	"reflect"
	"runtime"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// key is a value as a key of the map r.
func (r *Rvalue) key(method string, k reflect.Value) *ir.Obj {
	x := RvalueIn(k)
	return assigned(r.m, "reflect.Value."+method, x, r.v.T.Key)
}

func (r *Rvalue) MapIndex(key reflect.Value) reflect.Value {
	r.must("MapIndex", reflect.Map)
	k := r.key("MapIndex", key)
	e, ok := r.v.Lookup(r.m, Val{T: r.v.T.Key, O: k})
	if !ok {
		return reflect.Value{}
	}
	e.flag = (r.v.flag | valIn(key).flag) & hidden
	return reflectValue(r.m, e)
}

func (r *Rvalue) MapKeys() []reflect.Value {
	r.must("MapKeys", reflect.Map)
	pairs := r.v.pairs(r.m)
	keys := make([]reflect.Value, len(pairs))
	for i, p := range pairs {
		keys[i] = reflectValue(r.m, p.Key)
	}
	return keys
}

func (r *Rvalue) SetMapIndex(key, elem reflect.Value) {
	r.must("SetMapIndex", reflect.Map)
	r.mustShow("SetMapIndex")
	RvalueIn(key).mustShow("SetMapIndex")
	k := r.key("SetMapIndex", key)
	h, _ := r.v.Ref().(*exec.Map)
	x := RvalueIn(elem)
	if !x.v.Valid() {
		switch {
		case h == nil:
		case h.View != nil:
			h.View.Set(h.View.Key(h.T, k, 0), reflect.Value{})
		default:
			h.Remove(r.m.Keys(), k, 0)
		}
		return
	}
	x.mustShow("SetMapIndex")
	e := assigned(r.m, "reflect.Value.SetMapIndex", x, r.v.T.Elem)
	if h == nil {
		exec.ThrowPlain("assignment to entry in nil map")
	}
	r.m.PutEntry(h, k, 0, e, 0)
}

// A mapWalk is what a reflect.MapIter of the script's stands for: the entries that the
// map had when it began, of which those that are gone are left out.
type mapWalk struct {
	over  *Rvalue
	pairs []Pair
	at    int // of the entry after the current one; -1 before it began
}

func (r *Rvalue) MapRange() *reflect.MapIter {
	r.must("MapRange", reflect.Map)
	it := new(reflect.MapIter)
	walks(r.m, it).over = r
	return it
}

// walks is what it stands for, as long as the script has it.
func walks(m *exec.Machine, it *reflect.MapIter) *mapWalk {
	if it == nil {
		exec.ThrowNil()
	}
	key := weak.Make(it)
	if w, ok := made(m).walks.Load(key); ok {
		return w.(*mapWalk)
	}
	m.Charge(exec.NoteBytes)
	w := &mapWalk{at: -1}
	made(m).walks.Store(key, w)
	runtime.AddCleanup(it, func(key weak.Pointer[reflect.MapIter]) { made(m).walks.Delete(key) }, key)
	return w
}

func mapIterNext(m *exec.Machine, it *reflect.MapIter) bool {
	w := walks(m, it)
	switch {
	case w.over == nil:
		exec.Throw("MapIter.Next called on an iterator that does not have an associated map Value")
	case w.at > len(w.pairs):
		exec.Throw("MapIter.Next called on exhausted iterator")
	case w.at < 0:
		w.pairs, w.at = w.over.v.pairs(m), 0
	}
	for w.at++; w.at <= len(w.pairs); w.at++ {
		p := &w.pairs[w.at-1]
		if e, ok := w.over.v.Lookup(m, p.Key); ok {
			p.Elem.O, p.Elem.k = e.O, e.k
			return true
		}
	}
	w.pairs = nil
	w.at = 1
	return false
}

// current is the entry that an iterator is at.
func current(m *exec.Machine, method string, it *reflect.MapIter) Pair {
	w := walks(m, it)
	if w.at < 0 {
		exec.Throw("MapIter." + method + " called before Next")
	}
	if w.at > len(w.pairs) {
		exec.Throw("MapIter." + method + " called on exhausted iterator")
	}
	return w.pairs[w.at-1]
}

func mapIterKey(m *exec.Machine, it *reflect.MapIter) reflect.Value {
	return reflectValue(m, current(m, "Key", it).Key)
}

func mapIterValue(m *exec.Machine, it *reflect.MapIter) reflect.Value {
	return reflectValue(m, current(m, "Value", it).Elem)
}

func mapIterReset(m *exec.Machine, it *reflect.MapIter, v reflect.Value) {
	w := walks(m, it)
	*w = mapWalk{at: -1}
	if v.IsValid() {
		r := RvalueIn(v)
		r.must("MapRange", reflect.Map)
		w.over = r
	}
}

// MapIterMethod is a method of reflect.MapIter, nil if scripts have none by this name.
func MapIterMethod(m *exec.Machine, name string) any {
	switch name {
	case "Next":
		return func(it *reflect.MapIter) bool { return mapIterNext(m, it) }
	case "Key":
		return func(it *reflect.MapIter) reflect.Value { return mapIterKey(m, it) }
	case "Value":
		return func(it *reflect.MapIter) reflect.Value { return mapIterValue(m, it) }
	case "Reset":
		return func(it *reflect.MapIter, v reflect.Value) { mapIterReset(m, it, v) }
	}
	return nil
}

func (r *Rvalue) SetIterKey(it *reflect.MapIter) {
	r.Set(mapIterKey(r.m, it))
}

func (r *Rvalue) SetIterValue(it *reflect.MapIter) {
	r.Set(mapIterValue(r.m, it))
}
