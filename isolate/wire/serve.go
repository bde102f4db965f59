package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A Server is the worker's half: what it does when the host asks.
type Server struct {
	// Lock locks the process down. It is called once, before the first job. After an
	// error the worker is of no use, and Serve ends.
	Lock func(posture.Profile) (posture.Report, error)

	// Do does one job; never two at a time. ctx is cancelled when the host asks, or is
	// gone. An error becomes the Outcome's.
	Do func(ctx context.Context, job []byte, host *Host) ([]byte, error)

	// Tell, if not nil, gets what the host tells the job that runs, in order with the
	// answers to calls; what comes for one that is over is dropped. It must return soon.
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
	if err := newLoop(s, conn).run(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
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
	var p posture.Profile
	if m.Kind != Prepare {
		return fmt.Errorf("%w: a message of kind %d before the profile", ErrProtocol, m.Kind)
	}
	if err := Decode(m.Body, &p); err != nil {
		return err
	}
	conn.sends = &p.Frames
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

// A loop does what the host sends.
type loop struct {
	server *Server
	host   *Host
	turns

	mu      sync.Mutex
	cancel  context.CancelFunc // of the job that runs, nil if there is none
	id      uint64             // likewise
	watched bool               // likewise: another goroutine reads meanwhile
	over    bool               // there are no more jobs
	jobs    sync.WaitGroup
}

func newLoop(s *Server, conn *Conn) *loop {
	l := &loop{server: s, turns: newTurns()}
	l.host = &Host{conn: conn, loop: l, waiting: map[uint64]*waiter{}, calls: make(chan struct{}, MaxCalls), ask: s.Ask}
	l.timer = time.AfterFunc(pause, l.look)
	l.timer.Stop()
	return l
}

// run reads and does what comes until nothing more comes, or what comes is wrong.
func (l *loop) run() error {
	go l.lead()
	<-l.dead
	l.timer.Stop()
	l.end()
	return l.err
}

// next takes what comes next, whoever's turn it is.
func (l *loop) next() error {
	m, err := l.host.conn.Receive()
	if err != nil {
		l.fail(err)
		return err
	}
	switch m.Kind {
	case Job:
		if err := l.give(m); err != nil {
			l.fail(err)
			return err
		}
	case Return, Ask:
		if w := l.host.answer(m); w != nil && w.reads {
			l.answers.Add(1)
		}
	case Tell:
		if l.server.Tell != nil && l.runs(m.ID) {
			l.server.Tell(m.Name, m.Body)
		}
	case Cancel:
		l.stop()
	default: // of a later version, or a mistake: nothing that was asked for depends on it
	}
	return nil
}

// give has the goroutine that leads do a job.
func (l *loop) give(m *Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		select {
		case l.given <- m:
			return nil
		default:
		}
	}
	return fmt.Errorf("%w: a job during another", ErrProtocol)
}

// do does a job, and reports whether this is still the goroutine that leads.
func (l *loop) do(m *Message) (leads bool) {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), jobKey{}, m.ID))
	defer cancel()
	if !l.begin(m.ID, cancel) {
		return false
	}
	defer l.jobs.Done()
	out := &Message{Kind: Outcome, ID: m.ID}
	var err error
	if out.Body, err = l.server.Do(ctx, m.Body, l.host); err != nil {
		out.Error = err.Error()
	}
	leads = l.finish()
	if err := l.host.conn.Send(out); errors.Is(err, ErrTooLarge) {
		l.host.conn.Send(&Message{Kind: Outcome, ID: m.ID, Error: err.Error()})
	} // else, if it fails, the host is gone, and nothing more is read
	return leads
}

// begin says that a job begins, if there may be more.
func (l *loop) begin(id uint64, cancel context.CancelFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.jobs.Add(1)
	l.cancel, l.id, l.watched, l.seen = cancel, id, false, l.answers.Load()
	l.timer.Reset(pause)
	return true
}

// runs reports whether a job does.
func (l *loop) runs(id uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cancel != nil && l.id == id
}

// finish says that it has ended, and reports whether nobody else leads.
func (l *loop) finish() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer.Stop()
	l.cancel = nil
	return !l.watched
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
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.stop()
	l.host.close()
	l.jobs.Wait()
}
