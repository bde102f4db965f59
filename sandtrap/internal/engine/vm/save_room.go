package vm

import (
	"fmt"
	"maps"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A room is how much may be written for a session: as much as may be loaded again, since values that share their parts
// may be written several times. A variable that does not fit is left out.
type room struct {
	meter *gates.Meter
	most  int64
	spent int64
	steps int
}

func newRoom(m *gates.Meter) room { return room{meter: m, most: engine.MostSaved(m.Limits().Memory)} }

func (r *room) over() bool { return r.spent > r.most }

// valueBytes is what a Value counts for, beside its text.
const valueBytes = 16

// spend counts bytes that are about to be written. It refuses those that there is no room for, and ends when the time
// for it is over.
func (s *saver) spend(n int64) {
	r := &s.room
	if r.steps++; r.steps%1024 == 0 {
		if stop := r.meter.Check(); stop != nil {
			panic(stop)
		}
	}
	if r.spent += n; r.over() {
		s.refuse("%s", r.full())
	}
}

func (r *room) full() string {
	return fmt.Sprintf("there is no room for its values: a saved session has at most %d bytes of them", r.most)
}

// bytesOf is what an object counts for, beside that it is there, and its values.
func bytesOf(o *engine.Object) int64 {
	n := 8*len(o.I) + 16*len(o.S) + len(o.Bytes)
	for _, text := range o.S {
		n += len(text)
	}
	return int64(n)
}

// sizeOf is what an object counts for.
func sizeOf(o *engine.Object) int64 {
	n := ir.ObjBytes + bytesOf(o)
	for _, v := range o.R {
		n += valueBytes + int64(len(v.S))
	}
	return n
}

// takeBack drops what was written after the first n objects.
func (s *saver) takeBack(n int) {
	clear(s.out.Objects[n:])
	clear(s.todo[n:])
	s.out.Objects, s.todo, s.written = s.out.Objects[:n], s.todo[:n], n
	maps.DeleteFunc(s.ids, func(_ any, at int) bool { return at > n })
	maps.DeleteFunc(s.bad, func(at int, _ string) bool { return at > n })
}

// skip says that a variable is left out.
func (s *saver) skip(name, why string) {
	if s.out.Skipped == nil {
		s.out.Skipped = map[string]string{}
	}
	s.out.Skipped[name] = why
}

// maxNested is how many values of the host's, which are made whole, lie in each other.
const maxNested = 1000

// wholes are the kinds of objects that are made with all that is in them.
var wholes = map[string]bool{"wrapped": true, "data error": true, "host value": true, "host data": true, "host list": true, "data": true}

// nested makes bad what lies in itself, or too deep, and so could not be made again.
func (s *saver) nested() {
	d := depths{saver: s, of: make([]int, len(s.out.Objects)+1)}
	for i := range s.out.Objects {
		d.enter(i + 1)
		for len(d.under) > 0 {
			d.step()
		}
	}
}

// depths are how deep the values in objects are, by number. One that is being looked at has -1.
type depths struct {
	*saver
	of    []int
	under []nesting
}

// A nesting is an object that is looked at, and how deep what it holds is.
type nesting struct{ n, next, deepest int }

// enter begins to look at object n. What is not made whole ends there.
func (d *depths) enter(n int) {
	switch {
	case d.of[n] < 0:
		d.bad[n] = "it holds a value of the host's that lies in itself"
	case d.of[n] > 0:
	case wholes[d.out.Objects[n-1].Kind]:
		d.of[n] = -1
		d.under = append(d.under, nesting{n: n})
		return
	default:
		d.of[n] = 1
	}
	if len(d.under) > 0 {
		up := &d.under[len(d.under)-1]
		up.deepest = max(up.deepest, d.of[n])
	}
}

// step goes on with the innermost object.
func (d *depths) step() {
	last := len(d.under) - 1
	v := &d.under[last]
	if o := &d.out.Objects[v.n-1]; v.next < len(o.R) {
		in := o.R[v.next]
		v.next++
		if in.Kind == "object" {
			d.enter(int(in.N))
		}
		return
	}
	n := v.n
	d.of[n] = v.deepest + 1
	if d.of[n] > maxNested {
		if _, bad := d.bad[n]; !bad {
			d.bad[n] = "its values lie too deep in each other"
		}
	}
	d.under = d.under[:last]
	d.enter(n) // tells the one that holds it
}
