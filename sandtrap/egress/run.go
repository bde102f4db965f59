package egress

import (
	"context"
	"net/http"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Run makes the requests of one run. It is an http.RoundTripper: a client with it as its Transport passes the gate for each
// redirect anew. It is safe for concurrent use.
type Run struct {
	gate    *Gate
	subject decide.Subject
	meters  meters
	ctx     context.Context
	close   context.CancelFunc
	left    sync.Once
	watch   Watch // nil if nobody else decides

	mu     sync.Mutex
	closed bool
	open   sync.WaitGroup // requests that the gate has decided about, and that have not ended
}

// enter counts a request that begins. It reports false if the run is over.
func (r *Run) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.open.Add(1)
	}
	return !r.closed
}

// Close ends the requests of the run, and the bodies of responses that are still read. When it returns there are no more events of
// them. Connections stay for other runs of the tenant.
func (r *Run) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.close()
	r.open.Wait()
	r.left.Do(func() { r.gate.leave(r.meters[1]) })
	return nil
}

// RoundTrip makes one request, and follows no redirect. Errors are a *decide.Denied if it is refused, before anything is sent
// but the question for the addresses of its host; a *LimitError; ErrClosed; that of the context; or one of the network.
// The body of the response is to be closed. As by http.Transport, gzip is decompressed unless the request asks for it.
func (r *Run) RoundTrip(req *http.Request) (*http.Response, error) {
	x := &exchange{run: r, req: req, began: r.gate.options.Clock()}
	resp, err := x.do()
	if err != nil && !x.handed && req.Body != nil {
		req.Body.Close()
	}
	return resp, err
}
