package sessions

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Store keeps sessions: a data directory, or a ledger that several servers share. Its methods are as of *store.Store.
type Store interface {
	AddSession(row *store.Session, k *store.Kept) error
	Keep(k *store.Kept) error
	Fork(tenant, id string, forks ...*store.Session) error
	SaveSession(tenant, id string, now time.Time) (snapshot string, err error)
	DeleteSession(tenant, id, kind string, result json.RawMessage) error
	DeleteSnapshot(tenant, id string) error
	ExclusiveRun(ctx context.Context, tenant, session string) (run string, err error)
	Session(ctx context.Context, tenant, id string) (*store.Session, error)
	Sessions(ctx context.Context, p store.Page) ([]*store.Session, error)
	Snapshot(ctx context.Context, tenant, id string) (*store.Snapshot, error)
	Snapshots(ctx context.Context, p store.Page) ([]*store.Snapshot, error)
	Blob(ctx context.Context, tenant string, hash store.Hash) ([]byte, error)

	// CopyBytes is how much counts for one more session or snapshot with contents of so many bytes that are there already.
	CopyBytes(contents int64) int64

	// Lease has a session be that of this server, for who has its turn. Fresh says that another server may have changed it.
	Lease(ctx context.Context, tenant, id string) (fresh bool, err error)
}
