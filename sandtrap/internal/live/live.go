// Package live joins a run in a worker to its host while it goes on: what the run does is
// shown there at once, and what functions of the host print there is kept here, with what
// the script prints.
//
// It may not decide anything of a run: it shows it.
package live

import (
	"context"
	"sync"
	"time"
)

// A Link is that of one run. Its context carries it.
type Link struct {
	// Event is told what the run does, in order; nil if nobody wants to know.
	Event func(kind, text string)

	// Queued is how long the run has waited for the worker, which is of its time.
	Queued time.Duration

	// Copies says that the host wants to know what the script changes in its inputs, which are copies.
	Copies bool

	// Reached names the members that the run could reach. It is nil until the run is over, or if that is not known.
	Reached func() (standard, host []string, own bool)

	mu    sync.Mutex
	ctx   context.Context
	keep  func(err bool, p []byte)
	clock Clock

	resumes []func() // of the clock that stands
}

// A Clock is the time that a run has. It stands still while the run waits for its host, as
// far as that has taken for what it did, and between Stand and resume.
type Clock interface {
	Wait()
	Waited(took time.Duration)
	Deadline() time.Time // zero for none
	Unwind()             // ends the run if it has to end
	Deny(message string) // ends the run for a call that is refused
	Stand() (resume func())
}

type key struct{}

// With is ctx with the link.
func With(ctx context.Context, l *Link) context.Context { return context.WithValue(ctx, key{}, l) }

// Of is the link that ctx carries, or nil.
func Of(ctx context.Context) *Link {
	l, _ := ctx.Value(key{}).(*Link)
	return l
}

// Own is the stream of the run with the context ctx, where stream is one that a script has in a worker: the functions
// that a run leaves have the streams of their run when they are called, and each call is a run of its own. Such a
// stream has a method For.
func Own[Stream any](ctx context.Context, stream Stream) Stream {
	if of, ok := any(stream).(interface{ For(context.Context) Stream }); ok && Of(ctx) != nil {
		return of.For(ctx)
	}
	return stream
}

// Attach gives the context of calls that the run makes, what keeps its output, and its time.
// A nil Link is nobody's.
func (l *Link) Attach(ctx context.Context, keep func(err bool, p []byte), clock Clock) {
	if l != nil {
		l.set(ctx, keep, clock)
	}
}

// Detach says that the run is over.
func (l *Link) Detach() {
	if l != nil {
		var none context.Context
		l.set(none, nil, nil)
	}
}

func (l *Link) set(ctx context.Context, keep func(err bool, p []byte), clock Clock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx, l.keep, l.clock = ctx, keep, clock
}

// Clock is the time of the run, nil if it does not go on.
func (l *Link) Clock() Clock {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.clock
}

// Stand has the clock of the run stand until Resume was called as often. After the run it does nothing.
func (l *Link) Stand() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clock != nil {
		l.resumes = append(l.resumes, l.clock.Stand())
	}
}

// Resume takes back one Stand.
func (l *Link) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.resumes); n > 0 {
		l.resumes[n-1]()
		l.resumes = l.resumes[:n-1]
	}
}

// Context is that of calls that the run makes, nil if it does not go on.
func (l *Link) Context() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ctx
}

// Printed is called with what a function of the host has printed. After the run that
// goes nowhere.
func (l *Link) Printed(err bool, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keep != nil {
		l.keep(err, p)
	}
}
