package sessions

import (
	"context"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Worker does cells of sessions that others keep. It has those that it has done last, and lets them go as a Manager does.
type Worker struct {
	m     *Manager
	cache *cache
}

// maxCache bounds the contents that a worker keeps, in bytes.
const maxCache = 1 << 30

// NewWorker is one with so many sessions at a time, whose contents are kept in a directory of its own.
func NewWorker(live int) (*Worker, error) {
	c, err := newCache(maxCache)
	if err != nil {
		return nil, err
	}
	return &Worker{New(Options{Live: live}), c}, nil
}

// Close ends it. No cell may go on.
func (w *Worker) Close() error {
	w.m.Close()
	return w.cache.close()
}

// Run implements runs.Cells.
func (w *Worker) Run(ctx context.Context, job *dispatch.Job, box func() (*plans.Box, error), script sandtrap.Script, contents dispatch.Contents) (*sandtrap.Result, *dispatch.Become, error) {
	t, err := w.m.place(&ticket{m: w.m, turn: make(chan struct{})}, job.Tenant, job.Session)
	if err != nil {
		return nil, nil, err
	}
	defer t.Release()
	if t.wait(ctx); ctx.Err() != nil || !t.has() { // the cell of an attempt that its front has given up may go on
		return failed(sandtrap.KindCancelled, "the run was cancelled before it began"), nil, nil
	}
	l, err := w.open(ctx, t.seat, job, box, contents)
	if ctx.Err() != nil {
		return failed(sandtrap.KindCancelled, "the run was cancelled before it began"), nil, nil
	}
	if err != nil {
		res, _, err := notLoaded(err)
		return res, nil, err
	}
	defer w.m.done(t.seat)
	res, err := l.session.Run(ctx, script)
	b, after, warnings, keepErr := l.sent()
	if keepErr == dispatch.ErrLarge {
		w.m.lose(t.seat, l)
		return nil, nil, keepErr
	}
	if keepErr != nil {
		w.m.lose(t.seat, l)
		lost(ctx, res, keepErr)
		return res, nil, err
	}
	res.Warnings = append(res.Warnings, warnings...)
	l.has, l.head, l.after = after, store.HashOf(b.Manifest), job.Run
	return res, b, err
}

// open is the live of the session of a job: the one that is here, if it is what the job begins with.
func (w *Worker) open(ctx context.Context, s *seat, job *dispatch.Job, box func() (*plans.Box, error), contents dispatch.Contents) (*live, error) {
	w.m.mu.Lock()
	if l := s.live; l != nil && (l.head != job.Cell.Manifest.Hash || l.after != job.Cell.After) {
		w.m.letGo(s)
	}
	w.m.mu.Unlock()
	return w.m.open(ctx, s, func() (*live, error) { return w.load(ctx, job, box, contents) })
}

// load makes a live from the contents of a session.
func (w *Worker) load(ctx context.Context, job *dispatch.Job, box func() (*plans.Box, error), contents dispatch.Contents) (*live, error) {
	text, err := w.cache.get(ctx, []dispatch.Content{job.Cell.Manifest}, contents)
	if err != nil {
		return nil, err
	}
	l := &live{head: job.Cell.Manifest.Hash, after: job.Cell.After}
	if l.has, err = decode(text[l.head]); err != nil {
		return nil, err
	}
	var want []dispatch.Content
	for h, n := range l.has.sizes() {
		want = append(want, dispatch.Content{Hash: h, Size: n})
	}
	all, err := w.cache.get(ctx, want, contents)
	if err != nil {
		return nil, err
	}
	return l, l.load(ctx, job.Tenant, box, func(_ context.Context, h store.Hash) ([]byte, error) { return all[h], nil })
}

// sent is what a session has become, for who keeps it. The error is dispatch.ErrLarge if that is too much for workers.
func (l *live) sent() (b *dispatch.Become, after *manifest, warnings []string, err error) {
	after, contents, warnings, err := l.become()
	if err != nil {
		return nil, nil, nil, err
	}
	text, _, err := after.encode()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("its list: %w", err)
	}
	if after.bytes()+int64(len(text)) > dispatch.MaxCell {
		return nil, nil, nil, dispatch.ErrLarge
	}
	b = &dispatch.Become{Manifest: text}
	for _, data := range contents {
		b.New = append(b.New, data)
	}
	return b, after, warnings, nil
}

var _ runs.Cells = (*Worker)(nil)

// Live is how many sessions it has.
func (w *Worker) Live() int { return w.m.Live() }
