package runs

import (
	"context"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Sessions are those that runs can be in.
type Sessions interface {
	// Cell takes a place in the queue of a session of a tenant. The caller releases it.
	Cell(ctx context.Context, tenant, session string) (Cell, error)
}

// A Cell is the place of a run in the queue of its session.
type Cell interface {
	// Policy is the name of the policy of the session.
	Policy() string
	// Wait waits for its turn, or until ctx ends.
	Wait(ctx context.Context)
	// Run runs a script in its turn. Kept is what the session has become, for who writes the outcome of the run.
	Run(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, *store.Kept, error)
	// Written is told whether that was written.
	Written(error)
	// Release gives up the place.
	Release()
}

// startCell begins a run in a session.
func (m *Manager) startCell(ctx context.Context, tenant string, q Request, script sandtrap.Script) (*Run, error) {
	if m.o.Sessions == nil {
		return nil, fmt.Errorf("%w: this server has no sessions", ErrRequest)
	}
	cell, err := m.o.Sessions.Cell(ctx, tenant, q.Session)
	if err != nil {
		return nil, err
	}
	if q.Tools != "" || !plans.Names(q.Policy, policies.Ref(cell.Policy())) {
		cell.Release()
		return nil, fmt.Errorf("%w: a run in a session has the policy of the session, %s, and no tools", ErrRequest, cell.Policy())
	}
	l, again, err := m.write(ctx, tenant, cell.Policy(), false, false, q)
	if l == nil {
		cell.Release()
		return again, err
	}
	go func() {
		cell.Wait(l.ctx)
		m.part(l, cell, func(ctx context.Context) (o outcome) {
			script.Stdout, script.Stderr = l.stdout, l.stderr
			o.res, o.kept, o.err = cell.Run(ctx, script)
			o.written = cell.Written
			return o
		})
	}()
	return &Run{row: l.row, live: l}, nil
}
