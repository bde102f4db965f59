package carry

import (
	"reflect"
	"slices"
	"sync"
)

// heldErrors are those that the two sides of a run have given each other, by number: those of the host are even.
// The last ones are held, so that one which comes back is what it was; of those before them only that is lost.
type heldErrors struct {
	here bool

	mu      sync.Mutex
	last    uint64
	byID    map[uint64]*heldError
	numbers map[error]uint64
	order   []*heldError
	bytes   int
}

// A heldError is one of them.
type heldError struct {
	id    uint64
	err   error
	far   *farError // what the other side told of it; nil of one of this side
	bytes int
}

// What a side holds.
const (
	maxHeld      = 4 << 10
	maxHeldBytes = 4 << 20
	maxHeldError = 256 << 10 // bytes of one: what is larger is not held
)

func newHeldErrors(here bool) *heldErrors {
	return &heldErrors{here: here, byID: map[uint64]*heldError{}, numbers: map[error]uint64{}}
}

// table is that of e, nil if there is none.
func (e *Errors) table() *heldErrors {
	if e == nil {
		return nil
	}
	return e.held
}

// numberHeld is the number of err, of whichever side it is; 0 where nobody holds errors.
func (e *Errors) numberHeld(err error, bytes int) uint64 {
	h := e.table()
	if h == nil || bytes > maxHeldError {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if reflect.ValueOf(err).Comparable() && h.numbers[err] != 0 {
		return h.numbers[err]
	}
	h.last++
	id := 2*h.last + 1
	if h.here {
		id = 2 * h.last
	}
	h.hold(&heldError{id: id, err: err, bytes: bytes})
	return id
}

// hold holds one more, and lets go of the first ones.
func (h *heldErrors) hold(x *heldError) {
	if old := h.byID[x.id]; old != nil {
		h.drop(old)
		h.order = slices.DeleteFunc(h.order, func(o *heldError) bool { return o == old })
	}
	h.byID[x.id] = x
	if reflect.ValueOf(x.err).Comparable() {
		h.numbers[x.err] = x.id
	}
	h.bytes += x.bytes
	h.order = append(h.order, x)
	for len(h.order) > maxHeld || h.bytes > maxHeldBytes && len(h.order) > 1 {
		h.drop(h.order[0])
		h.order[0] = nil
		h.order = h.order[1:]
	}
}

func (h *heldErrors) drop(x *heldError) {
	delete(h.byID, x.id)
	if reflect.ValueOf(x.err).Comparable() && h.numbers[x.err] == x.id {
		delete(h.numbers, x.err)
	}
	h.bytes -= x.bytes
}

// mine tells whether a number is of this side.
func (h *heldErrors) mine(id uint64) bool { return (id%2 == 0) == h.here }

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
		r.alloc(1, uintptr(x.bytes)) // who gets it may make as much of it
		return x.err
	case h.mine(id):
		return far.made(shape)
	}
	err := far.made(shape)
	h.hold(&heldError{id, err, far, int(bytes)})
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
	if x := h.byID[id]; x != nil && reflect.DeepEqual(x.err, err) {
		return x.err
	}
	if !h.mine(id) {
		h.hold(&heldError{id: id, err: err, bytes: int(bytes)})
	}
	return err
}
