package carry

import (
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// An interface of the host's holds in the host what it likes. The worker has no such types: it
// gets what is of a listed type as that, and for all else an object that has nothing but the
// methods of the interface. Each interface has a type for these, the one after it.

// addHeld adds the type of what the worker has in values of the interface with number n.
func (t *Types) addHeld(n int) (err error) {
	s := &structType{hides: true, held: true}
	s.text = TypeText{Name: t.list[n].text.Name, Hides: true, Given: true}
	if s.typ, err = made.Struct(s.text.Name, nil, true); err == nil {
		_, _, err = t.append(s)
	}
	return err
}

// Held is a nil pointer to the struct type of what there is in values of the type with number n;
// nil if that is no interface.
func (t *Types) Held(n int) any {
	if t.list[n].typ.Kind() != reflect.Interface || n+1 >= len(t.list) {
		return nil
	}
	return t.Nil(n + 1)
}

// holds reports that the other side has a type of its own for rt, or for what it points to.
func (t *Types) holds(rt reflect.Type) bool {
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	return t.find(rt) != nil || t.isNamed(rt)
}

// shows is holds for a type of which scripts see something.
func (t *Types) shows(rt reflect.Type) bool {
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	s := t.find(rt)
	return s != nil && !s.opaque || t.isNamed(rt)
}

// held writes what is in v, an interface of the host's.
func (w *writer) held(v reflect.Value, path string) error {
	t, e := w.handles.structs(), v.Elem()
	if s, ok := w.isScripted(e.Interface()); ok {
		return w.scripted(s, path)
	}
	if t.holds(e.Type()) {
		err := w.plainly(e, path)
		if x := w.handles.Objects.byPtr[pointerKey(e)]; x != nil {
			if x.as == nil {
				x.as = map[reflect.Type]bool{}
			}
			x.as[v.Type()] = true
		}
		return err
	}
	of := t.list[t.at[v.Type()]+1]
	x, err := w.handles.Objects.hold(e, of)
	if err != nil {
		return &KindError{path, v.Type().String(), err.Error()}
	}
	if w.b, err = w.handles.appendType(head(w.b, majorArray, 2), reflect.PointerTo(of.typ), path, 0); err == nil {
		w.b = head(w.b, majorUint, x.id)
	}
	return err
}

func pointerKey(v reflect.Value) any {
	if v.Kind() != reflect.Pointer {
		return nil
	}
	return v.Interface()
}

type heldKey struct {
	of    *structType
	value any
}

// hold is the object that the worker has for a value of the host's in an interface.
func (o *Objects) hold(v reflect.Value, of *structType) (*object, error) {
	key := heldKey{of, nil}
	if v.Comparable() {
		key.value = v.Interface()
		if x := o.byPtr[key]; x != nil {
			return x, nil
		}
	}
	value := v.Interface()
	x, err := o.add(o.number(), of, reflect.ValueOf(&value))
	if err == nil && key.value != nil {
		o.byPtr[key] = x
	}
	return x, err
}

// isHeld reports that t points to what a worker has for a value in an interface.
func (r *reader) isHeld(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer || r.handles.structs() == nil || !r.handles.Objects.here {
		return false
	}
	of := r.handles.structs().find(t.Elem())
	return of != nil && of.held
}

// held reads one: the value that the host has. If that is to be the interface it, it was given as
// that, or as one with more, of which scripts may call what is wanted.
func (r *reader) held(it reflect.Type) reflect.Value {
	x, t := r.handles.Objects.known(r.want(majorUint)), r.handles.structs()
	if !x.of.held {
		fail("a value of another type")
	}
	as := t.list[t.at[x.of.typ]-1]
	if it != nil && it != as.typ && !(as.typ.Implements(it) && as.showsAll(it)) {
		fail("a %v as %v", as.typ, it)
	}
	return x.ptr.Elem().Elem()
}

// mayBe reports that a script may use v as the interface it: that has no method that the policy
// denies of what the script knows v as.
func (r *reader) mayBe(v reflect.Value, it reflect.Type) bool {
	t, o := r.handles.structs(), r.handles.Objects
	if x := o.byPtr[pointerKey(v)]; x != nil && x.as[it] {
		return true
	}
	base := v.Type()
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	n, listed := t.at[base]
	return listed && t.list[n].showsAll(it) || !listed && numbered(base)
}

// numbered reports a type of Go's that crosses by name.
func numbered(t reflect.Type) bool {
	_, ok := numbers[t]
	return ok
}

// showsAll reports that no method of the interface it is denied.
func (s *structType) showsAll(it reflect.Type) bool {
	for m := range it.Methods() {
		if slices.Contains(s.denied, m.Name) {
			return false
		}
	}
	return true
}
