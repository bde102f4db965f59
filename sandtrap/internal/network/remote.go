package network

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Remote is the network of scripts in a worker: it asks the host. Ask does one operation, of the job that runs.
type Remote struct {
	Ask   func(Op) (Answer, error)
	Names []string // of secrets
	last  atomic.Uint64
}

// Secrets are the names that the host has sent.
func (n *Remote) Secrets() []string { return n.Names }

// Open is the run's. The host decides.
func (n *Remote) Open(decide.Subject, egress.Watch) egress.Transport { return remoteRun{n} }

type remoteRun struct{ n *Remote }

// Close does nothing: the host knows when the run is over.
func (remoteRun) Close() error { return nil }

// RoundTrip has the host make a request. The error of a context that ends is its own.
func (r remoteRun) RoundTrip(req *http.Request) (*http.Response, error) {
	x := &exchange{n: r.n, id: r.n.last.Add(1), ctx: req.Context()}
	x.stop = context.AfterFunc(x.ctx, x.close)
	got, err := x.send(req)
	if req.Body != nil {
		req.Body.Close()
	}
	if err != nil {
		x.stop()
		return nil, err
	}
	head := got.Head
	resp := &http.Response{
		Status: head.Status, StatusCode: head.Code, Proto: head.Proto, Header: head.Header.header(), ContentLength: head.Length, Close: head.Close,
		TransferEncoding: head.Encoding, Uncompressed: head.Raw, Body: http.NoBody, Request: req,
	}
	resp.ProtoMajor, resp.ProtoMinor, _ = http.ParseHTTPVersion(head.Proto)
	if len(head.Trailer) > 0 {
		resp.Trailer = head.Trailer.header()
	}
	if head.NoBody {
		x.stop()
		return resp, nil
	}
	x.resp, resp.Body = resp, x
	x.take(&got)
	return resp, nil
}

// An exchange is a request of the host's, and the body of its response.
type exchange struct {
	n    *Remote
	id   uint64
	ctx  context.Context
	stop func() bool // of what closes it when ctx ends
	resp *http.Response
	have []byte // of the body
	over error  // of reads, after that

	trailer Fields // with io.EOF
}

// ask does one operation.
func (x *exchange) ask(op Op) (Answer, error) {
	op.ID = x.id
	got, err := x.n.Ask(op)
	switch {
	case x.ctx.Err() != nil:
		return got, context.Cause(x.ctx)
	case err == nil && got.Err != nil:
		return got, got.Err.err()
	}
	return got, err
}

// close has the host end the request.
func (x *exchange) close() { x.n.Ask(Op{Op: opClose, ID: x.id}) }

// send sends a request with the first part of its body, and then the others.
func (x *exchange) send(req *http.Request) (Answer, error) {
	op := Op{Op: opSend, At: script.CallOf(x.ctx).At, Head: &Header{
		Method: req.Method, URL: req.URL.String(), Host: req.Host, Header: packed(req.Header), Close: req.Close, Length: req.ContentLength,
		Secrets: script.SecretsOf(x.ctx), Foreign: req.Response != nil,
	}}
	var data []byte
	if req.Body != nil {
		data = make([]byte, part)
		n, err := req.Body.Read(data)
		data, op.More = data[:n], err == nil && int64(n) != req.ContentLength
		if !op.More {
			op.Data = data
		}
	}
	got, err := x.ask(op)
	if err == nil && op.More {
		got, err = x.parts(req.Body, data)
	}
	if err == nil && got.Head == nil {
		err = errMalformed
	}
	return got, err
}

var errMalformed = errors.New("network: the host sent a malformed answer")

// parts sends the parts of a body, of which the first was left out of the message before, and waits for the response.
func (x *exchange) parts(body io.Reader, data []byte) (Answer, error) {
	for op := (Op{Op: opBody, Data: data, More: true}); ; {
		got, err := x.ask(op)
		if err != nil {
			return got, err
		}
		if !got.Wants {
			break
		}
		n, failed := body.Read(data[:cap(data)])
		op.Data, op.More = data[:n], failed == nil
		op.Fail = failed != nil && failed != io.EOF
	}
	return x.ask(Op{Op: opWait})
}

func (x *exchange) Read(p []byte) (int, error) {
	if len(x.have) == 0 && x.over == nil {
		got, err := x.ask(Op{Op: opRead, N: len(p)})
		x.take(&got)
		if err != nil {
			x.end(err)
		}
	}
	n := copy(p, x.have)
	if x.have = x.have[n:]; len(x.have) > 0 {
		return n, nil
	}
	if x.over == io.EOF {
		for name, values := range x.trailer.header() {
			if x.resp.Trailer == nil {
				x.resp.Trailer = http.Header{}
			}
			x.resp.Trailer[name] = values
		}
	}
	return n, x.over
}

// take takes a part of the body.
func (x *exchange) take(got *Answer) {
	if x.have = got.Data; got.End {
		x.trailer = got.Trailer
		x.end(io.EOF)
	}
}

// end says that the host has nothing more of the request.
func (x *exchange) end(err error) {
	x.over = err
	x.stop()
}

// Close ends the request.
func (x *exchange) Close() error {
	if x.stop() {
		if x.over == nil {
			x.close()
		}
	}
	return nil
}
