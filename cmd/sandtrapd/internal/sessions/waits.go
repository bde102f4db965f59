package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// The cells of a session whose calls can wait run by themselves: each begins with what is written of the session, in a worker of its own, and
// its journal repeats it from there. What the session has become is written when the cell is over, with its outcome.

// errWaits is about a session whose policy has begun to ask for approval after it was loaded.
var errWaits = fmt.Errorf("%w: policy: its calls wait for approval now", runs.ErrRequest)

// Start implements runs.Cell.
func (t *ticket) Start(ctx context.Context, box *plans.Box, run string, script sandtrap.Script, journal io.Writer) runs.Part {
	return t.part(ctx, box, run, func(ctx context.Context, from durable.Base) (*sandtrap.Result, *durable.Pause, error) {
		return box.StartCell(ctx, from, script, journal)
	})
}

// Resume implements runs.Cell.
func (t *ticket) Resume(ctx context.Context, box *plans.Box, run string, journal io.Reader, answers ...durable.Answer) runs.Part {
	return t.part(ctx, box, run, func(ctx context.Context, from durable.Base) (*sandtrap.Result, *durable.Pause, error) {
		return box.ResumeCell(ctx, from, journal, answers...)
	})
}

// part does one part of a cell in its turn.
func (t *ticket) part(ctx context.Context, box *plans.Box, run string, do func(context.Context, durable.Base) (*sandtrap.Result, *durable.Pause, error)) (p runs.Part) {
	if ctx.Err() != nil || !t.has() {
		p.Result = failed(sandtrap.KindCancelled, "the run was cancelled before it began")
		return p
	}
	if err := t.lease(ctx); err != nil {
		return unloaded(err)
	}
	if err := t.free(ctx, run); errors.Is(err, store.ErrState) {
		p.Result = failed(runs.KindHeld, err.Error())
		return p
	} else if err != nil {
		return unloaded(err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer t.running(nil)
	t.running(stop)
	l, state, err := t.written(ctx, box)
	if err != nil {
		return unloaded(err)
	}
	from := durable.Base{ID: l.head.String(), Saved: state, Files: func(at time.Time) *sandtrap.Files {
		return &sandtrap.Files{Open: func() (_ afero.Fs, err error) {
			l.tree, err = newTree(ctx, at, l.has.Entries, t.contents)
			return l.tree, err
		}}
	}}
	var keepErr error
	var warnings []string
	from.Ended = func(s *sandtrap.Session) {
		l.session = s
		p.Kept, _, warnings, keepErr = l.kept(t.seat)
	}
	p.Result, p.Pause, p.Err = do(ctx, from)
	p.Result.Warnings = append(p.Result.Warnings, warnings...)
	if keepErr != nil {
		lost(ctx, p.Result, keepErr)
	}
	return p
}

// unloaded is the outcome of a cell whose session cannot be loaded.
func unloaded(err error) (p runs.Part) {
	p.Result, p.Kept, p.Err = notLoaded(err)
	return p
}

func (t *ticket) contents(ctx context.Context, h store.Hash) ([]byte, error) {
	return t.m.o.Store.Blob(ctx, t.seat.tenant, h)
}

// written is what is written of the session, and its saved variables. Its worker comes later.
func (t *ticket) written(ctx context.Context, box *plans.Box) (l *live, state []byte, err error) {
	row, err := t.m.o.Store.Session(ctx, t.seat.tenant, t.seat.id)
	if err != nil {
		return nil, nil, err
	}
	l = &live{head: row.Head}
	if l.has, err = t.m.manifest(ctx, t.seat.tenant, row.Head); err != nil {
		return nil, nil, err
	}
	if err := checkBox(box); err != nil { // it may be another one than when the session began
		return nil, nil, err
	}
	if l.has.State != nil {
		state, err = t.contents(ctx, l.has.State.Hash)
	}
	return l, state, err
}

// kept is what a session has become by a cell, to be written.
func (l *live) kept(s *seat) (kept *store.Kept, after *manifest, warnings []string, err error) {
	after, contents, warnings, err := l.become()
	if err == nil {
		kept, err = after.kept(s.tenant, s.id)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if kept.Head == l.head {
		kept.Needed, kept.New = nil, nil // all is written
	} else {
		maps.Copy(kept.New, contents)
	}
	return kept, after, warnings, nil
}
