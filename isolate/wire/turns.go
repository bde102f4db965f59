package wire

import (
	"context"
	"sync/atomic"
	"time"
)

// turns are about who reads what the host sends. No goroutine is woken for what another one has read,
// because that takes longer than all the rest: the one that leads does the jobs that it reads, and a
// call reads its answer itself. So while a job runs nobody reads but its calls, as long as they
// come one after the other. When there has been none for a while another goroutine leads: what else the
// host sends during a job, such as Cancel, waits that long at most.
type turns struct {
	turn    chan struct{} // has room while nobody reads
	given   chan *Message // has a job that is to be done
	dead    chan struct{} // closed when nothing more can be read
	err     error         // why
	answers atomic.Uint64 // to calls that could have read them

	timer *time.Timer // runs during a job that is not watched
	seen  uint64      // so many answers there were when it was set
}

// pause is how long there has to be no answer to a call for another goroutine to lead.
const pause = 5 * time.Millisecond

func newTurns() turns {
	return turns{turn: make(chan struct{}, 1), given: make(chan *Message, 1), dead: make(chan struct{})}
}

// fail says that nothing more can be read. It is called by whoever reads.
func (t *turns) fail(err error) {
	t.err = err
	close(t.dead)
}

// lead reads, and does the jobs, until nothing more comes or others see to that.
func (l *loop) lead() {
	for leads := true; leads; {
		select {
		case m := <-l.given:
			leads = l.do(m)
		case l.turn <- struct{}{}:
			leads = l.read()
		case <-l.dead:
			return
		}
	}
}

// read takes what comes until there is a job, and reports whether this is still the goroutine that leads.
func (l *loop) read() bool {
	for before := l.answers.Load(); len(l.given) == 0; {
		if l.next() != nil {
			return false // nobody has the turn after this one
		}
		if now := l.answers.Load(); now != before {
			if l.retire() {
				<-l.turn
				return false
			}
			before = now
		}
	}
	<-l.turn
	return true
}

// retire leaves the reading to the calls of a job, and leading to who does it, if there is one.
func (l *loop) retire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		return false
	}
	l.watched, l.seen = false, l.answers.Load()
	l.timer.Reset(pause)
	return true
}

// look has another goroutine lead if no call has been answered lately.
func (l *loop) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.answers.Load()
	switch {
	case l.cancel == nil:
	case now == l.seen:
		l.watch()
	default:
		l.seen = now
		l.timer.Reset(pause)
	}
}

// watch has another goroutine lead while the job runs. mu is held.
func (l *loop) watch() {
	if l.cancel != nil && !l.watched {
		l.watched = true
		go l.lead()
	}
}

// hurry is watch for a call that does not read.
func (l *loop) hurry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch()
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
