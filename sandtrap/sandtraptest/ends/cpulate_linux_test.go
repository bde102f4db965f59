package ends

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A cpuContext tells how much work a run has done: it binds the goroutines that look at it
// to threads, whose clocks do not go on while somebody else has the processor.
type cpuContext struct {
	context.Context
	mu      sync.Mutex
	threads map[int]*threadClock
}

// A threadClock is what a thread had done when it was seen first, and when it was last asked.
type threadClock struct{ before, now time.Duration }

func newCPUContext() *cpuContext {
	return &cpuContext{Context: context.Background(), threads: map[int]*threadClock{}}
}

func (c *cpuContext) Err() error {
	runtime.LockOSThread()
	id := unix.Gettid()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.threads[id] != nil {
		runtime.UnlockOSThread()
		return nil
	}
	now, _ := threadTime(id)
	c.threads[id] = &threadClock{now, now}
	return nil
}

// done is the work until now.
func (c *cpuContext) done() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := time.Duration(0)
	for id, clock := range c.threads {
		if now, ok := threadTime(id); ok { // it may have ended
			clock.now = now
		}
		sum += clock.now - clock.before
	}
	return sum
}

func threadTime(id int) (time.Duration, bool) {
	var ts unix.Timespec
	err := unix.ClockGettime(int32(^id<<3|6), &ts)
	return time.Duration(ts.Nano()), err == nil
}

// workAfter calls run with a context, which tells how long it ran, and tells how much work
// there was after d of that, to a millisecond or so.
func workAfter(d time.Duration, run func(context.Context) time.Duration) time.Duration {
	type reading struct {
		at   time.Time
		done time.Duration
	}
	c := newCPUContext()
	stop, readings := make(chan struct{}), make(chan []reading)
	go func() {
		var list []reading
		for {
			list = append(list, reading{time.Now(), c.done()})
			select {
			case <-stop:
				readings <- append(list, reading{time.Now(), c.done()})
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	took := run(c)
	due := time.Now().Add(d - took)
	close(stop)
	list := <-readings
	last := list[len(list)-1]
	for i, r := range list {
		if r.at.After(due) {
			before := list[max(0, i-1)]
			gap := max(1, r.at.Sub(before.at)) // in which the work is taken for even
			return last.done - r.done + time.Duration(float64(r.done-before.done)*float64(r.at.Sub(due))/float64(gap))
		}
	}
	return 0
}
