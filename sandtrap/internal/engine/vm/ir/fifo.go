package ir

import "slices"

// A Fifo is a queue that keeps its memory: what goes in and out of one of steady
// length allocates nothing.
type Fifo[T any] struct {
	q    []T
	head int
}

// Len is how many are in it.
func (f *Fifo[T]) Len() int { return len(f.q) - f.head }

// Push adds v as the last.
func (f *Fifo[T]) Push(v T) {
	if f.head > 0 && len(f.q) == cap(f.q) && f.head >= len(f.q)/2 {
		n := copy(f.q, f.q[f.head:])
		clear(f.q[n:])
		f.q, f.head = f.q[:n], 0
	}
	f.q = append(f.q, v)
}

// Pop takes the first; there is one.
func (f *Fifo[T]) Pop() T {
	var none T
	v := f.q[f.head]
	f.q[f.head] = none
	if f.head++; f.head == len(f.q) {
		f.q, f.head = f.q[:0], 0
	}
	return v
}

// Front is the first; there is one.
func (f *Fifo[T]) Front() T { return f.q[f.head] }

// Full reports that the next Push takes memory.
func (f *Fifo[T]) Full() bool { return len(f.q) == cap(f.q) }

// Drop takes out those that gone reports.
func (f *Fifo[T]) Drop(gone func(T) bool) {
	kept := slices.DeleteFunc(f.q[f.head:], gone)
	n := copy(f.q, kept)
	clear(f.q[n:])
	f.q, f.head = f.q[:n], 0
}
