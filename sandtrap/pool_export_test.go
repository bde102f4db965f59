package sandtrap

import (
	"context"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/isolate"
)

// CountingPool is Pool, and how many workers it has started.
func (p *Plan) CountingPool(ctx context.Context, limits PoolLimits) (*Pool, *atomic.Int64, error) {
	started := new(atomic.Int64)
	if err := limits.complete(); err != nil {
		return nil, nil, err
	}
	start, err := p.starter(nil)
	if err != nil {
		return nil, nil, err
	}
	counting := func(ctx context.Context) (*isolate.Worker, error) {
		started.Add(1)
		return start(ctx)
	}
	first, err := counting(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := newPools(limits, counting, first)
	return &Pool{plan: p, workers: all}, started, err
}
