package confine

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestThreadsHaveStarted: a thread that does not take signals yet, as one of the C library that
// has not come to code of Go, is waited for.
func TestThreadsHaveStarted(t *testing.T) {
	c := newCallOver()
	defer c.end()
	blocked := make(chan bool)
	var takes atomic.Bool
	go func() {
		runtime.LockOSThread()
		var all, old unix.Sigset_t
		for i := range all.Val {
			all.Val[i] = ^all.Val[i]
		}
		if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &old); err != nil {
			t.Error(err)
		}
		close(blocked)
		time.Sleep(50 * time.Millisecond)
		takes.Store(true)
		if err := unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	}()
	<-blocked
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.started(tasks); err != nil || !takes.Load() {
		t.Errorf("%v; the thread takes signals: %v", err, takes.Load())
	}
}

// TestThreadsHaveNumbers: one that the kernel does not have yet is waited for.
func TestThreadsHaveNumbers(t *testing.T) {
	seen, asked := map[int]bool{}, 0
	err := numbered(5, func(tid int) bool {
		if tid == 3 {
			asked++
		}
		seen[tid] = tid != 3 || asked > 4
		return seen[tid]
	})
	for tid := 1; tid <= 5; tid++ {
		if !seen[tid] {
			t.Errorf("thread %d has not started", tid)
		}
	}
	if len(seen) != 5 || err != nil {
		t.Errorf("%v, %v", seen, err)
	}
}
