package sandtrap

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// ErrReentrant is returned by methods of a session while one of its cells runs, for example to a host function
// that the cell calls: each would wait for the other. Run returns it for the context that the function was
// given, and waits with any other. It also matches the error of a nested run, one that a host function starts
// while a script calls it, if runs are nested more than four deep; and, with an isolation, if all workers are
// busy and the function does not pass on the context of its call.
var ErrReentrant = errors.New("sandtrap: this would wait for a run that goes on")

const (
	errCellRuns    = reentrantError("the session is busy: this call came from inside its own run")
	errSessionBusy = reentrantError("the session is busy: a cell runs, or a function of one")
)

// A turn is who uses a session: a cell, or what asks about it or changes it.
type turn struct {
	taken   chan struct{} // has room while nobody has it
	asking  sync.Mutex    // those that do not wait for cells wait for one another
	closing atomic.Bool   // who has the turn ends the session after it
}

func newTurn() turn { return turn{taken: make(chan struct{}, 1)} }

// await takes the turn when those before have had theirs, and says how to end it.
func (s *Session) await(ctx context.Context) (leave func(), err error) {
	select {
	case s.taken <- struct{}{}:
		return s.leave, nil
	case <-ctx.Done():
		return nil, s.box.plan.cancelled(ctx)
	}
}

// enter takes the turn if no cell and no call of a Func has it, and says how to end it.
func (s *Session) enter() (leave func(), err error) {
	select {
	case s.taken <- struct{}{}:
	default:
		return nil, errSessionBusy
	}
	if err := s.over(); err != nil {
		s.leave()
		return nil, err
	}
	if s.remote != nil {
		return s.leave, nil // of calls it knows itself
	}
	busy := s.env.busy // also where the session gets another
	select {
	case busy <- struct{}{}:
		return func() { <-busy; s.leave() }, nil
	default:
		s.leave()
		return nil, errSessionBusy
	}
}

// ask has do done now. It must not call functions of the host.
func (s *Session) ask(do func() error) (err error) {
	s.asking.Lock()
	defer s.asking.Unlock()
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	defer func() {
		if recover() != nil {
			err = internalError("the sandbox failed while it was asked about the session")
		}
	}()
	return do()
}

func (s *Session) leave() {
	<-s.taken
	if s.closing.Load() {
		s.finish()
	}
}

// over is why nothing more can be asked.
func (s *Session) over() error {
	if s.ended == nil && s.closing.Load() {
		return ErrClosed
	}
	return s.ended
}

// Close ends the session: later calls fail with ErrClosed. A running cell continues, and
// the session ends after it.
func (s *Session) Close() error {
	s.closing.Store(true)
	s.finish()
	return nil
}

// finish ends the session, if nobody has the turn: who has it does so then.
func (s *Session) finish() {
	select {
	case s.taken <- struct{}{}:
	default:
		return
	}
	defer func() { <-s.taken }()
	if s.ended != nil {
		return
	}
	s.ended = ErrClosed
	if s.remote != nil {
		s.remote.close()
		return
	}
	s.end()
}
