package isolate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A Worker is a process that does one job at a time.
type Worker struct {
	proc   *process
	socket *os.File
	conn   *wire.Conn
	status []wire.Layer

	mu  sync.Mutex // held during a job
	ids uint64

	asking sync.Map // ID of a call that is being answered to its *asker

	closed   chan struct{}
	messages chan *wire.Message // closed when nothing more comes
	broken   error              // why, if the stream was no good; set before messages is closed
	flooded  atomic.Bool        // it asked for more calls at a time than it may
}

// Status says which layers hold the worker.
func (w *Worker) Status() []wire.Layer { return w.status }

// Pid is that of the process, as the host sees it.
func (w *Worker) Pid() int { return w.proc.pid() }

// Handlers answer what a job asks for. They are called one goroutine each, but
// Stream, which is called in order and must return soon.
type Handlers struct {
	Call   func(ctx context.Context, name string, body []byte) ([]byte, error)
	Stream func(name string, body []byte)
}

// ErrReentrant is returned for a job that is asked for while the worker does one: by
// a handler of that job, or by another goroutine.
var ErrReentrant = errors.New("isolate: the worker is doing a job")

// Do has the worker do a job. When ctx ends the worker is told; it is killed if that
// does not help in grace time. The error is the job's, as a *wire.HostError, or about the
// worker, which is then dead: it matches ErrWorker.
func (w *Worker) Do(ctx context.Context, job []byte, h Handlers) ([]byte, error) {
	if !w.mu.TryLock() {
		return nil, ErrReentrant
	}
	defer w.mu.Unlock()
	w.ids++
	if err := w.conn.Send(&wire.Message{Kind: wire.Job, ID: w.ids, Body: job}); err != nil {
		return nil, w.death(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // calls in progress
	return w.converse(ctx, h)
}

// converse answers the worker until it has done the job.
func (w *Worker) converse(ctx context.Context, h Handlers) ([]byte, error) {
	ended := ctx.Done()
	var late <-chan time.Time
	var calls atomic.Int64 // that are being answered
	for {
		select {
		case m, ok := <-w.messages:
			if !ok {
				return nil, w.death(nil)
			}
			if m.Kind == wire.Outcome && m.ID == w.ids {
				return outcome(m)
			}
			w.handle(ctx, h, m, &calls)
		case <-ended:
			ended = nil
			w.conn.Send(&wire.Message{Kind: wire.Cancel}) // if it is dead, messages is closed
			late = time.After(grace)
		case <-late:
			w.proc.kill()
			late = nil
		}
	}
}

func outcome(m *wire.Message) ([]byte, error) {
	if m.Error != "" {
		return nil, &wire.HostError{Text: m.Error}
	}
	return m.Body, nil
}

// Tell tells the job that runs what needs no answer. If there is none, or the worker is
// dead, it goes nowhere.
func (w *Worker) Tell(name string, body []byte) {
	w.conn.Send(&wire.Message{Kind: wire.Tell, Name: name, Body: body})
}

// handle does what the worker asks for. What it does not know it passes over. One that
// asks for more at a time than it may is no worker of ours any more.
func (w *Worker) handle(ctx context.Context, h Handlers, m *wire.Message, calls *atomic.Int64) {
	switch m.Kind {
	case wire.Stream:
		if h.Stream != nil {
			h.Stream(m.Name, m.Body)
		}
	case wire.Answer:
		if a, ok := w.asking.Load(m.ID); ok {
			a.(*asker).take(m)
		}
	case wire.Call:
		if calls.Add(1) <= wire.MaxCalls {
			go w.answer(ctx, h, m, calls)
		} else {
			w.flooded.Store(true)
			w.proc.kill()
		}
	}
}

func (w *Worker) answer(ctx context.Context, h Handlers, m *wire.Message, calls *atomic.Int64) {
	out := &wire.Message{Kind: wire.Return, ID: m.ID}
	a := &asker{conn: w.conn, call: m.ID, answers: make(chan *wire.Message, 1), job: ctx.Done(), over: make(chan struct{})}
	w.asking.Store(m.ID, a)
	body, err := call(context.WithValue(ctx, askerKey{}, a), h, m)
	w.asking.Delete(m.ID)
	close(a.over)
	if err != nil {
		out.Error = err.Error()
		if out.Error == "" {
			out.Error = "error"
		}
	}
	out.Body = body
	calls.Add(-1)    // before the worker knows that it may ask for the next
	w.conn.Send(out) // if it is dead, messages is closed
}

func call(ctx context.Context, h Handlers, m *wire.Message) (body []byte, err error) {
	defer func() {
		if recover() != nil { // what a handler panics with stays on this side
			body, err = nil, fmt.Errorf("%s: the host's function panicked", m.Name)
		}
	}()
	if h.Call == nil {
		return nil, fmt.Errorf("%s: there is no such function", m.Name)
	}
	return h.Call(ctx, m.Name, m.Body)
}

// receive takes what the worker sends until that ends.
func (w *Worker) receive() {
	defer close(w.messages)
	for {
		m, err := w.conn.Receive()
		if err != nil {
			if !errors.Is(err, io.EOF) && errors.Is(err, wire.ErrProtocol) {
				w.broken = err
				w.proc.kill()
			}
			return
		}
		select {
		case w.messages <- m:
		case <-w.closed:
			return
		}
	}
}

// death waits for the end of the process and says what it died of.
func (w *Worker) death(err error) error {
	w.proc.kill() // it closed the socket, or wrote nonsense: it does not come back from there
	w.proc.wait()
	switch {
	case w.broken != nil:
		return &DeathError{Cause: Broken, Text: w.broken.Error()}
	case w.flooded.Load():
		return &DeathError{Cause: Broken, Text: fmt.Sprintf("it made more than %d calls at a time", wire.MaxCalls)}
	}
	if d := w.proc.death(); d != nil {
		return d
	}
	return fmt.Errorf("%w: %v", ErrWorker, err)
}

// Close ends the worker, and with it a job that it does. It returns when the process
// is gone.
func (w *Worker) Close() error {
	if w.proc.closed.Swap(true) {
		return nil
	}
	close(w.closed)
	w.proc.kill()
	w.proc.wait()
	return w.socket.Close()
}
