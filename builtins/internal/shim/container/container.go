package container

import (
	"container/list"
	"container/ring"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// elementSize is what one element of a list or ring takes.
const elementSize = 64

// payElements asks for n elements.
func payElements(e *shim.Env, n int) {
	e.ChargeProduct(int64(n), elementSize)
	e.WorkProduct(int64(n), 8)
}

func ListPushBack(e *shim.Env) func(*list.List, any) *list.Element {
	return func(l *list.List, v any) *list.Element {
		e.Charge(elementSize)
		return l.PushBack(v)
	}
}

func ListPushFront(e *shim.Env) func(*list.List, any) *list.Element {
	return func(l *list.List, v any) *list.Element {
		e.Charge(elementSize)
		return l.PushFront(v)
	}
}

func ListInsertBefore(e *shim.Env) func(*list.List, any, *list.Element) *list.Element {
	return func(l *list.List, v any, mark *list.Element) *list.Element {
		e.Charge(elementSize)
		return l.InsertBefore(v, mark)
	}
}

func ListInsertAfter(e *shim.Env) func(*list.List, any, *list.Element) *list.Element {
	return func(l *list.List, v any, mark *list.Element) *list.Element {
		e.Charge(elementSize)
		return l.InsertAfter(v, mark)
	}
}

func ListPushBackList(e *shim.Env) func(*list.List, *list.List) {
	return func(l, other *list.List) {
		payElements(e, other.Len())
		l.PushBackList(other)
	}
}

func ListPushFrontList(e *shim.Env) func(*list.List, *list.List) {
	return func(l, other *list.List) {
		payElements(e, other.Len())
		l.PushFrontList(other)
	}
}

func RingNew(e *shim.Env) func(int) *ring.Ring {
	return func(n int) *ring.Ring {
		payElements(e, n)
		return ring.New(n)
	}
}

// RingLen is Len, where a stop is let through: from the copy of an element of a ring nothing
// leads back to it.
func RingLen(e *shim.Env) func(*ring.Ring) int {
	return func(r *ring.Ring) int {
		n := 0
		RingDo(e)(r, func(any) { n++ })
		return n
	}
}

func RingDo(e *shim.Env) func(*ring.Ring, func(any)) {
	return func(r *ring.Ring, f func(any)) {
		if r == nil {
			return
		}
		f(r.Value)
		n := 0
		for p := r.Next(); p != r; p = p.Next() {
			if n++; n%shim.WorkStep == 0 {
				e.Check()
			}
			f(p.Value)
		}
	}
}

func RingMove(e *shim.Env) func(*ring.Ring, int) *ring.Ring {
	return func(r *ring.Ring, n int) *ring.Ring {
		if size := RingLen(e)(r); size > 0 {
			n %= size // more rounds end in the same place
		}
		return r.Move(n)
	}
}

func RingUnlink(e *shim.Env) func(*ring.Ring, int) *ring.Ring {
	return func(r *ring.Ring, n int) *ring.Ring {
		if size := RingLen(e)(r); size > 0 && n > 0 {
			n %= size
			if n == 0 {
				n = size
			}
		}
		return r.Unlink(n)
	}
}
