package wire

import (
	"context"
	"sync/atomic"
	"time"
)

// turns are about who reads what the host sends. A call that reads its answer itself needs
// no other goroutine to be woken, which takes longer than all the rest of it. So the loop
// leaves the reading to calls, while they come one after the other, and reads when there
// has been none for a while: what else the host sends during a job, such as Cancel, waits
// that long at most.
type turns struct {
	turn    chan struct{} // has room while nobody reads
	hurried chan struct{} // the loop is not to rest
	dead    chan struct{} // closed when nothing more can be read
	err     error         // why
	answers atomic.Uint64 // to calls that could have read them
}

// pause is how long there has to be no answer to a call for the loop to read again.
const pause = 5 * time.Millisecond

func newTurns() turns {
	return turns{turn: make(chan struct{}, 1), hurried: make(chan struct{}, 1), dead: make(chan struct{})}
}

// fail says that nothing more can be read. It is called by whoever reads.
func (t *turns) fail(err error) {
	t.err = err
	close(t.dead)
}

// hurry has the loop read at once: what comes next is for none of the calls that read.
func (t *turns) hurry() {
	select {
	case t.hurried <- struct{}{}:
	default:
	}
}

// receive reads until nothing more comes, or what comes is wrong.
func (l *loop) receive() error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case l.turn <- struct{}{}:
		case <-l.dead:
			return l.err
		}
		for before := l.answers.Load(); l.answers.Load() == before; {
			if err := l.next(); err != nil {
				return err
			}
		}
		<-l.turn
		l.rest(timer)
	}
}

// rest returns when there are no calls for a while.
func (l *loop) rest(timer *time.Timer) {
	for {
		before := l.answers.Load()
		timer.Reset(pause)
		select {
		case <-timer.C:
		case <-l.hurried:
			return
		case <-l.dead:
			return
		}
		if l.answers.Load() == before {
			return
		}
	}
}

// await waits for the answer that w waits for. It is nil if the host is gone.
func (l *loop) await(ctx context.Context, w *waiter) (*Message, error) {
	turn := l.turn
	if !w.reads {
		turn = nil
		l.hurry()
	}
	select {
	case m := <-w.answer:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case turn <- struct{}{}:
	}
	for {
		select {
		case m := <-w.answer:
			<-l.turn
			return m, nil
		case <-ctx.Done():
			<-l.turn
			return nil, context.Cause(ctx)
		default:
		}
		if err := l.next(); err != nil {
			return nil, ErrGone // nobody has the turn after this one
		}
	}
}
