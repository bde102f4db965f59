package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Server is the worker's half: what it does when the host asks.
type Server struct {
	// Lock locks the process down. It is called once, before the first job. After an
	// error the worker is of no use, and Serve ends.
	Lock func(Profile) (Report, error)

	// Do does one job; never two at a time. ctx is cancelled when the host asks, or is
	// gone. An error becomes the Outcome's.
	Do func(ctx context.Context, job []byte, host *Host) ([]byte, error)

	// Tell, if not nil, gets what the host tells the job that runs, in order with the
	// answers to calls. It must return soon.
	Tell func(name string, body []byte)

	// Ask, if not nil, answers what the host asks during a call of it: on the goroutine that
	// waits for that, and with its ctx.
	Ask func(ctx context.Context, body []byte) ([]byte, error)
}

// Serve talks to the host over rw until that closes it, which is no error.
func (s *Server) Serve(rw io.ReadWriter) error {
	conn := NewConn(rw)
	if err := s.greet(conn); err != nil {
		return err
	}
	host := &Host{conn: conn, waiting: map[uint64]chan *Message{}, calls: make(chan struct{}, MaxCalls), ask: s.Ask}
	l := &loop{server: s, host: host}
	err := l.receive()
	l.end()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// greet says hello, is told what to become, and becomes it.
func (s *Server) greet(conn *Conn) error {
	if err := send(conn, Hello, Greeting{Version}); err != nil {
		return err
	}
	m, err := conn.Receive()
	if err != nil {
		return err
	}
	var p Profile
	if m.Kind != Prepare {
		return fmt.Errorf("%w: a message of kind %d before the profile", ErrProtocol, m.Kind)
	}
	if err := Decode(m.Body, &p); err != nil {
		return err
	}
	report, err := s.Lock(p)
	if err != nil {
		conn.Send(&Message{Kind: Failed, Name: report.Failed, Error: err.Error()})
		return err
	}
	return send(conn, Ready, report)
}

func send(conn *Conn, kind Kind, v any) error {
	body, err := Encode(v)
	if err != nil {
		return err
	}
	return conn.Send(&Message{Kind: kind, Body: body})
}

// A loop receives what the host sends.
type loop struct {
	server *Server
	host   *Host

	mu     sync.Mutex
	cancel context.CancelFunc // of the job that runs, nil if there is none
	jobs   sync.WaitGroup
}

func (l *loop) receive() error {
	for {
		m, err := l.host.conn.Receive()
		if err != nil {
			return err
		}
		switch m.Kind {
		case Job:
			if err := l.start(m); err != nil {
				return err
			}
		case Return, Ask:
			l.host.answer(m)
		case Tell:
			if l.server.Tell != nil {
				l.server.Tell(m.Name, m.Body)
			}
		case Cancel:
			l.stop()
		default: // of a later version, or a mistake: nothing that was asked for depends on it
		}
	}
}

func (l *loop) start(m *Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		return fmt.Errorf("%w: a job during another", ErrProtocol)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.jobs.Go(func() {
		out := &Message{Kind: Outcome, ID: m.ID}
		var err error
		if out.Body, err = l.server.Do(ctx, m.Body, l.host); err != nil {
			out.Error = err.Error()
		}
		l.mu.Lock()
		cancel()
		l.cancel = nil
		l.mu.Unlock()
		l.host.conn.Send(out) // if it fails the host is gone, and receive ends
	})
	return nil
}

// stop cancels the job that runs.
func (l *loop) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
}

// end gives up what waits for a host that is gone.
func (l *loop) end() {
	l.stop()
	l.host.close()
	l.jobs.Wait()
}

// MaxCalls is how many calls of a job there may be at a time, so that a worker cannot fill
// its host with them. Further ones wait in the worker.
const MaxCalls = 256

// A Host is the other end, as a job sees it. Any number of goroutines may use it.
type Host struct {
	conn  *Conn
	calls chan struct{} // has room while there may be more
	ask   func(ctx context.Context, body []byte) ([]byte, error)

	mu      sync.Mutex
	last    uint64
	gone    bool
	waiting map[uint64]chan *Message // calls without an answer yet; nil once the host is gone
}

// ErrGone is what calls return when the host is gone.
var ErrGone = errors.New("wire: the host is gone")

// A HostError is what the host answered instead of a result.
type HostError struct{ Text string }

func (e *HostError) Error() string { return e.Text }

// Call asks the host and waits for its answer. If ctx ends before, the answer is
// dropped when it comes.
func (h *Host) Call(ctx context.Context, name string, body []byte) ([]byte, error) {
	select {
	case h.calls <- struct{}{}:
		defer func() { <-h.calls }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	answer := make(chan *Message, 2) // what is asked, and what is returned
	h.mu.Lock()
	if h.gone {
		h.mu.Unlock()
		return nil, ErrGone
	}
	h.last++
	id := h.last
	h.waiting[id] = answer
	h.mu.Unlock()
	defer h.forget(id)
	if err := h.conn.Send(&Message{Kind: Call, ID: id, Name: name, Body: body}); err != nil {
		return nil, err
	}
	for {
		select {
		case m := <-answer:
			switch {
			case m == nil:
				return nil, ErrGone
			case m.Kind == Ask:
				h.asked(ctx, m)
			case m.Error != "":
				return nil, &HostError{m.Error}
			default:
				return m.Body, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
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
	h.conn.Send(out) // if it fails the host is gone, and receive ends
}

// Stream sends bytes that belong to the job and need no answer.
func (h *Host) Stream(name string, body []byte) error {
	return h.conn.Send(&Message{Kind: Stream, Name: name, Body: body})
}

// answer hands a Return, or what is asked before it, to the call that waits. One that
// nobody waits for is dropped.
func (h *Host) answer(m *Message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.waiting[m.ID]
	if ch == nil {
		return
	}
	if m.Kind == Return {
		delete(h.waiting, m.ID)
	}
	select {
	case ch <- m:
	default: // a host that asks twice at a time
	}
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
	for id, ch := range h.waiting {
		delete(h.waiting, id)
		select {
		case ch <- nil:
		default: // it is still busy with what it was asked, and its context has ended
		}
	}
}
