package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A Worker is a process that does one job at a time.
type Worker struct {
	proc   *process
	socket *os.File
	conn   *wire.Conn
	status []posture.Layer

	mu  sync.Mutex // held during a job
	ids uint64
	job atomic.Pointer[job] // that the worker does, nil if there is none

	ready atomic.Bool // it is locked down, and what there is to wait for are outcomes

	idle struct{ messages, bytes atomic.Int64 } // that came since the last job

	reading handover

	asking sync.Map // ID of a call that has asked something to its *callContext

	closed   chan struct{}
	messages chan *wire.Message // closed when nothing more comes
	broken   error              // why, if the stream was no good; set before messages is closed
	reset    bool               // likewise: the worker has closed it without reading all that it was sent
	silent   atomic.Bool        // nothing more comes, or is looked at
	flooded  atomic.Bool        // it asked for more calls at a time than it may
	frames   posture.Frames     // that it may send during a job
	room     int64              // bytes that calls may bring at a time
	stuffed  atomic.Bool        // its calls have brought more
}

// Status returns the layers of the worker.
func (w *Worker) Status() []posture.Layer { return w.status }

// Pid returns the process id in the host's namespace.
func (w *Worker) Pid() int { return w.proc.pid() }

// A Usage is the resource usage of a process.
type Usage struct {
	Memory, Peak int64         // bytes of memory that it has, and the maximum so far
	CPU          time.Duration // of all its threads since it began, in steps of 10 ms
	Threads      int
}

// Usage returns the current usage of the process; an error if it has ended.
func (w *Worker) Usage() (Usage, error) { return w.proc.usage() }

// Handlers answer the requests of a job. Calls are answered concurrently, in order of
// arrival; Stream must return soon.
type Handlers struct {
	Call   func(ctx context.Context, name string, body []byte) ([]byte, error)
	Stream func(name string, body []byte)

	// Long, if not nil, reports whether a call may take long, so that others may come
	// meanwhile.
	Long func(name string) bool
}

// ErrReentrant is returned for a job that is requested while the worker does one: by a
// handler of that job, or by another goroutine.
var ErrReentrant = errors.New("isolate: the worker is doing a job")

// Do makes the worker do a job. When ctx ends the worker is told to stop; it is killed if it does not
// within the grace time. The error is the job's, as a *wire.HostError, or about the worker, which is
// then dead: it matches ErrWorker, and ErrNotBegun if the job has not begun.
func (w *Worker) Do(ctx context.Context, body []byte, h Handlers) ([]byte, error) {
	if !w.mu.TryLock() {
		return nil, ErrReentrant
	}
	defer w.mu.Unlock()
	w.ids++
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // calls in progress
	j := &job{id: w.ids, ctx: ctx, Handlers: h}
	w.job.Store(j)
	w.idle.messages.Store(0)
	w.idle.bytes.Store(0)
	defer w.job.Store(nil)
	if !w.fit(ctx) {
		return nil, notBegun(w.death(nil))
	}
	defer w.watch(j, len(body)).stop()
	if err := w.give(ctx, body); err != nil {
		return nil, err
	}
	j.sent.Store(true)
	out, err := w.converse(ctx)
	if errors.Is(err, ErrWorker) && !w.begun(j) {
		return nil, notBegun(err)
	}
	return out, err
}

// give sends the job. A worker that does not take it is killed when ctx has ended.
func (w *Worker) give(ctx context.Context, body []byte) error {
	sent := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-sent:
		case <-time.After(grace):
			w.end()
		}
	})
	defer stop()
	err := w.conn.Send(&wire.Message{Kind: wire.Job, ID: w.ids, Body: body})
	close(sent)
	switch {
	case errors.Is(err, wire.ErrTooLarge):
		return err
	case err != nil: // no frame has gone out whole
		return notBegun(w.death(err))
	}
	return nil
}

// A job is what a worker does, as its calls need to know it.
type job struct {
	Handlers
	id    uint64
	ctx   context.Context // ends with the job
	calls atomic.Int64    // that are being answered
	bytes atomic.Int64    // that they have brought
	sent  atomic.Bool     // to the worker, whole
	heard atomic.Bool     // something has come since it is the worker's
}

// converse waits until the worker has done the job.
func (w *Worker) converse(ctx context.Context) ([]byte, error) {
	ended := ctx.Done()
	var late *time.Timer
	for {
		select {
		case m, ok := <-w.messages:
			if !ok {
				return nil, w.death(nil)
			}
			if m.Kind == wire.Outcome && m.ID == w.ids {
				if late != nil && !late.Stop() {
					return nil, w.death(nil) // it is being killed
				}
				return outcome(m)
			}
		case <-ended:
			ended = nil
			late = time.AfterFunc(grace, w.end)
			w.conn.Send(&wire.Message{Kind: wire.Cancel}) // if it is dead, messages is closed
		}
	}
}

func outcome(m *wire.Message) ([]byte, error) {
	if m.Error != "" {
		return nil, &wire.HostError{Text: m.Error}
	}
	return m.Body, nil
}

// death waits for the end of the process and says what it died of.
func (w *Worker) death(err error) error {
	w.end()                // it closed the socket, or wrote nonsense: it does not come back from there
	for range w.messages { // until all that it sent has been looked at
	}
	switch {
	case w.broken != nil:
		return &DeathError{Cause: Broken, Text: w.broken.Error()}
	case w.flooded.Load():
		return &DeathError{Cause: Broken, Text: fmt.Sprintf("it made more than %d calls at a time", wire.MaxCalls)}
	case w.stuffed.Load():
		return &DeathError{Cause: OutOfMem, Text: fmt.Sprintf("its calls brought more than %d bytes at a time", w.room)}
	}
	if d := w.proc.death(); d != nil {
		return d
	}
	return fmt.Errorf("%w: %v", ErrWorker, err)
}

// end ends the process. What it has sent can be read; nothing more comes, even if another process has
// its end of the socket.
func (w *Worker) end() {
	w.proc.kill()
	w.proc.wait()
	shut(w.socket)
}

// Close ends the worker, and with it a running job. It returns when the process is gone.
func (w *Worker) Close() error {
	if w.proc.closed.Swap(true) {
		return nil
	}
	close(w.closed)
	w.end()
	return w.socket.Close()
}
