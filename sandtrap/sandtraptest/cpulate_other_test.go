//go:build !linux

package sandtraptest

import (
	"context"
	"time"
)

// workAfter can only tell the time here.
func workAfter(d time.Duration, run func(context.Context) time.Duration) time.Duration {
	return max(0, run(context.Background())-d)
}

// slowness is not known here.
func slowness() float64 { return 1 }
