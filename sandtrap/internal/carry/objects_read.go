package carry

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// hear reads what say wrote, and takes what that needs of room, which may be shared by all that
// hear of the same objects.
func (h *Handles) hear(data []byte, room *int64, beside bool, do func(*reader)) (used int64, err error) {
	defer caught(&err)
	r := &reader{handles: h, errors: h.known(), data: data, beside: beside}
	if h != nil && h.Objects != nil {
		h.Objects.mu.Lock()
		defer h.Objects.mu.Unlock()
		if h.Objects.lost != nil {
			return 0, h.Objects.lost
		}
	}
	r.room = *room
	defer func() { used, *room = *room-r.room, r.room }()
	if h != nil && h.Objects != nil {
		h.Objects.hear(r)
	}
	do(r)
	if len(r.data) > 0 {
		fail("%d bytes too many", len(r.data))
	}
	return 0, nil
}

// errLost is what is wrong with all that comes after something that was none.
var errLost = fmt.Errorf("%w: what was said of objects before", ErrFormat)

// hear reads what the other side tells of objects. All that are new are there before any of
// their fields is.
func (o *Objects) hear(r *reader) {
	o.lost = errLost // if it is none
	n := r.count()
	if n%2 != 0 {
		fail("an object without a type")
	}
	for range n / 2 {
		id, at := r.want(majorUint), r.want(majorUint)
		if o.mine(id) || id == 0 || o.byID[id] != nil || at >= uint64(len(o.types.list)) {
			fail("an object of number %d and type %d", id, at)
		}
		of := o.types.list[at]
		if of.text.Given && o.here {
			fail("an object that %v", errGiven)
		}
		r.alloc(1, of.typ.Size())
		o.charge(int64(of.typ.Size()))
		if _, err := o.add(id, of, reflect.New(of.typ)); err != nil {
			fail("an object that %v", err)
		}
	}
	for range r.count() {
		o.hearChange(r)
	}
	o.lost = nil
}

func (o *Objects) hearChange(r *reader) {
	if r.count() != 4 {
		fail("no change of an object")
	}
	x, origin, version := o.known(r.want(majorUint)), r.want(majorUint), r.want(majorUint)
	fresh := x.sent == nil
	if fresh {
		x.sent = make([]string, len(x.of.fields))
	}
	if o.here {
		o.rehide(x, origin, fresh)
	} else if x.version, x.told = version, version; x.of.hides {
		*made.StateOf(x.ptr.Elem()) = made.State{ID: x.id, Version: version}
	}
	if r.count() != len(x.of.fields) {
		fail("an object with other fields")
	}
	for i, n := range x.of.fields {
		if r.null() {
			continue
		}
		if r.count() != 1 {
			fail("no field of an object")
		}
		before, room := r.data, r.room
		field := reflect.New(x.of.typ.Field(n).Type).Elem()
		r.value(field)
		x.ptr.Elem().Field(n).Set(field)
		text := string(before[:len(before)-len(r.data)])
		x.sent[i] = text
		o.keeps(x, i, room-r.room+int64(len(text)))
	}
}

// keeps takes n bytes for field i of x, which it has until it is told of another.
func (o *Objects) keeps(x *object, i int, n int64) {
	if x.costs == nil {
		x.costs = make([]int64, len(x.of.fields))
	}
	o.charge(n - x.costs[i])
	x.costs[i] = n
}

// charge takes n bytes for what the other side has told of, until the end of the run.
func (o *Objects) charge(n int64) {
	if o.kept += n; o.here && o.kept > MaxCall {
		fail("the objects of a run with more than %d bytes", MaxCall)
	}
}

// known is the object with a number.
func (o *Objects) known(id uint64) *object {
	x := o.byID[id]
	if x == nil {
		fail("there is no object %d", id)
	}
	return x
}

// rehide gives x, a value of the host's that is new, the hidden part of another: that of one
// that others may use is not changed from outside.
func (o *Objects) rehide(x *object, origin uint64, fresh bool) {
	switch {
	case !x.of.hides || origin == x.id || fresh && origin == 0:
	case !fresh:
		fail("what object %d hides is its own", x.id)
	default:
		from := o.known(origin)
		if from.of != x.of {
			fail("what a value of another type hides")
		}
		x.ptr.Elem().Set(from.ptr.Elem())
	}
}

// pointer reads one to a value of a struct type of the host's. To the host that is as good
// as a change of what it hides: whoever gets it may make one.
func (r *reader) pointer(v reflect.Value, of *structType) {
	o := r.handles.Objects
	x := o.known(r.want(majorUint))
	if x.of != of {
		fail("an object of another type")
	}
	if o.here && !r.beside && of.hides {
		x.version++
	}
	v.Set(x.ptr)
}

// object reads a value of a struct type of the host's.
func (r *reader) object(v reflect.Value, of *structType) {
	o := r.handles.Objects
	if r.count() != 1+len(of.fields) {
		fail("a struct with other fields")
	}
	id := r.want(majorUint)
	switch {
	case o.here && of.forged(id):
		fail("a value that %v", errGiven)
	case !o.here:
		*made.StateOf(v) = made.State{ID: id}
	case of.hides && id != 0:
		from := o.known(id)
		if from.of != of {
			fail("what a value of another type hides")
		}
		v.Set(from.ptr.Elem())
	}
	for _, n := range of.fields {
		field := reflect.New(of.typ.Field(n).Type).Elem()
		r.value(field)
		v.Field(n).Set(field)
	}
}
