package peers

import (
	"sync"

	"github.com/nats-io/nats.go"
)

// OfServer is the header of a message with the ID of the server that has sent it.
const OfServer = "Sandtrap-Server"

// Askers are the servers that have asked for something of this one which is to be given up, by its ID, the one that was first before the others.
type Askers struct {
	mu sync.Mutex
	of map[string][]*nats.Msg
}

// NewAskers are none.
func NewAskers() *Askers { return &Askers{of: map[string][]*nats.Msg{}} }

// maxAskers bounds them for one ID: those of one server that asks again are one.
const maxAskers = 64

// Add notes who asks, and reports whether it is the first one.
func (a *Askers) Add(id string, m *nats.Msg) (first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.of[id]
	for i, other := range list {
		if other.Header.Get(OfServer) == m.Header.Get(OfServer) {
			list[i] = m // it waits for this answer now
			return false
		}
	}
	if len(list) < maxAskers {
		a.of[id] = append(list, m)
	}
	return len(list) == 0
}

// First is the server that has asked first.
func (a *Askers) First(id string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of[id][0].Header.Get(OfServer)
}

// Answer answers all that have asked: the others ask the first one now.
func (a *Askers) Answer(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.of[id] {
		_ = m.Respond(nil) // who gets no answer asks again
	}
	delete(a.of, id)
}
