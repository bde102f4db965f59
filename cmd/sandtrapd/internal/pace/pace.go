// Package pace bounds how long a client may take to send the body of a request, and to read a part of its response: one that does neither
// would keep its connection for ever, and nobody else gets it.
//
// It may not know what is sent.
package pace

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

// Bounds are for all requests of a server. A value of 0 is 30 seconds.
type Bounds struct {
	Body time.Duration // for all of a body
	Part time.Duration // for what one Write or Flush has sent
}

const usual = 30 * time.Second

// Handler serves within bounds. A handler that reads a body for longer extends its deadline with each part.
func Handler(next http.Handler, b Bounds) http.Handler {
	body, part := cmp.Or(b.Body, usual), cmp.Or(b.Part, usual)
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r := &response{ResponseWriter: w, out: http.NewResponseController(w), part: part}
		if q.Body != http.NoBody { // also if nobody reads it: the server does before it answers
			_ = r.out.SetReadDeadline(time.Now().Add(body)) // a recorder in a test has none
			q.Body = &timedBody{ReadCloser: q.Body, out: r.out}
		}
		r.extend()
		defer r.extend() // for what the server sends when the handler has returned
		next.ServeHTTP(r, q)
	})
}

// A timedBody is one whose deadline is lifted at its end: from then on the server reads to see whether the client is there.
type timedBody struct {
	io.ReadCloser
	out *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.out.SetReadDeadline(time.Time{})
	}
	return n, err
}

// A response gives the client its time for each part.
type response struct {
	http.ResponseWriter
	out  *http.ResponseController
	part time.Duration
}

func (r *response) extend() { _ = r.out.SetWriteDeadline(time.Now().Add(r.part)) }

func (r *response) WriteHeader(status int) {
	r.extend()
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(p []byte) (int, error) {
	r.extend()
	return r.ResponseWriter.Write(p)
}

// FlushError is for http.ResponseController.
func (r *response) FlushError() error {
	r.extend()
	return r.out.Flush()
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
