package runjson

import (
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// maxRefused bounds the list of refused requests.
const maxRefused = 20

// Refusals are the requests of a run, or of a cell, that were refused: each one once, and 20 at most. It is safe for concurrent use.
type Refusals struct {
	mu   sync.Mutex
	list []*decide.Denied
}

// Observe is told of each event of the gate.
func (r *Refusals) Observe(e egress.Event) {
	if e.Denied == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.list {
		if *d == *e.Denied {
			return
		}
	}
	if len(r.list) < maxRefused {
		r.list = append(r.list, e.Denied)
	}
}

// Take is the list, which is empty then.
func (r *Refusals) Take() []*decide.Denied {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}
