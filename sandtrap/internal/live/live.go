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

// Attach says what keeps the output of the run; nil when it is over. A nil Link is
// nobody's.
func (l *Link) Attach(keep func(err bool, p []byte)) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep = keep
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
