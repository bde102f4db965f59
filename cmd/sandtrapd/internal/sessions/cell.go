package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Cell implements runs.Sessions.
func (m *Manager) Cell(ctx context.Context, tenant, id, run string) (runs.Cell, error) {
	t, err := m.line(ctx, tenant, id, run)
	if err != nil { // and not a nil ticket
		return nil, err
	}
	return t, nil
}

// Run implements runs.Cell: what the session has become is kept with the outcome. If it cannot be kept, or is lost with its worker, the
// next cell begins with what was kept last.
func (t *ticket) Run(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, *store.Kept, error) {
	if ctx.Err() != nil || !t.has() {
		return failed(sandtrap.KindCancelled, "the run was cancelled before it began"), nil, nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer t.running(nil)
	t.running(stop)
	l, err := t.open(ctx)
	if err != nil {
		return notLoaded(err)
	}
	res, err := l.session.Run(ctx, script)
	kept, after, warnings, keepErr := l.kept(t.seat)
	if keepErr != nil {
		t.m.lose(t.seat, l)
		t.m.done(t.seat)
		lost(ctx, res, keepErr)
		return res, nil, err
	}
	res.Warnings = append(res.Warnings, warnings...)
	t.kept, t.after = l, after
	l.head = kept.Head
	return res, kept, err
}

// open is the live of the session, which is that of this server then.
func (t *ticket) open(ctx context.Context) (*live, error) {
	if err := t.lease(ctx); err != nil {
		return nil, err
	}
	return t.m.open(ctx, t.seat, func() (*live, error) { return t.m.load(ctx, t.seat.tenant, t.seat.id) })
}

// running notes how to end the cell that runs.
func (t *ticket) running(stop context.CancelCauseFunc) {
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	t.seat.stop = stop
}

// Written implements runs.Cell.
func (t *ticket) Written(err error) {
	if t.cell != nil {
		t.at(err)
		return
	}
	if t.kept == nil {
		return
	}
	if err == nil {
		t.kept.has = t.after
	} else {
		t.m.lose(t.seat, t.kept)
	}
	t.m.done(t.seat)
	t.kept = nil
}

func failed(kind sandtrap.Kind, message string) *sandtrap.Result {
	return &sandtrap.Result{Error: &sandtrap.Error{Kind: kind, Message: message}}
}

// notLoaded is the outcome of a cell whose session cannot be loaded.
func notLoaded(err error) (*sandtrap.Result, *store.Kept, error) {
	if errors.Is(err, store.ErrNone) {
		return failed(sandtrap.KindCancelled, errDeleted.Error()), nil, nil
	}
	if e, ok := errors.AsType[*sandtrap.Error](err); ok {
		res := failed(e.Kind, "the session cannot be loaded: "+e.Message)
		res.Error.Hint = e.Hint
		return res, nil, nil
	}
	if errors.Is(err, runs.ErrRequest) { // its policy, which an earlier version of the program has taken
		return failed(sandtrap.KindDenied, "the session cannot be loaded: "+strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": ")), nil, nil
	}
	return &sandtrap.Result{}, nil, fmt.Errorf("the session cannot be loaded: %w", err)
}

// lost says in the outcome of a cell that the session has not kept what it has done.
func lost(ctx context.Context, res *sandtrap.Result, err error) {
	const back = "the next cell of the session begins with what the session had before this one"
	switch {
	case context.Cause(ctx) == errDeleted:
		res.Error = cmp.Or(res.Error, &sandtrap.Error{Kind: sandtrap.KindCancelled, Message: errDeleted.Error()})
	case res.Error == nil:
		res.Error = &sandtrap.Error{Kind: sandtrap.KindMemory, Message: "what the session has after this cell cannot be kept: " + err.Error(), Hint: back}
	default:
		res.Error.Hint = back
	}
}
