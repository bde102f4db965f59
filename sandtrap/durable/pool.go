package durable

import (
	"context"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// Pool makes a pool of workers for Start, Resume and Replay, which use it from then on: without one each run starts a worker, which ends
// with it. A worker that has run a script has nothing of it in the next one: that has its own random numbers, its own clock and its own
// journal. WithTenant says whose run it is. Sessions and cells have a worker of their own.
//
// The caller closes the pool, after the box.
func (b *Box) Pool(ctx context.Context, limits sandtrap.PoolLimits) (*sandtrap.Pool, error) {
	pool, err := b.plan.Pool(ctx, limits)
	if err == nil {
		b.pool.Store(pool)
	}
	return pool, err
}

type tenantKey struct{}

// WithTenant is ctx for a run whose worker serves this tenant alone. As with (*sandtrap.Pool).Sandbox it serves him again as long
// as the host has another sandbox of the tenant, and without a name each run is a tenant of its own. Runs that functions of the host
// make with the context of their call are of this tenant, too.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// pooled is a sandbox for a run with the journal, whose worker is one of the pool if there is one.
func (b *Box) pooled(ctx context.Context, f *journal.File) (*sandtrap.Sandbox, error) {
	pool := b.pool.Load()
	if pool == nil {
		return b.sandbox(ctx, f, nil)
	}
	if err := b.checkPolicy(f); err != nil {
		return nil, err
	}
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return pool.Sandbox(starting(ctx, f), tenant)
}
