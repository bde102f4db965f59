package carry

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// Objects are the values of struct types of the host's that both processes know of in one run
// or session: each has one of its own, behind a pointer, and they have the same number. What
// crosses of them is what the types show. Both tell the other of the fields that have changed
// whenever they say something, so what one writes the other reads.
//
// What a type hides is in the host's value alone. The worker's has a State, which says whose
// hidden part it has: after a copy, or an assignment, that is another's.
type Objects struct {
	types *Types
	here  bool // where the values are made up of all their fields: the host

	mu    sync.Mutex
	lost  error // nobody knows any more what the other side knows
	last  uint64
	list  []*object
	byID  map[uint64]*object
	byPtr map[any]*object

	kept  int64 // bytes that those take of which the other side has told
	calls int64 // bytes that arguments of calls in progress may still take

	// Uncalled, in a host, is told of a call of a function of the script's, by its type, or of a
	// method that did not get there, unless its result is an error that says so.
	Uncalled func(name string, err error)

	funcs []reflect.Value // of the worker, that the host was given
	asks  []*asking       // calls of the host that go on

	numbers map[*wrapped]uint64 // of the worker: values of the script that the host was given
	scripts map[uint64]*wrapped
	wrapped map[wrapKey]reflect.Value // of the host: what it has for them
}

// An object is one of them.
type object struct {
	id      uint64
	of      *structType
	ptr     reflect.Value
	sent    []string // its fields, as they were when they crossed last; nil before that
	version uint64   // of what it hides, as far as is known
	told    uint64   // the version that the other side knows
	costs   []int64  // bytes that each field takes which the other side has told of

	as map[reflect.Type]bool // interfaces of the host's that it was given as
}

// maxObjects bounds how many there are: each is held by the host until the end of the run.
const maxObjects = 1 << 16

// OnHost makes the objects of a run for its host, OnWorker for its worker.
func (t *Types) OnHost() *Objects { return t.objects(true) }

// OnWorker makes the objects of a run for its worker.
func (t *Types) OnWorker() *Objects { return t.objects(false) }

func (t *Types) objects(here bool) *Objects {
	return &Objects{types: t, here: here, calls: MaxCall, byID: map[uint64]*object{}, byPtr: map[any]*object{}}
}

// structs are the types of the objects that there may be.
func (h *Handles) structs() *Types {
	if h == nil || h.Objects == nil {
		return nil
	}
	return h.Objects.types
}

// number is the next one of this side: those of the host are even.
func (o *Objects) number() uint64 {
	o.last++
	if o.here {
		return 2 * o.last
	}
	return 2*o.last + 1
}

// mine tells whether a number is of this side.
func (o *Objects) mine(id uint64) bool { return (id%2 == 0) == o.here }

var errTooMany = fmt.Errorf("is one more than the %d of the host's that a run may have", maxObjects)

var errGiven = errors.New("is of a type whose values the host alone makes: scripts have pointers to them")

// at is the object that ptr points to, which becomes one if it is none.
func (o *Objects) at(ptr reflect.Value, of *structType) (*object, error) {
	if x := o.byPtr[ptr.Interface()]; x != nil {
		return x, nil
	}
	if of.text.Given && !o.here {
		return nil, errGiven
	}
	return o.add(o.number(), of, ptr)
}

func (o *Objects) add(id uint64, of *structType, ptr reflect.Value) (*object, error) {
	if len(o.byID) >= maxObjects {
		return nil, errTooMany
	}
	ptr = reflect.ValueOf(ptr.Interface()) // what holds it may get another
	x := &object{id: id, of: of, ptr: ptr}
	o.byID[id], o.byPtr[ptr.Interface()] = x, x
	o.list = append(o.list, x)
	return x, nil
}

// keep gives a value of the host's, of which the worker gets a copy, a number for what it
// hides.
func (o *Objects) keep(v reflect.Value, of *structType) (id uint64, err error) {
	if !of.hides {
		return 0, nil
	}
	if len(o.byID) >= maxObjects {
		return 0, errTooMany
	}
	p := reflect.New(of.typ)
	p.Elem().Set(v)
	id = o.number()
	o.byID[id] = &object{id: id, of: of, ptr: p}
	return id, nil
}

// origin is whose hidden part a value of the worker's has: 0 for that of a zero value.
func (o *Objects) origin(v reflect.Value, of *structType) (id uint64, err error) {
	s := *stateOf(v)
	if of.forged(s.ID) {
		return 0, errGiven
	}
	if !of.hides {
		return 0, nil
	}
	if x := o.byID[s.ID]; x != nil && x.version != s.Version {
		return 0, fmt.Errorf("is a copy of one that has changed since, and with it what it hides; in a worker that is not kept")
	}
	return s.ID, nil
}

// forged reports that a value which is no copy of one that was given, or perhaps no true one,
// would be made by a worker that may not.
func (s *structType) forged(origin uint64) bool {
	return s.text.Given && (len(s.fields) > 0 || s.hides && origin == 0)
}

// stateOf is the state of a value of the worker's, for which it need not be a variable.
func stateOf(v reflect.Value) *made.State {
	if !v.CanAddr() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p.Elem()
	}
	return made.StateOf(v)
}
