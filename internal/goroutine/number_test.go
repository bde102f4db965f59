package goroutine

import (
	"runtime"
	"testing"
)

// TestNumber: goroutines that live have different numbers, and each has the same one however deep it is
// and however often it has waited.
func TestNumber(t *testing.T) {
	const n = 100
	numbers, end := make(chan int64), make(chan bool)
	var deep func(n int) int64
	deep = func(n int) int64 {
		if n == 0 {
			runtime.Gosched()
			return Number()
		}
		return deep(n - 1)
	}
	for range n {
		go func() {
			mine := Number()
			numbers <- mine
			runtime.Gosched()
			if got := deep(10_000); got != mine {
				t.Errorf("goroutine %d is %d below frames", mine, got)
			}
			end <- true
		}()
	}
	seen := map[int64]bool{Number(): true, Nobody: true}
	for range n {
		if id := <-numbers; seen[id] {
			t.Errorf("two goroutines are %d", id)
		} else {
			seen[id] = true
		}
	}
	for range n {
		<-end
	}
}
