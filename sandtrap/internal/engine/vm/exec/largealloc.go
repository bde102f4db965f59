package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// largeBytes is what the runtime of Go allocates in some quarter of a millisecond: it clears
// all of it, in one go, and nobody can stop that.
const largeBytes = 4 << 20

// AllocLarge gives what f makes, which takes so many bytes that are paid for. Of many bytes it is
// made on a goroutine of its own, and a run that has to end does not wait for it: what is
// made then is garbage when it is there. f is to do nothing but that.
func AllocLarge[T any](m *Machine, bytes int64, f func() T) T {
	if bytes < largeBytes {
		return f()
	}
	var v T
	engine.Apart(m.Host.Meter, m.lane, func() { v = f() }, m.PollNow)
	return v
}

// AllocStore is NewStore for n elements that are paid for.
func (m *Machine) AllocStore(t *ir.Type, n int) any {
	bytes := ir.StoreBytes(t, int64(n))
	if bytes < largeBytes {
		return m.FollowAny(NewStore(t, n))
	}
	return m.FollowAny(AllocLarge(m, bytes, func() any { return NewStore(t, n) }))
}

// AllocAgg is NewAgg for an array or struct that is paid for.
func (m *Machine) AllocAgg(t *ir.Type) any {
	if t.Kind == reflect.Array {
		return m.AllocStore(t.Elem, t.N)
	}
	return m.FollowAny(NewAgg(t))
}

// AllocBytes is room for n bytes that are paid for.
func (m *Machine) AllocBytes(n int) []byte {
	return AllocLarge(m, int64(n), func() []byte { return make([]byte, 0, n) })
}

// grown is a longer copy of s, no longer than that, as append's would be, made in pieces.
func grown[T any](m *Machine, s []T, n int) []T {
	const step = Chunk / cellMost
	out := AllocLarge(m, int64(n)*cellMost, func() []T { return make([]T, n) })
	for done := 0; done < len(s); {
		k := copy(out[done:], s[done:min(len(s), done+step)])
		done += k
		m.CountCopied(k * cellMost)
	}
	return out
}

// cellMost is what a cell takes in a bank, at most.
const cellMost = 16

// grownWithin is s with room for n more, made in pieces if s is so long that append would take
// long. What p counts for may be nobody.
func grownWithin[T any](p *Recursion, s []T, n int) []T {
	if cap(s)-len(s) >= n || len(s) < largeBytes/cellMost || p == nil || p.M == nil {
		return s
	}
	return grown(p.M, s, len(s)+len(s)/4+n)[:len(s)]
}
