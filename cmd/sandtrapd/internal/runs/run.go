package runs

import (
	"context"
	"encoding/json"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Run is one that goes on, waits or has ended, as it was when it was got.
type Run struct {
	row  *store.Run
	live *live    // nil if it did not go on here
	of   *Manager // of one that goes on in another server; nil for others
}

// ID is that of the run.
func (r *Run) ID() string { return r.row.ID }

// Source is the script as sent.
func (r *Run) Source() string { return r.row.Code }

// Wait waits until the run waits or has ended, or ctx has ended.
func (r *Run) Wait(ctx context.Context) (View, error) { return r.wait(ctx, false) }

// Reply is Wait for a client, who does not wait for a cluster that is gone: the error matches store.ErrCluster then, and the run goes on.
func (r *Run) Reply(ctx context.Context) (View, error) { return r.wait(ctx, true) }

func (r *Run) wait(ctx context.Context, client bool) (View, error) {
	if r.live == nil {
		return r.waitElsewhere(ctx, client)
	}
	var late <-chan struct{}
	if client {
		late = r.live.late
	}
	select {
	case <-r.live.done:
	case <-ctx.Done():
		return r.View(), ctx.Err()
	case <-late:
		select {
		case <-r.live.done: // it was written later
		default:
			return r.View(), errUnwritten
		}
	}
	return r.View(), r.live.err
}

// waitElsewhere waits for a run that does not go on here.
func (r *Run) waitElsewhere(ctx context.Context, client bool) (View, error) {
	for r.of != nil {
		if r.of.o.Store.Changed(ctx, r.row.Tenant, r.row.ID, r.row.Revision); ctx.Err() != nil {
			return r.View(), ctx.Err()
		}
		if err := r.of.reached(); client && err != nil {
			return r.View(), err
		}
		now, err := r.of.Get(ctx, r.row.Tenant, r.row.ID)
		if err != nil {
			return r.View(), err
		}
		if r = now; r.live != nil { // it goes on here meanwhile
			return r.wait(ctx, client)
		}
	}
	return r.View(), nil
}

// View is the run as it is now.
func (r *Run) View() View {
	if r.live == nil {
		return ViewOf(r.row)
	}
	select {
	case <-r.live.done:
		return ViewOf(r.live.after)
	default:
		v := ViewOf(r.live.row)
		v.Result, v.Pending, v.State = nil, []runjson.Pending{}, store.Running
		return v
	}
}

// Events are those of the run: the log of one that goes on gets more. One that goes on in another server is as one that is kept.
func (r *Run) Events() (*Log, error) {
	if r.live != nil {
		return r.live.log, nil
	}
	list, err := parseLines(r.row.Events)
	if err != nil {
		return nil, err
	}
	l := newLog(list)
	l.over, l.kept = true, r.of != nil
	return l, nil
}

// ViewOf is a row as a client sees it.
func ViewOf(row *store.Run) View {
	v := View{
		ID: row.ID, Tenant: row.Tenant, State: row.State, Created: row.Created, Parent: row.Parent, Session: row.Session, Policy: row.Policy, Batch: row.Batch, Line: row.Line,
		Pending: []runjson.Pending{}, Summary: summaryOf(row),
	}
	if !row.Ended.IsZero() {
		v.Ended = &row.Ended
	}
	if len(row.Result) > 0 {
		v.Result = row.Result
	}
	if row.State == store.Pending {
		_ = json.Unmarshal(row.Pending, &v.Pending) // it was written by this package
	}
	return v
}
