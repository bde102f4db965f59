package http

import (
	"errors"
	"io"
	"net/http"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/feed"
)

// An upload is the body of a request.
type upload struct {
	length int64 // -1 if it is not known
	body   io.ReadCloser
	from   io.Reader  // the script's
	parts  *feed.Feed // nil if the body is sent with the request
	part   []byte     // the first one
}

// exchange makes a request of the host's, and gives it the parts of the body until it has an answer. What waits beside the script
// is given up when the run ends: it shares no variable that is used then.
func (up *upload) exchange(e *shim.Env, to shim.Transport, req *http.Request) (*http.Response, error) {
	var resp *http.Response
	var err error
	if up.parts == nil {
		beside(e, func() { resp, err = to.RoundTrip(req) })
		return resp, err
	}
	kept, done := false, make(chan struct{})
	defer func() {
		if !kept {
			up.stop()
		}
	}()
	go func() {
		defer close(done)
		resp, err = to.RoundTrip(req)
	}()
	failed := up.feed(e, done)
	beside(e, func() { <-done })
	if err != nil && failed != nil {
		return nil, failed
	}
	kept = err == nil
	return resp, err
}

// feed gives the reader the parts of the body until the request is answered. The error is one of the script's reader.
func (up *upload) feed(e *shim.Env, answered <-chan struct{}) error {
	spare := make([]byte, partSize)
	for part := up.part; ; {
		more := false
		beside(e, func() { more = up.parts.Give(part, answered) })
		if !more {
			return nil
		}
		n, err := up.from.Read(spare)
		if n < 0 || n > len(spare) {
			n, err = 0, errBadRead
		}
		part, spare = spare[:n], part[:partSize]
		if err == nil {
			continue
		}
		beside(e, func() { up.parts.Give(part, answered) })
		up.parts.Finish(err)
		if err == io.EOF {
			return nil
		}
		return err
	}
}

var errBadRead = errors.New("http: a reader returned an impossible count")

// stop ends the body.
func (up *upload) stop() {
	if up.parts != nil {
		up.parts.Close()
	}
}
