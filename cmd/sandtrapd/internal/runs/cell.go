package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// KindHeld is the kind of the error of a run in a session that had not begun when another run of the session began to wait.
const KindHeld sandtrap.Kind = "held"

// Sessions are those that runs can be in.
type Sessions interface {
	// Cell takes a place in the queue of a session of a tenant, for a run, which has no ID yet if it begins. The caller releases it. The error
	// matches store.ErrState if another run waits in the session.
	Cell(ctx context.Context, tenant, session, run string) (Cell, error)
}

// A Cell is the place of a run in the queue of its session.
type Cell interface {
	// Policy is the name of the policy of the session, Tools are its tools.
	Policy() string
	Tools() string
	// Wait waits for its turn, or until ctx ends.
	Wait(ctx context.Context)
	// Run runs a script in its turn, if calls of the session cannot wait. Kept is what the session has become, for who writes the outcome of
	// the run.
	Run(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, *store.Kept, error)
	// Written is told whether that was written.
	Written(error)
	// Start runs a script in its turn, up to its end or to where it waits. Until it has ended the session stays what it was.
	Start(ctx context.Context, box *plans.Box, run string, script sandtrap.Script, journal io.Writer) Part
	// Resume goes on with one.
	Resume(ctx context.Context, box *plans.Box, run string, journal io.Reader, answers ...durable.Answer) Part
	// Elsewhere has a worker elsewhere do a job in its turn, with do, and gives the job its Cell before. Part has what the session has become, for
	// who writes the outcome, or the outcome itself if the job was not done.
	Elsewhere(ctx context.Context, job *dispatch.Job, out dispatch.Output, do func(context.Context, dispatch.Output) (*dispatch.Outcome, error)) (*dispatch.Outcome, Part)
	// Release gives up the place.
	Release()
}

// Cells are sessions that others keep, for a Worker.
type Cells interface {
	// Run runs the script of a job in a session, with a box if that is not here, of the contents. Become is nil if it has not kept what the script
	// has done. The error is dispatch.ErrLarge if the session has become too large.
	Run(ctx context.Context, job *dispatch.Job, box func() (*plans.Box, error), script sandtrap.Script, contents dispatch.Contents) (*sandtrap.Result, *dispatch.Become, error)
}

// A Part is what one part of a run, up to its end or a pause, has come to.
type Part struct {
	Result *sandtrap.Result
	Pause  *durable.Pause
	Kept   *store.Kept // what its session has become; nil if it has changed nothing
	Err    error
}

// A runner is what runs a script: a box alone, or with a place in a session.
type runner struct {
	*plans.Box
	cell Cell // nil for none
}

// runner is that of a run in a session, or in none. The error is that of Plans.Get.
func (m *Manager) runner(ctx context.Context, policy, tools string, cell Cell) (*runner, error) {
	box, err := m.o.Plans.Get(ctx, policies.Ref(policy), tools)
	if err != nil {
		if cell != nil {
			cell.Release()
		}
		return nil, err
	}
	return &runner{box, cell}, nil
}

// runnerOf is that of a run that goes on.
func (m *Manager) runnerOf(ctx context.Context, row *store.Run, q *Request) (*runner, error) {
	var cell Cell
	if row.Session != "" {
		if m.o.Sessions == nil {
			return nil, errNoSessions
		}
		var err error
		if cell, err = m.o.Sessions.Cell(ctx, row.Tenant, row.Session, row.ID); err != nil {
			return nil, err
		}
	}
	tools := q.Tools
	if cell != nil {
		tools = cell.Tools()
	}
	return m.runner(ctx, row.Policy, tools, cell)
}

// Release gives up both.
func (r *runner) Release() {
	if r.cell != nil {
		r.cell.Release()
	}
	r.Box.Release()
}

// start runs a script in its session. The Writer gets the journal of one that can wait.
func (r *runner) start(ctx context.Context, row *store.Run, script sandtrap.Script, journal io.Writer) (o outcome) {
	if r.Waits() {
		o.Part = r.cell.Start(ctx, r.Box, row.ID, script, journal)
		return o
	}
	o.Result, o.Kept, o.Err = r.cell.Run(ctx, script)
	o.written = r.cell.Written
	return o
}

// resume goes on with a run in a session that has waited.
func (r *runner) resume(ctx context.Context, row *store.Run, answers []Answer) outcome {
	return outcome{Part: r.cell.Resume(ctx, r.Box, row.ID, bytes.NewReader(row.Journal), durableAnswers(answers)...)}
}

var errNoSessions = fmt.Errorf("%w: this server has no sessions", ErrRequest)

// place is where a run that begins is run. The error is about the request, unless it is about the server or a limit.
func (m *Manager) place(ctx context.Context, tenant string, q *Request) (r *runner, policy string, err error) {
	if q.Session != "" {
		return m.cell(ctx, tenant, q)
	}
	ref, err := m.o.Plans.Resolve(ctx, tenant, q.Policy)
	if errors.Is(err, policies.ErrUnknown) {
		err = fmt.Errorf("%w: policy: %w", ErrRequest, err)
	}
	if err != nil {
		return nil, "", err
	}
	r, err = m.admitted(ctx, tenant, string(ref), q.Tools, nil)
	return r, string(ref), err
}

// cell is place in a session, whose policy and tools the run has.
func (m *Manager) cell(ctx context.Context, tenant string, q *Request) (*runner, string, error) {
	if m.o.Sessions == nil {
		return nil, "", errNoSessions
	}
	cell, err := m.o.Sessions.Cell(ctx, tenant, q.Session, "")
	if err != nil {
		return nil, "", err
	}
	policy := cell.Policy()
	switch {
	case !plans.Names(q.Policy, policies.Ref(policy)):
		err = fmt.Errorf("%w: policy: a run in a session has the policy of the session, %s", ErrRequest, policy)
	case q.Tools != "" && q.Tools != cell.Tools():
		err = fmt.Errorf("%w: tools: a run in a session has the tools that the session was made with: leave them out", ErrRequest)
	}
	if err != nil {
		cell.Release()
		return nil, "", err
	}
	r, err := m.admitted(ctx, tenant, policy, cell.Tools(), cell)
	return r, policy, err
}

// admitted is runner for tools that the tenant may use.
func (m *Manager) admitted(ctx context.Context, tenant, policy, tools string, cell Cell) (*runner, error) {
	err := m.o.Plans.Admit(tenant, tools)
	if err != nil && cell != nil {
		cell.Release()
	}
	if errors.Is(err, plans.ErrTools) {
		return nil, err
	} else if err != nil {
		return nil, requestError(err)
	}
	r, err := m.runner(ctx, policy, tools, cell)
	if err != nil {
		return nil, requestError(err)
	}
	return r, nil
}
