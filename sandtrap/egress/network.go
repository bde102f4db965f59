package egress

import (
	"context"
	"io"
	"net/http"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Network makes the requests of scripts: a *Gate does, and in a worker what asks its host.
type Network interface {
	// Open begins a run on behalf of s. No request is sent that w refuses; it is nil if nobody else decides.
	Open(s decide.Subject, w Watch) Transport

	// Secrets are the names of the secrets that scripts can use.
	Secrets() []string
}

// A Watch decides about the requests of a run after the policy of the gate, and is told of those that this refuses, with Denied: these
// are refused whatever it says. An error refuses the request, as one of Options.Decide. It gives what is told of all that becomes of
// the request: the last event is of KindEnd. It is called from any goroutine, and should return when ctx ends.
type Watch func(ctx context.Context, r Request) (later func(Event), err error)

// A Request is what a Watch decides about.
type Request struct {
	Event
	Query   string   // canonical, without the question mark; it may have secrets
	Secrets []string // names of those that are sent with it
}

// A Transport makes the requests of one run. It is safe for concurrent use. Close ends them.
type Transport = interface {
	http.RoundTripper
	io.Closer
}

// Open is Begin, for a Network.
func (g *Gate) Open(s decide.Subject, w Watch) Transport {
	r := g.Begin(s)
	r.watch = w
	return r
}
