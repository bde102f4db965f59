package vm

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestGoroutine: the number is that in the trace of the caller.
func TestGoroutine(t *testing.T) {
	for range 3 {
		told := make(chan string)
		go func() {
			var trace [100]byte
			runtime.Stack(trace[:], false)
			if want := fmt.Appendf(nil, "goroutine %d [", goroutine()); !bytes.HasPrefix(trace[:], want) {
				told <- fmt.Sprintf("%s, want %s", want, trace)
			}
			close(told)
		}()
		if wrong, ok := <-told; ok {
			t.Error(wrong)
		}
	}
}

// TestGoroutineDeep: to ask takes no longer where there are more frames.
func TestGoroutineDeep(t *testing.T) {
	ask := func() time.Duration {
		least := time.Hour
		for range 20 {
			start := time.Now()
			goroutine()
			least = min(least, time.Since(start))
		}
		return least
	}
	var deep func(n int) time.Duration
	deep = func(n int) time.Duration {
		if n == 0 {
			return ask()
		}
		return min(deep(n-1), time.Hour)
	}
	flat, most := ask(), deep(100_000)
	if most > 100*flat { // the whole stack takes ten thousand times as long
		t.Errorf("%v, and %v below 100,000 frames", flat, most)
	}
}
