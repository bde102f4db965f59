package wire

import (
	"context"
	"errors"
	"sync"
	"time"
)

// MaxCalls is how many calls of a job there may be at a time, so that a worker cannot fill
// its host with them. Further ones wait in the worker.
const MaxCalls = 256

// A Host is the other end, as a job sees it. Any number of goroutines may use it.
type Host struct {
	conn  *Conn
	loop  *loop
	calls chan struct{} // has room while there may be more
	ask   func(ctx context.Context, body []byte) ([]byte, error)

	mu      sync.Mutex
	last    uint64
	gone    bool
	waiting map[uint64]*waiter // calls without an answer yet
}

// A waiter is a call that waits for its answer.
type waiter struct {
	answer chan *Message // what is asked, and what is returned; nil if there will be neither
	reads  bool          // what comes, itself, if nobody else does
}

// ErrGone is what calls return when the host is gone.
var ErrGone = errors.New("wire: the host is gone")

// A HostError is what the host answered instead of a result.
type HostError struct{ Text string }

func (e *HostError) Error() string { return e.Text }

// Call asks the host and waits for its answer. If ctx ends before, the answer is
// dropped when it comes. With the context of its job, which ends by what the host sends, it
// may be the call itself that reads what comes; one that has a time of its own leaves that to
// others. The host answers if the job that ctx is of still runs.
func (h *Host) Call(ctx context.Context, name string, body []byte) ([]byte, error) {
	body, _, err := h.Timed(ctx, name, body)
	return body, err
}

// Timed is Call, and how long the host took for it.
func (h *Host) Timed(ctx context.Context, name string, body []byte) (_ []byte, took time.Duration, err error) {
	select {
	case h.calls <- struct{}{}:
		defer func() { <-h.calls }()
	case <-ctx.Done():
		return nil, 0, context.Cause(ctx)
	}
	_, timed := ctx.Deadline()
	w := &waiter{answer: make(chan *Message, 2), reads: !timed}
	h.mu.Lock()
	if h.gone {
		h.mu.Unlock()
		return nil, 0, ErrGone
	}
	h.last++
	id := h.last
	h.waiting[id] = w
	h.mu.Unlock()
	defer h.forget(id)
	if err := h.conn.Send(&Message{Kind: Call, ID: id, Job: JobOf(ctx), Name: name, Body: body}); err != nil {
		return nil, 0, err
	}
	for {
		m, err := h.loop.await(ctx, w)
		switch {
		case err != nil:
			return nil, 0, err
		case m == nil:
			return nil, 0, ErrGone
		case m.Kind == Ask:
			h.asked(ctx, m)
		case m.Error != "":
			return nil, time.Duration(m.Took), &HostError{m.Error}
		default:
			return m.Body, time.Duration(m.Took), nil
		}
	}
}

// asked answers what the host asks during a call.
func (h *Host) asked(ctx context.Context, m *Message) {
	out := &Message{Kind: Answer, ID: m.ID}
	err := errors.New("nothing can be asked")
	if h.ask != nil {
		out.Body, err = h.ask(ctx, m.Body)
	}
	if err != nil {
		out.Error = err.Error()
	}
	if err := h.conn.Send(out); errors.Is(err, ErrTooLarge) {
		h.conn.Send(&Message{Kind: Answer, ID: m.ID, Error: err.Error()})
	} // else, if it fails, the host is gone, and nothing more is read
}

// MaxArgs is how many bytes of a body a call has room for whose name is in no row of its own.
func (h *Host) MaxArgs() int {
	most := MaxFrame
	if h.conn.sends != nil {
		most = Most(*h.conn.sends, Call, "")
	}
	return most - (MaxFrame - MaxBody)
}

// Stream sends bytes that belong to the job that ctx is of and need no answer.
func (h *Host) Stream(ctx context.Context, name string, body []byte) error {
	return h.conn.Send(&Message{Kind: Stream, ID: JobOf(ctx), Name: name, Body: body})
}

type jobKey struct{}

// JobOf is the number of the job that ctx is of, 0 if of none.
func JobOf(ctx context.Context) uint64 {
	id, _ := ctx.Value(jobKey{}).(uint64)
	return id
}

// answer hands a Return, or what is asked before it, to the call that waits, and returns
// that. One that nobody waits for is dropped.
func (h *Host) answer(m *Message) *waiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.waiting[m.ID]
	if w == nil {
		return nil
	}
	if m.Kind == Return {
		delete(h.waiting, m.ID)
	}
	select {
	case w.answer <- m:
	default: // a host that asks twice at a time
	}
	return w
}

func (h *Host) forget(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiting, id)
}

func (h *Host) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	for id, w := range h.waiting {
		delete(h.waiting, id)
		select {
		case w.answer <- nil:
		default: // it is still busy with what it was asked, and its context has ended
		}
	}
}
