package mcpserver

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Runs has the runs of all tenants. An error about one that is absent, or another tenant's, matches store.ErrNone.
type Runs interface {
	Start(ctx context.Context, tenant string, q runs.Request) (Run, error)
	Get(ctx context.Context, tenant, id string) (Run, error)
	Answer(ctx context.Context, tenant, id string, answers []runs.Answer) (Run, error)
	Artifact(ctx context.Context, tenant, run, name string) (*store.Artifact, error)
}

// A Run is one that goes on, waits or has ended; *runs.Run is one.
type Run interface {
	ID() string
	Source() string
	View() runs.View
	Reply(context.Context) (runs.View, error)
	Events() (*runs.Log, error)
	Abandon()
}

// Of are the runs of a manager and its store.
func Of(m *runs.Manager, s *store.Store) Runs { return managed{m, s} }

type managed struct {
	m *runs.Manager
	s *store.Store
}

func (m managed) Start(ctx context.Context, tenant string, q runs.Request) (Run, error) {
	return run(m.m.Start(ctx, tenant, q))
}

func (m managed) Get(ctx context.Context, tenant, id string) (Run, error) {
	return run(m.m.Get(ctx, tenant, id))
}

func (m managed) Answer(ctx context.Context, tenant, id string, answers []runs.Answer) (Run, error) {
	return run(m.m.Answer(ctx, tenant, id, answers))
}

func (m managed) Artifact(ctx context.Context, tenant, run, name string) (*store.Artifact, error) {
	return m.s.Artifact(ctx, tenant, run, name)
}

// run is r as an interface, nil if there is an error.
func run(r *runs.Run, err error) (Run, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Sessions has the sessions of all tenants, by the names that clients give them. An error about one that is absent, or another
// tenant's, matches store.ErrNone, and one about the request runs.ErrRequest.
type Sessions interface {
	// Open is the ID of the session with this name, for a Request. If there is none it is made, with this policy and these tools.
	Open(ctx context.Context, tenant, name, policy, tools string) (id string, err error)
	// Reset forgets the variables and the files of a session.
	Reset(ctx context.Context, tenant, name string) error
	Files(ctx context.Context, tenant, id string) ([]File, error)
	ReadFile(ctx context.Context, tenant, id, path string) ([]byte, error)
	WriteFile(ctx context.Context, tenant, id, path string, data []byte) error
}

// A File is one of a session.
type File struct {
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}
