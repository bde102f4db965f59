// Package weakstring makes weak pointers to memory that has no pointer with a type: the bytes of a
// string, and what reflection has made.
//
// It may not make a pointer that a script gets.
package weakstring

import (
	"unsafe"
	"weak"
)

// Own makes b a string, without a copy, and returns a weak pointer that is nil once no
// string shares its memory. Nobody may write to b from then on. It is to be an
// allocation of its own, of one byte at least.
func Own(b []byte) (string, weak.Pointer[byte]) {
	return unsafe.String(&b[0], len(b)), weak.Make(&b[0])
}

// At returns a weak pointer that is nil once nobody holds the allocation that p leads into. It is
// to be one of the heap's, of one byte at least.
func At(p unsafe.Pointer) weak.Pointer[byte] { return weak.Make((*byte)(p)) }
