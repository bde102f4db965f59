package batches

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A State says how far a batch is. States are part of the API: the list is append-only.
type State string

// The states.
const (
	Running   State = "running"
	Done      State = "done"      // each line has a result
	Cancelled State = "cancelled" // no more lines begin; it has ended when none goes on
)

// A Batch is one as a client sees it.
type Batch struct {
	ID      string     `json:"id"`
	Tenant  string     `json:"tenant"`
	State   State      `json:"state"`
	Created time.Time  `json:"created"`
	Ended   *time.Time `json:"ended,omitempty"`
	Lines   int        `json:"lines"`
	Counts  Counts     `json:"counts"`
}

// Counts are how many lines of a batch are in each state: their sum is that of all lines.
type Counts struct {
	Queued    int `json:"queued"` // that have not begun
	Running   int `json:"running"`
	Done      int `json:"done"`
	Failed    int `json:"failed"` // whose script has ended with an error
	Dead      int `json:"dead"`   // that were given up: they could not be begun, or the server has ended each time
	Cancelled int `json:"cancelled"`
}

// A Result is what has become of a line.
type Result struct {
	Line   int             `json:"line"`         // from 1
	ID     string          `json:"id,omitempty"` // the client's own
	Run    string          `json:"run,omitempty"`
	State  store.State     `json:"state"`
	Result json.RawMessage `json:"result"` // that of the run; null for a line that has not begun before the batch was cancelled
}

// view is a row as a client sees it.
func (m *Manager) view(ctx context.Context, row *store.Batch) (Batch, error) {
	b := Batch{ID: row.ID, Tenant: row.Tenant, State: Running, Created: row.Created, Lines: row.Lines}
	if !row.Ended.IsZero() {
		b.State, b.Ended = Done, &row.Ended
	}
	if !row.Cancelled.IsZero() {
		b.State = Cancelled
	}
	counts, err := m.o.Store.CountBatch(ctx, row.Tenant, row.ID)
	b.Counts.Queued = row.Lines
	for _, c := range counts {
		b.Counts.Queued -= c.N
		switch {
		case c.State == store.Done:
			b.Counts.Done += c.N
		case c.State == store.Cancelled:
			b.Counts.Cancelled += c.N
		case c.State == store.Failed && slices.Contains(runs.DeadKinds(), c.Kind):
			b.Counts.Dead += c.N
		case c.State == store.Failed:
			b.Counts.Failed += c.N
		default:
			b.Counts.Running += c.N
		}
	}
	if b.State == Cancelled {
		b.Counts.Cancelled, b.Counts.Queued = b.Counts.Cancelled+b.Counts.Queued, 0
	}
	return b, err
}

// Get is a batch of a tenant, or of any with store.All.
func (m *Manager) Get(ctx context.Context, tenant, id string) (Batch, error) {
	row, err := m.o.Store.Batch(ctx, tenant, id)
	if err != nil {
		return Batch{}, err
	}
	return m.view(ctx, row)
}

// pollEach is how often who waits looks at the store: what happens in another process is there too.
const pollEach = 200 * time.Millisecond

// Wait is Get when the batch has ended, or ctx has.
func (m *Manager) Wait(ctx context.Context, tenant, id string) (Batch, error) {
	for {
		row, err := m.o.Store.Batch(context.WithoutCancel(ctx), tenant, id)
		if err != nil {
			return Batch{}, err
		}
		if !row.Ended.IsZero() || !sleep(ctx, m.ctx) {
			return m.view(context.WithoutCancel(ctx), row)
		}
	}
}

// sleep waits until it is time to look again. It is false if a context has ended.
func sleep(ctx, other context.Context) bool {
	select {
	case <-time.After(pollEach):
		return true
	case <-ctx.Done():
	case <-other.Done():
	}
	return false
}

// List lists batches, the newest first.
func (m *Manager) List(ctx context.Context, p store.Page) (list []Batch, next int64, err error) {
	rows, next, err := m.o.Store.Batches(ctx, p)
	for _, row := range rows {
		b, failed := m.view(ctx, row)
		list, err = append(list, b), errors.Join(err, failed)
	}
	return list, next, err
}

// Cancel has no more lines of a batch begin, and ends those that go on. One that has ended stays as it is.
func (m *Manager) Cancel(ctx context.Context, tenant, id string) (Batch, error) {
	row, err := m.o.Store.Batch(ctx, tenant, id)
	if err != nil {
		return Batch{}, err
	}
	if row.Ended.IsZero() {
		if err := m.o.Store.CancelBatch(row.Tenant, id, time.Now()); err != nil {
			return Batch{}, err
		}
		m.setStopped(Name{row.Tenant, id})
		if err := m.endRuns(ctx, row); err != nil {
			return Batch{}, err
		}
	}
	return m.Get(ctx, tenant, id)
}

// endRuns ends the runs of a batch that was cancelled, and forgets its lines. The batch has ended when no server has a line of it.
func (m *Manager) endRuns(ctx context.Context, row *store.Batch) error {
	left, err := m.o.Queue.Discard(ctx, Name{row.Tenant, row.ID})
	if err != nil {
		return err
	}
	list, err := m.o.Store.RunningOf(ctx, row.Tenant, row.ID)
	for _, id := range list {
		if _, failed := m.o.Runs.Cancel(ctx, row.Tenant, id); failed != nil && !errors.Is(failed, store.ErrNone) {
			err = errors.Join(err, failed)
		}
	}
	if err == nil && !left {
		_, err = m.end(row)
	}
	return err
}

// Delete deletes a batch that has ended, with its runs. The error matches store.ErrState if it has not.
func (m *Manager) Delete(ctx context.Context, tenant, id string) error {
	row, err := m.o.Store.Batch(ctx, tenant, id)
	if err != nil {
		return err
	}
	return m.o.Store.DeleteBatch(row.Tenant, id)
}

// Results gives results after a line, in the order of the lines, up to the first line that has none. If follow is set it waits for those, until
// the batch has ended or ctx has.
func (m *Manager) Results(ctx context.Context, tenant, id string, after int, follow bool) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		for {
			row, err := m.o.Store.Batch(ctx, tenant, id)
			if err != nil {
				yield(Result{}, err)
				return
			}
			list, err := m.o.Store.RunsOf(ctx, row.Tenant, id, after)
			if err != nil {
				yield(Result{}, err)
				return
			}
			before := after
			for _, r := range list {
				if r.Line > after+1 && !m.absent(row, after, r.Line, yield) || !r.State.Over() {
					break
				}
				if after = r.Line; !yield(resultOf(r), nil) {
					return
				}
			}
			switch {
			case after > before:
			case !row.Ended.IsZero():
				if len(list) == 0 {
					m.absent(row, after, row.Lines+1, yield)
				}
				return
			case !follow || !sleep(ctx, m.ctx):
				return
			}
		}
	}
}

// absent gives the results of lines between two that have not begun before their batch was cancelled. It is false if they may have some yet.
func (m *Manager) absent(row *store.Batch, after, before int, yield func(Result, error) bool) bool {
	for line := after + 1; line < before; line++ {
		if row.Ended.IsZero() || row.Cancelled.IsZero() || !yield(Result{Line: line, State: store.Cancelled}, nil) {
			return false
		}
	}
	return true
}

// Dead gives the results of lines that were given up.
func (m *Manager) Dead(ctx context.Context, tenant, id string) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		row, err := m.o.Store.Batch(ctx, tenant, id)
		for after := 0; err == nil; {
			var list []*store.Run
			if list, err = m.o.Store.RunsOf(ctx, row.Tenant, id, after, runs.DeadKinds()...); err == nil && len(list) == 0 {
				return
			}
			for _, r := range list {
				if after = r.Line; !yield(resultOf(r), nil) {
					return
				}
			}
		}
		yield(Result{}, err)
	}
}

func resultOf(r *store.Run) Result {
	return Result{Line: r.Line, ID: r.Item, Run: r.ID, State: r.State, Result: r.Result}
}
