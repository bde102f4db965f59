package machine

import (
	"syscall"
	"time"
)

// CPUTime is what the thread, which the goroutine is locked to, has had of the processor.
func CPUTime() time.Duration {
	const thisThread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
