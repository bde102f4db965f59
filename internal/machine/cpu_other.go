//go:build !linux

package machine

import "time"

var began = time.Now()

// CPUTime is the time, where nobody tells what a thread has had of the processor.
func CPUTime() time.Duration { return time.Since(began) }
