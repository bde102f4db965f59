package sessions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Cells of sessions whose policies let workers elsewhere do them are jobs. A worker that has the session as it is goes on with it, any
// other loads it from its contents, and this process writes what it has become.

// An elsewhere is a cell that a worker elsewhere does.
type elsewhere struct {
	t      *ticket
	run    string
	head   store.Hash
	has    *manifest
	sizes  map[store.Hash]int64 // of all contents, and the manifest
	worker string               // that has done it
	become *store.Kept          // what it says that the session has become; nil if it is what it was
}

// Elsewhere implements runs.Cell.
func (t *ticket) Elsewhere(ctx context.Context, job *dispatch.Job, out dispatch.Output, do func(context.Context, dispatch.Output) (*dispatch.Outcome, error)) (o *dispatch.Outcome, p runs.Part) {
	if ctx.Err() != nil || !t.has() {
		p.Result = failed(sandtrap.KindCancelled, "the run was cancelled before it began")
		return nil, p
	}
	if err := t.lease(ctx); err != nil {
		return nil, unloaded(err)
	}
	if err := t.free(ctx, job.Run); errors.Is(err, store.ErrState) {
		p.Result = failed(runs.KindHeld, err.Error())
		return nil, p
	} else if err != nil {
		return nil, unloaded(err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer t.running(nil)
	t.running(stop)
	e, err := t.elsewhere(ctx, job)
	if err != nil {
		return nil, unloaded(err)
	}
	out.Contents, out.Became = e.contents, e.became
	o, p.Err = do(ctx, out)
	if context.Cause(ctx) == errDeleted {
		return nil, runs.Part{Result: failed(sandtrap.KindCancelled, errDeleted.Error())}
	}
	if p.Err == nil {
		e.worker, p.Kept, t.cell = o.Worker, e.become, e
	}
	return o, p
}

// elsewhere is the cell of a job, which gets what the session is. The error matches dispatch.ErrLarge if that is too much for workers.
func (t *ticket) elsewhere(ctx context.Context, job *dispatch.Job) (*elsewhere, error) {
	s := t.seat
	row, err := t.m.o.Store.Session(ctx, s.tenant, s.id)
	if err != nil {
		return nil, err
	}
	text, err := t.m.o.Store.Blob(ctx, s.tenant, row.Head)
	if err != nil {
		return nil, err
	}
	e := &elsewhere{t: t, run: job.Run, head: row.Head}
	if e.has, err = decode(text); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	e.sizes = e.has.sizes()
	e.sizes[row.Head] = int64(len(text))
	job.Cell = &dispatch.Cell{Tools: t.tools, Manifest: dispatch.Content{Hash: row.Head, Size: int64(len(text))}}
	for _, n := range e.sizes {
		job.Cell.Bytes += n
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	t.m.letGo(s) // a worker of this process would not have what comes now
	job.Worker, job.Cell.After = s.worker, s.after
	return e, nil
}

// contents are those of the session alone, whatever a worker wants.
func (e *elsewhere) contents(ctx context.Context, want []dispatch.Content) (all [][]byte, err error) {
	for _, c := range want {
		if _, has := e.sizes[c.Hash]; !has {
			return nil, dispatch.ErrForeign
		}
		data, err := e.t.contents(ctx, c.Hash)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// became checks what a worker says that the session has become: it may lie. Each content is one that the session has had, or has come.
func (e *elsewhere) became(b *dispatch.Become) error {
	e.become = nil
	after, err := decode(b.Manifest)
	if err != nil {
		return err
	}
	if err := after.checkNames(); err != nil {
		return err
	}
	if after.Origin != e.has.Origin || after.Policy != e.has.Policy || after.Tools != e.has.Tools {
		return errors.New("it is another session")
	}
	kept, err := after.kept(e.t.seat.tenant, e.t.seat.id)
	if err != nil {
		return err
	}
	came := map[store.Hash]int64{}
	for _, data := range b.New {
		h := store.HashOf(data)
		came[h] = int64(len(data))
		kept.New[h] = data
	}
	sizes := after.sizes()
	for h, n := range sizes {
		had, has := e.sizes[h]
		size, is := came[h]
		if !(has && had == n) && !(is && size == n) {
			return fmt.Errorf("it has a content that neither the session had nor the worker has sent, %s of %d bytes", h, n)
		}
	}
	for h := range came {
		if _, listed := sizes[h]; !listed {
			return errors.New("a content came that the session has not")
		}
	}
	if kept.Head == e.head {
		kept.Needed, kept.New = nil, nil // all is written
	}
	e.become = kept
	return nil
}

// at notes who has the session, when what it has become is written or not.
func (t *ticket) at(err error) {
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	e := t.cell
	t.seat.worker, t.seat.after = e.worker, e.run
	if t.seat.gone || err != nil || e.become == nil {
		t.seat.worker, t.seat.after = "", ""
	}
	t.seat.used, t.cell = time.Now(), nil
}

// sizes are those of all contents that m lists.
func (m *manifest) sizes() map[store.Hash]int64 {
	all := map[store.Hash]int64{}
	if m.State != nil {
		all[m.State.Hash] = m.State.Size
	}
	for i := range m.Entries {
		if d := m.Entries[i].Data; d != nil {
			all[d.Hash] = d.Size
		}
	}
	return all
}

// checkNames checks the lists of variables of a manifest that is from anybody: clients are told them.
func (m *manifest) checkNames() error {
	for _, v := range m.Variables {
		switch v.Kind {
		case "import", "var", "const", "func", "type":
		default:
			return fmt.Errorf("a variable of the kind %.20q", v.Kind)
		}
		if clip(v.Name) != v.Name || clip(v.Type) != v.Type {
			return errors.New("the name or the type of a variable is too long")
		}
	}
	for name, why := range m.Skipped {
		if clip(name) != name || clip(why) != why {
			return errors.New("the name of a variable is too long")
		}
	}
	return nil
}
