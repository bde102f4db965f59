//go:build !linux

package ends

import (
	"context"
	"time"
)

// workAfter can only tell the time here.
func workAfter(d time.Duration, run func(context.Context) time.Duration) time.Duration {
	return max(0, run(context.Background())-d)
}
