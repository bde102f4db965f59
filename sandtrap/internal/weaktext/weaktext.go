// Package weaktext makes strings of which it can be told when nobody holds them any more.
// Nothing else can: a weak pointer needs a pointer, and the language has none to the bytes
// of a string.
package weaktext

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
