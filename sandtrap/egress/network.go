package egress

import (
	"io"
	"net/http"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Network makes the requests of scripts: a *Gate does, and in a worker what asks its host.
type Network interface {
	// Open begins a run on behalf of s.
	Open(s decide.Subject) Transport
}

// A Transport makes the requests of one run. It is safe for concurrent use. Close ends them.
type Transport = interface {
	http.RoundTripper
	io.Closer
}

// Open is Begin, for a Network.
func (g *Gate) Open(s decide.Subject) Transport { return g.Begin(s) }
