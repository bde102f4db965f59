package stack

import (
	"testing"
	"unsafe"
)

// deep uses as much of the stack as a run, and says if it was moved for that.
//
//go:noinline
func deep(n int, first *uintptr, moved *bool) byte {
	var frame [1 << 10]byte
	frame[n] = byte(n)
	if n > 0 {
		return deep(n-1, first, moved) + frame[n]
	}
	return frame[n]
}

// TestRoomy: what comes after it finds its stack where it was.
func TestRoomy(t *testing.T) {
	for _, roomy := range []bool{true, false} {
		moved := make(chan bool)
		go func() {
			if roomy {
				Roomy()
			}
			var here int
			before := uintptr(unsafe.Pointer(&here))
			deep(16, nil, nil)
			moved <- before != uintptr(unsafe.Pointer(&here))
		}()
		if got := <-moved; got == roomy {
			t.Errorf("the stack is moved: %v, with room made before: %v", got, roomy)
		}
	}
}
