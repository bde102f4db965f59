package batches

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Store keeps batches: a data directory, or a ledger that several servers share. Its methods are as of *store.Store.
type Store interface {
	AddBatch(b *store.Batch, most int64) error
	CancelBatch(tenant, id string, now time.Time) error
	EndBatch(tenant, id string, now time.Time) (ended bool, err error)
	DeleteBatch(tenant, id string) error
	Batch(ctx context.Context, tenant, id string) (*store.Batch, error)
	BatchByKey(ctx context.Context, tenant, key string) (*store.Batch, error)
	Batches(ctx context.Context, p store.Page) (list []*store.Batch, next int64, err error)
	OpenBatches(ctx context.Context, tenant string, after int64, limit int) ([]*store.Batch, error)
	BatchTenants(ctx context.Context) ([]string, error)
	CancelledBatches(ctx context.Context) ([]*store.Batch, error)
	CountBatch(ctx context.Context, tenant, batch string) ([]store.Count, error)
	RunningOf(ctx context.Context, tenant, batch string) ([]string, error)
	RunsOf(ctx context.Context, tenant, batch string, after int, kinds ...string) ([]*store.Run, error)
}
