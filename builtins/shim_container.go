package builtins

import (
	"container/list"
	"container/ring"
)

// elementSize is what one element of a list or ring takes.
const elementSize = 64

// payElements asks for n elements.
func (e *Env) payElements(n int) {
	e.chargeProduct(int64(n), elementSize)
	e.workProduct(int64(n), 8)
}

func listPushBack(e *Env) func(*list.List, any) *list.Element {
	return func(l *list.List, v any) *list.Element {
		e.charge(elementSize)
		return l.PushBack(v)
	}
}

func listPushFront(e *Env) func(*list.List, any) *list.Element {
	return func(l *list.List, v any) *list.Element {
		e.charge(elementSize)
		return l.PushFront(v)
	}
}

func listInsertBefore(e *Env) func(*list.List, any, *list.Element) *list.Element {
	return func(l *list.List, v any, mark *list.Element) *list.Element {
		e.charge(elementSize)
		return l.InsertBefore(v, mark)
	}
}

func listInsertAfter(e *Env) func(*list.List, any, *list.Element) *list.Element {
	return func(l *list.List, v any, mark *list.Element) *list.Element {
		e.charge(elementSize)
		return l.InsertAfter(v, mark)
	}
}

func listPushBackList(e *Env) func(*list.List, *list.List) {
	return func(l, other *list.List) {
		e.payElements(other.Len())
		l.PushBackList(other)
	}
}

func listPushFrontList(e *Env) func(*list.List, *list.List) {
	return func(l, other *list.List) {
		e.payElements(other.Len())
		l.PushFrontList(other)
	}
}

func ringNew(e *Env) func(int) *ring.Ring {
	return func(n int) *ring.Ring {
		e.payElements(n)
		return ring.New(n)
	}
}

// ringLen is Len, where a stop is let through: from the copy of an element of a ring nothing
// leads back to it.
func ringLen(e *Env) func(*ring.Ring) int {
	return func(r *ring.Ring) int {
		n := 0
		ringDo(e)(r, func(any) { n++ })
		return n
	}
}

func ringDo(e *Env) func(*ring.Ring, func(any)) {
	return func(r *ring.Ring, f func(any)) {
		if r == nil {
			return
		}
		f(r.Value)
		n := 0
		for p := r.Next(); p != r; p = p.Next() {
			if n++; n%workStep == 0 {
				e.check()
			}
			f(p.Value)
		}
	}
}

func ringMove(e *Env) func(*ring.Ring, int) *ring.Ring {
	return func(r *ring.Ring, n int) *ring.Ring {
		if size := ringLen(e)(r); size > 0 {
			n %= size // more rounds end in the same place
		}
		return r.Move(n)
	}
}

func ringUnlink(e *Env) func(*ring.Ring, int) *ring.Ring {
	return func(r *ring.Ring, n int) *ring.Ring {
		if size := ringLen(e)(r); size > 0 && n > 0 {
			n %= size
			if n == 0 {
				n = size
			}
		}
		return r.Unlink(n)
	}
}
