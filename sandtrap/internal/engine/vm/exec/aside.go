package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// asideBytes is what the runtime of Go allocates in some quarter of a millisecond: it clears
// all of it, in one go, and nobody can stop that.
const asideBytes = 4 << 20

// Aside gives what f makes, which takes so many bytes that are paid for. Of many bytes it is
// made on a goroutine of its own, and a run that has to end does not wait for it: what is
// made then is garbage when it is there. f is to do nothing but that.
func Aside[T any](m *Machine, bytes int64, f func() T) T {
	if bytes < asideBytes {
		return f()
	}
	type result struct {
		v      T
		failed any
	}
	made := make(chan result, 1)
	go func() {
		var r result
		defer func() { // a panic there would end the process
			r.failed = recover()
			made <- r
		}()
		engine.InLane(m.Seam.Meter, func() { r.v = f() })
	}()
	r := engine.Await(m.Seam.Meter, made, m.Check)
	if r.failed != nil {
		panic(r.failed)
	}
	return r.v
}

// StoreFor is NewStore for n elements that are paid for.
func (m *Machine) StoreFor(t *ir.Type, n int) any {
	bytes := ir.StoreBytes(t, int64(n))
	if bytes < asideBytes {
		return m.FollowAny(NewStore(t, n))
	}
	return m.FollowAny(Aside(m, bytes, func() any { return NewStore(t, n) }))
}

// AggFor is NewAgg for an array or struct that is paid for.
func (m *Machine) AggFor(t *ir.Type) any {
	if t.Kind == reflect.Array {
		return m.StoreFor(t.Elem, t.N)
	}
	return m.FollowAny(NewAgg(t))
}

// BytesFor is room for n bytes that are paid for.
func (m *Machine) BytesFor(n int) []byte {
	return Aside(m, int64(n), func() []byte { return make([]byte, 0, n) })
}

// longer is a longer copy of s, no longer than that, as append's would be, made in pieces.
func longer[T any](m *Machine, s []T, n int) []T {
	const step = Piece / cellMost
	out := Aside(m, int64(n)*cellMost, func() []T { return make([]T, n) })
	for done := 0; done < len(s); {
		k := copy(out[done:], s[done:min(len(s), done+step)])
		done += k
		m.Moved(k * cellMost)
	}
	return out
}

// cellMost is what a cell takes in a bank, at most.
const cellMost = 16

// roomier is s with room for n more, made in pieces if s is so long that append would take
// long. What p counts for may be nobody.
func roomier[T any](p *Nest, s []T, n int) []T {
	if cap(s)-len(s) >= n || len(s) < asideBytes/cellMost || p == nil || p.M == nil {
		return s
	}
	return longer(p.M, s, len(s)+len(s)/4+n)[:len(s)]
}
