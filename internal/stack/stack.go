// Package stack makes room on stacks of goroutines, and finds functions on them.
//
// It may not change what runs on a stack.
package stack

// Roomy makes the stack of the goroutine as large as most runs need it, at once: grown
// by doubling it would be copied five times.
func Roomy() { roomy(false) }

// roomy: room for a frame is made before the frame is filled; used is false, so that
// nobody pays for filling it.
//
//go:noinline
func roomy(used bool) (sum byte) {
	if used {
		var room [20 << 10]byte
		for i := range room {
			sum += room[i]
		}
	}
	return sum
}
