package stack

import "testing"

//go:noinline
func below(n int, f func()) {
	if n > 0 {
		below(n-1, f)
		return
	}
	f()
}

// TestBeneath: a function is found however deep the stack is, and not on another goroutine.
func TestBeneath(t *testing.T) {
	for _, n := range []int{0, 10, 1000} {
		if below(n, func() {
			if !Beneath("stack.below") || Beneath("stack.lower") {
				t.Errorf("%d deep: below is found: %v, lower: %v", n, Beneath("stack.below"), Beneath("stack.lower"))
			}
		}); Beneath("stack.below") {
			t.Error("below has returned, and is found")
		}
	}
	below(10, func() {
		found := make(chan bool)
		go func() { found <- Beneath("stack.below") }()
		if <-found {
			t.Error("found on another goroutine")
		}
	})
}
