package network

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/feed"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Served makes the requests of one run in a worker. What the worker says is not believed: the gate decides about what is sent.
type Served struct {
	network egress.Network
	decides bool // the run of the context decides about requests

	mu        sync.Mutex
	transport egress.Transport // made for the first request
	closed    bool
	requests  map[uint64]*request
	count     int // of requests, with those that are ended and whose transport has not returned
	heads     int // bytes that their headers take
}

// Bounds of the requests of a run, with those that have not begun and those that nobody reads. The gate has its own limits.
const (
	maxRequests = 256
	maxHeads    = 4 << 20 // bytes of memory for their headers
)

// NewServed serves a run; it is nil if the policy has no network. With decides, the run of a context decides about requests.
func NewServed(n egress.Network, decides bool) *Served {
	if n == nil {
		return nil
	}
	return &Served{network: n, decides: decides, requests: map[uint64]*request{}}
}

// maxPlace is how many bytes of a place are of use.
const maxPlace = 1 << 10

// A request is one that a worker makes.
type request struct {
	ctx    context.Context
	cancel context.CancelFunc
	body   *feed.Feed     // of parts that come; nil if there are none
	head   int            // bytes that its header takes
	busy   bool           // an operation is under way; the lock is Served's
	done   chan struct{}  // closed when there is a response, or an error
	resp   *http.Response // set before done is closed
	err    error          // likewise

	trailer Fields // likewise; the names, before the body is read

	ahead    chan struct{} // closed when the first part of the response's body is read, or there is none
	first    []byte        // set before ahead is closed; what is not sent of it
	firstErr error         // likewise; after that
}

var (
	errUnknown = errors.New("network: there is no such request")
	errBusy    = errors.New("network: an operation on the request is under way")
	errTooMany = errors.New("http: the run has too many requests that are not read to their end or closed")
	errHeads   = errors.New("http: the headers of the requests of the run are too large together")
)

// Do does one operation. Several may be done at a time, one for each request, and its close. It returns when ctx ends.
func (s *Served) Do(ctx context.Context, op Op) (Answer, error) {
	if len(op.Data) > part {
		return Answer{}, errMalformed
	}
	switch op.Op {
	case opSend:
		return s.send(ctx, &op)
	case opClose:
		s.mu.Lock()
		r := s.requests[op.ID]
		s.mu.Unlock()
		if r != nil {
			s.end(op.ID, r)
		}
		return Answer{}, nil
	}
	r, err := s.take(op.ID)
	if err != nil {
		return Answer{}, err
	}
	defer s.put(r)
	switch op.Op {
	case opBody:
		return r.part(&op), nil
	case opWait:
		return s.answer(ctx, op.ID, r), nil
	case opRead:
		return s.read(ctx, op.ID, r, op.N)
	}
	return Answer{}, errUnknown
}

// take begins an operation on a request.
func (s *Served) take(id uint64) (*request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.requests[id]
	switch {
	case r == nil:
		return nil, errUnknown
	case r.busy:
		return nil, errBusy
	}
	r.busy = true
	return r, nil
}

// put ends one.
func (s *Served) put(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.busy = false
}

// send begins a request.
func (s *Served) send(ctx context.Context, op *Op) (Answer, error) {
	if op.Head == nil {
		return Answer{}, errUnknown
	}
	to, err := url.Parse(op.Head.URL)
	if err != nil {
		return Answer{Err: sentError(err)}, nil
	}
	r := &request{done: make(chan struct{}), ahead: make(chan struct{}), busy: true, head: op.Head.size()}
	if op.More {
		r.body = feed.New()
	}
	r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx)) // it goes on when the call has been answered
	r.ctx = script.WithCall(r.ctx, script.Call{At: op.At[:min(len(op.At), maxPlace)]})
	transport, err := s.begin(ctx, op.ID, r)
	if err != nil {
		r.cancel()
		return Answer{Err: sentError(err)}, nil
	}
	defer s.put(r)
	if len(op.Head.Secrets) > 0 {
		r.ctx = egress.WithSecret(r.ctx, op.Head.Secrets...)
	}
	req := (&http.Request{
		Method: op.Head.Method, URL: to, Host: op.Head.Host, Header: op.Head.Header.header(), Close: op.Head.Close, ContentLength: op.Head.Length,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(r.ctx)
	if op.Head.Foreign {
		req.Response = &http.Response{Request: &http.Request{URL: &url.URL{}}}
	}
	switch {
	case op.More:
		req.Body = r.body
	case op.Head.Length != 0:
		req.Body = io.NopCloser(bytes.NewReader(op.Data))
	}
	go r.do(transport, req)
	if op.More {
		return Answer{Wants: true}, nil
	}
	return s.answer(ctx, op.ID, r), nil
}

// do makes the request, and reads the first part of the response's body.
func (r *request) do(transport egress.Transport, req *http.Request) {
	defer close(r.ahead)
	if r.resp, r.err = transport.RoundTrip(req); r.err == nil {
		r.trailer = packed(r.resp.Trailer)
	}
	close(r.done)
	if r.err == nil && r.resp.Body != nil && r.resp.Body != http.NoBody {
		length, size := r.resp.ContentLength, int64(part)
		if length >= 0 {
			size = min(size, max(length, 1))
		}
		r.first, r.firstErr = readPart(r.resp.Body, int(size))
		if r.firstErr == nil && int64(len(r.first)) == length {
			_, r.firstErr = readPart(r.resp.Body, 1) // its end
		}
	}
}

// readPart reads up to n bytes, at least one.
func readPart(from io.Reader, n int) ([]byte, error) {
	buf := make([]byte, n)
	n, err := from.Read(buf)
	for n == 0 && err == nil {
		n, err = from.Read(buf)
	}
	return buf[:n], err
}

// begin keeps a request.
func (s *Served) begin(ctx context.Context, id uint64, r *request) (egress.Transport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, egress.ErrClosed
	case s.requests[id] != nil:
		return nil, errUnknown
	case s.count >= maxRequests:
		return nil, errTooMany
	case s.heads+r.head > maxHeads:
		return nil, errHeads
	}
	if s.transport == nil {
		s.transport = s.network.Open(decide.SubjectOf(ctx), watch(ctx, s.decides))
	}
	s.requests[id] = r
	s.count++
	s.heads += r.head
	return s.transport, nil
}

// part gives the request a part of its body, unless its response has come.
func (r *request) part(op *Op) Answer {
	if r.body == nil || !r.body.Give(op.Data, r.done) {
		return Answer{}
	}
	switch {
	case op.Fail:
		r.body.Finish(errNotRead)
	case !op.More:
		r.body.Finish(io.EOF)
	}
	return Answer{Wants: op.More && !op.Fail}
}

var errNotRead = errors.New("http: the body of the request cannot be read")

// answer waits for the response, and gives its header.
func (s *Served) answer(ctx context.Context, id uint64, r *request) Answer {
	select {
	case <-r.done:
	case <-ctx.Done():
		s.end(id, r)
		return Answer{Err: sentError(ctx.Err())}
	case <-r.ctx.Done(): // it is closed meanwhile
		return Answer{Err: sentError(r.ctx.Err())}
	}
	if r.err != nil {
		s.end(id, r)
		return Answer{Err: sentError(r.err)}
	}
	resp := r.resp
	got := Answer{Head: &Header{
		Status: resp.Status, Code: resp.StatusCode, Proto: resp.Proto, Header: packed(resp.Header), Length: resp.ContentLength, Close: resp.Close,
		Encoding: resp.TransferEncoding, Trailer: r.trailer, Raw: resp.Uncompressed, NoBody: resp.Body == nil || resp.Body == http.NoBody,
	}}
	resp.Header = nil // it is the worker's now
	if got.Head.NoBody {
		s.end(id, r)
		return got
	}
	soon := time.NewTimer(atOnce)
	defer soon.Stop()
	select {
	case <-r.ahead:
		if r.firstErr == nil || r.firstErr == io.EOF {
			s.part(id, r, &got, part)
		}
	case <-soon.C:
	case <-r.ctx.Done():
	}
	return got
}

// atOnce is how long the header of a response waits for the first part of the body, with which it is one message then.
const atOnce = time.Millisecond

// read gives a part of the response's body.
func (s *Served) read(ctx context.Context, id uint64, r *request, n int) (got Answer, err error) {
	select {
	case <-r.done:
	default:
		return got, errUnknown
	}
	if r.resp == nil {
		return got, errUnknown
	}
	select {
	case <-r.ahead:
	case <-r.ctx.Done():
		return Answer{Err: sentError(r.ctx.Err())}, nil
	case <-ctx.Done():
		return Answer{Err: sentError(ctx.Err())}, nil
	}
	s.part(id, r, &got, min(max(n, 1), part))
	return got, nil
}

// part puts up to n bytes of the response's body into got: what is read of it, or the next ones.
func (s *Served) part(id uint64, r *request, got *Answer, n int) {
	if len(r.first) == 0 && r.firstErr == nil {
		r.first, r.firstErr = readPart(r.resp.Body, n)
	}
	n = min(n, len(r.first))
	got.Data, r.first = r.first[:n], r.first[n:]
	if len(r.first) > 0 || r.firstErr == nil {
		return
	}
	if r.firstErr == io.EOF {
		got.End, got.Trailer = true, packed(r.resp.Trailer)
	} else {
		got.Err = sentError(r.firstErr)
	}
	s.end(id, r)
}

// end ends a request, once. It counts until its transport has returned, which may take its time.
func (s *Served) end(id uint64, r *request) {
	s.mu.Lock()
	known := s.requests[id] == r
	if known {
		delete(s.requests, id)
	}
	s.mu.Unlock()
	if known {
		s.stop(r)
	}
}

func (s *Served) stop(r *request) {
	r.cancel()
	if r.body != nil {
		r.body.Close()
	}
	go func() {
		<-r.done
		if r.resp != nil && r.resp.Body != nil {
			r.resp.Body.Close()
		}
		<-r.ahead
		s.mu.Lock()
		defer s.mu.Unlock()
		s.count--
		s.heads -= r.head
	}()
}

// Close ends all requests of the run, and of one that asks again.
func (s *Served) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	transport, list := s.transport, s.requests
	s.requests = map[uint64]*request{}
	s.mu.Unlock()
	for _, r := range list {
		s.stop(r)
	}
	if transport != nil {
		transport.Close()
	}
}
