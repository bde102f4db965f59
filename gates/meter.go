package gates

import (
	"context"
	"time"
)

// Limits bound one run. Zero means no limit, except that engines keep a depth
// of their own below which nothing can crash them.
type Limits struct {
	Ticks   int64
	Timeout time.Duration
	Memory  int64 // bytes
	Output  int64 // bytes of stdout, and again of stderr
	Tasks   int
	Depth   int
}

// A Meter counts what one run uses and stops it at its limits. Ticks are
// counted by the engine in grants: Grant hands out how many ticks may pass until
// the meter wants to be asked again.
type Meter struct {
	ctx    context.Context
	limits Limits
}
