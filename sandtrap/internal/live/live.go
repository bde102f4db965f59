// Package live joins a run in a worker to its host while it goes on: what the run does is
// shown there at once, and what functions of the host print there is kept here, with what
// the script prints.
package live

import (
	"context"
	"sync"
)

// A Link is that of one run. Its context carries it.
type Link struct {
	// Event is told what the run does, in order; nil if nobody wants to know.
	Event func(kind, text string)

	mu   sync.Mutex
	ctx  context.Context
	keep func(err bool, p []byte)
}

type key struct{}

// With is ctx with the link.
func With(ctx context.Context, l *Link) context.Context { return context.WithValue(ctx, key{}, l) }

// Of is the link that ctx carries, or nil.
func Of(ctx context.Context) *Link {
	l, _ := ctx.Value(key{}).(*Link)
	return l
}

// Attach gives the context of calls that the run makes, and what keeps its output. A nil
// Link is nobody's.
func (l *Link) Attach(ctx context.Context, keep func(err bool, p []byte)) {
	if l != nil {
		l.set(ctx, keep)
	}
}

// Detach says that the run is over.
func (l *Link) Detach() {
	if l != nil {
		var none context.Context
		l.set(none, nil)
	}
}

func (l *Link) set(ctx context.Context, keep func(err bool, p []byte)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx, l.keep = ctx, keep
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
