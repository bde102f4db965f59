package goroutine

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestTrace: the number is that in the trace of the caller.
func TestTrace(t *testing.T) {
	for range 3 {
		told := make(chan string)
		go func() {
			var trace [100]byte
			runtime.Stack(trace[:], false)
			if want := fmt.Appendf(nil, "goroutine %d [", byTrace()); !bytes.HasPrefix(trace[:], want) {
				told <- fmt.Sprintf("%s, want %s", want, trace)
			}
			close(told)
		}()
		if wrong, ok := <-told; ok {
			t.Error(wrong)
		}
	}
}

// TestCreator: the number is found in each form that the runtime gives a trace, and there is Nobody where none is.
func TestCreator(t *testing.T) {
	const frames = "goroutine 7 [running]:\ngoroutine.(*child).tell(0xc000010000)\n\t/in goroutine 3/trace.go:150 +0x3a\n"
	for trace, want := range map[string]int64{
		frames + "created by goroutine.byTrace in goroutine 12\n\t/trace.go:135 +0x5c\n":                                                                                                      12,
		frames + "created by goroutine.byTrace in goroutine 12\n\t/trace.go:135 +0x5c\n[originating from goroutine 12]:\nmain.f(...)\n\t/f.go:1 +0x1\ncreated by main.main\n\t/f.go:2 +0x2\n": 12,
		frames + "created by goroutine.byTrace\n\t/trace.go:135 +0x5c\n":                                                                                                                      Nobody,
		frames: Nobody,
		"":     Nobody,
	} {
		if got := creator([]byte(trace)); got != want {
			t.Errorf("%q: %d, want %d", trace, got, want)
		}
	}
}

// TestTraceDeep: to ask takes no longer where there are more frames.
func TestTraceDeep(t *testing.T) {
	ask := func() time.Duration {
		least := time.Hour
		for range 20 {
			start := time.Now()
			byTrace()
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
