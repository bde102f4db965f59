package runs

import (
	"context"
	"encoding/json"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Store keeps runs: a data directory, or a ledger that several servers share. Its methods are as of *store.Store.
type Store interface {
	AddRuns(runs ...*store.Run) error
	Finish(r *store.Run) error
	Answer(tenant, id string, part int, answers json.RawMessage) error
	Begin(tenant, id string, journal []byte) error
	SetBegins(tenant, id string, n int) error
	Cancel(tenant, id, kind string, result json.RawMessage) error
	DeleteRun(tenant, id string) error
	Run(ctx context.Context, tenant, id string) (*store.Run, error)
	RunByKey(ctx context.Context, tenant, key string) (*store.Run, error)

	// Changed waits until a run may have changed in another server since a revision.
	Changed(ctx context.Context, tenant, id string, revision uint64)

	// Failing reports that the last change was not written: it is not the time to do something that is written later.
	Failing() bool

	// Unfinished are the runs that went on in this server when it ended, the oldest first.
	Unfinished(ctx context.Context) ([]store.Owned, error)
}
