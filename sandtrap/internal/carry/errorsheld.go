package carry

import (
	"reflect"
	"slices"
	"sync"
)

// heldValues are errors that the two sides of a run have given each other, and values of the script's types that the
// host has, by number: those of the host are even. The last ones are held, so that one which comes back is what it was.
// Of errors before them only that is lost.
type heldValues struct {
	here bool

	mu      sync.Mutex
	last    uint64
	byID    map[uint64]*heldValue
	numbers map[any]uint64
	order   []*heldValue
	bytes   int
}

// A heldValue is one of them.
type heldValue struct {
	id    uint64
	value any
	far   *farError // what the other side told of an error; nil of what is of this side
	bytes int
}

// What a side holds.
const (
	maxHeld      = 4 << 10
	maxHeldBytes = 4 << 20
	maxHeldError = 256 << 10 // bytes of one: what is larger is not held
)

func newHeldValues(here bool) *heldValues {
	return &heldValues{here: here, byID: map[uint64]*heldValue{}, numbers: map[any]uint64{}}
}

// table is that of e, nil if there is none.
func (e *Errors) table() *heldValues {
	if e == nil {
		return nil
	}
	return e.held
}

// numberHeld is the number of v, of whichever side it is; 0 where nobody holds errors.
func (e *Errors) numberHeld(v any, bytes int) uint64 {
	h := e.table()
	if h == nil || bytes > maxHeldError {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if isKey(v) && h.numbers[v] != 0 {
		return h.numbers[v]
	}
	h.last++
	id := 2*h.last + 1
	if h.here {
		id = 2 * h.last
	}
	h.hold(&heldValue{id: id, value: v, bytes: bytes})
	return id
}

// isKey reports that v is found by itself, as what is not a number is not: that would stay for ever.
func isKey(v any) bool {
	itself := v
	return reflect.ValueOf(v).Comparable() && v == itself
}

// weigh says how many bytes were written of the one with a number, with all that it wraps.
func (e *Errors) weigh(id uint64, bytes int) {
	h := e.table()
	if h == nil || id == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.byID[id]
	if x == nil || bytes <= x.bytes {
		return
	}
	h.bytes += bytes - x.bytes
	x.bytes = bytes
	if bytes > maxHeldError {
		h.remove(x)
	}
	h.trim()
}

// hold holds one more, and lets go of the first ones.
func (h *heldValues) hold(x *heldValue) {
	if old := h.byID[x.id]; old != nil {
		h.remove(old)
	}
	h.byID[x.id] = x
	if isKey(x.value) {
		h.numbers[x.value] = x.id
	}
	h.bytes += x.bytes
	h.order = append(h.order, x)
	h.trim()
}

// remove lets go of one.
func (h *heldValues) remove(x *heldValue) {
	h.drop(x)
	h.order = slices.DeleteFunc(h.order, func(o *heldValue) bool { return o == x })
}

// trim lets go of the first ones until no more are held than may be.
func (h *heldValues) trim() {
	for len(h.order) > maxHeld || h.bytes > maxHeldBytes && len(h.order) > 1 {
		h.drop(h.order[0])
		h.order[0] = nil
		h.order = h.order[1:]
	}
}

func (h *heldValues) drop(x *heldValue) {
	delete(h.byID, x.id)
	if isKey(x.value) && h.numbers[x.value] == x.id {
		delete(h.numbers, x.value)
	}
	h.bytes -= x.bytes
}

// mine tells whether a number is of this side.
func (h *heldValues) mine(id uint64) bool { return (id%2 == 0) == h.here }

// heldError is the error with a number of which far is what the other side tells, with so many bytes.
func (r *reader) heldError(id uint64, far *farError, shape uint64, bytes int64) error {
	h := r.errors.table()
	if h == nil || id == 0 || bytes > maxHeldError {
		return far.made(shape)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.byID[id]
	switch {
	case x != nil && (h.mine(id) || x.far != nil && x.far.same(far)):
		err, ok := x.value.(error)
		if !ok {
			fail("what is no error")
		}
		r.alloc(1, uintptr(x.bytes)) // who gets it may make as much of it
		return err
	case h.mine(id):
		return far.made(shape)
	}
	err := far.made(shape)
	h.hold(&heldValue{id, err, far, int(bytes)})
	return err
}

// same reports that nothing has changed.
func (e *farError) same(other *farError) bool {
	return e.name == other.name && e.says == other.says && e.text == other.text && slices.EqualFunc(e.is, other.is, sameError) && slices.EqualFunc(e.below, other.below, sameError)
}

// sameError reports that two errors are one, or stand for one value of the host's.
func sameError(a, b error) bool {
	if s, ok := a.(*madeError); ok {
		t, ok := b.(*madeError)
		return ok && reflect.ValueOf(s.value).Comparable() && s.value == t.value
	}
	if a == nil || b == nil {
		return a == b
	}
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// sameTyped is err, or the one with that number if it has the same in it: an error that its holder has changed is
// another.
func (e *Errors) sameTyped(id uint64, err error, bytes int64) error {
	h := e.table()
	if h == nil || id == 0 || bytes > maxHeldError {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if x := h.byID[id]; x != nil && reflect.DeepEqual(x.value, err) {
		return x.value.(error)
	}
	if !h.mine(id) {
		h.hold(&heldValue{id: id, value: err, bytes: int(bytes)})
	}
	return err
}
