package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// setNear has w be the worker of this process; nil for none.
func (f *Front) setNear(w *worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.near = w
}

// only is the worker of this process, if it is the only one that a job can have: then the job need not go through NATS. Where there are others,
// NATS shares the jobs between them. To is the name of the worker that is wanted, empty for any.
func (f *Front) only(to string) *worker {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.near
	if w == nil || to != "" && to != w.o.Name {
		return nil
	}
	if one := f.members[w.o.Name]; one == nil || one.beat.Instance != w.id || f.slotsOf(one) != f.slots {
		return nil
	}
	return w
}

// once has a job done by the worker of this process, or sends it.
func (f *Front) once(ctx context.Context, job *dispatch.Job, told *told, worker string, wait bool) (*dispatch.Outcome, error) {
	if c := job.Cell; c != nil && c.Bytes > dispatch.MaxCell {
		return nil, fmt.Errorf("%w: its session has %d bytes, and workers take %d", dispatch.ErrLarge, c.Bytes, dispatch.MaxCell)
	}
	if w := f.only(worker); w != nil {
		if o, err, taken := w.here(ctx, job, told, wait); taken {
			return o, err
		}
	}
	return f.try(ctx, job, told, worker, wait)
}

// here does a job of a front of this process, if there is room for it: else it is not taken.
func (w *worker) here(ctx context.Context, job *dispatch.Job, told *told, wait bool) (o *dispatch.Outcome, err error, taken bool) {
	ctx, cancel := context.WithCancel(ctx)
	id := "." + strconv.FormatInt(w.near.Add(1), 10) // which no job of another front has
	memory, ok := w.accept(id, job.Memory, wait, doing{cancel: cancel, near: true, background: job.Background})
	if !ok {
		cancel()
		return nil, nil, false
	}
	defer w.group.Done()
	defer w.over(id, memory)
	out := dispatch.Output{Stdout: rest{&told.streams[0], told.out.Stdout}, Stderr: rest{&told.streams[1], told.out.Stderr}, Paused: told.out.Paused}
	if told.out.Record != nil {
		out.Record = record.Func(told.write)
	}
	if job.Cell != nil {
		out.Contents, out.Became = told.out.Contents, told.out.Became
	}
	o, err = w.queue.Do(ctx, job, func() error { return nil }, out)
	switch {
	case err == nil:
		o.Worker = w.o.Name
	case ctx.Err() != nil, errors.Is(err, dispatch.ErrLarge):
	default:
		w.o.Log.Error("a job could not be done", "run", job.Run, "error", err)
		err = fmt.Errorf("%w: %s: %w", errFailed, w.o.Name, err)
	}
	return o, err, true
}

// A rest is a Writer of what a client does not have yet of an output.
type rest struct {
	s *stream
	w io.Writer
}

func (r rest) Write(b []byte) (int, error) {
	r.s.write(r.w, b)
	return len(b), nil
}
