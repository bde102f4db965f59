package http

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimsync "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sync"
)

// A body is that of a response. What the host reads goes to memory of its own first: a read may be given up.
type body struct {
	t    *transport
	ctx  context.Context
	of   *http.Response // the host's
	resp *http.Response
	end  func() // nil once it is called

	buf     []byte
	have    []byte // what of buf is to be read
	err     error  // after that
	closed  bool
	reading bool
	waiting *shimsync.TaskQueue
}

var errReadOnClosed = errors.New("http: read on closed response body")

func (b *body) Read(p []byte) (int, error) {
	e := b.t.env
	e.Check()
	for b.reading {
		b.waiting.Add(&b.waiting, e.Park("sync.Mutex.Lock", nil))
		e.Block()
	}
	if b.closed {
		return 0, errReadOnClosed
	}
	if len(b.have) == 0 && b.err == nil && len(p) > 0 {
		b.fill()
	}
	n := copy(p, b.have)
	b.have = b.have[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	if b.closed { // meanwhile
		return 0, errReadOnClosed
	}
	return 0, b.err
}

// fill reads a part of the host's.
func (b *body) fill() {
	e := b.t.env
	if b.buf == nil {
		size := int64(partSize)
		if n := b.of.ContentLength; n >= 0 {
			size = min(size, n+1)
		}
		e.Charge(size)
		b.buf = make([]byte, size)
	}
	b.reading = true
	defer func() {
		b.reading = false
		if !b.waiting.Empty() {
			b.waiting.First()
		}
	}()
	var n int
	var err error
	beside(e, func() {
		for n == 0 && err == nil {
			n, err = b.of.Body.Read(b.buf)
		}
		if err != nil {
			b.of.Body.Close()
		}
	})
	b.have = b.buf[:n]
	if err != nil {
		b.err = b.failed(err)
		b.over()
	}
}

// failed is the error of a read for the script.
func (b *body) failed(err error) error {
	if err == io.EOF {
		for name, values := range b.of.Trailer {
			if b.resp.Trailer == nil {
				b.resp.Trailer = http.Header{}
			}
			b.resp.Trailer[name] = values
		}
		return err
	}
	if b.t.timedOut() {
		return &timeoutError{context.DeadlineExceeded.Error() + " (Client.Timeout or context cancellation while reading body)"}
	}
	return scriptError(b.ctx, err)
}

// over ends what the request has of the run.
func (b *body) over() {
	if end := b.end; end != nil {
		b.end = nil
		end()
	}
}

func (b *body) Close() error {
	if b.closed {
		return nil
	}
	b.closed, b.have = true, nil
	if b.err == nil {
		beside(b.t.env, func() { b.of.Body.Close() })
	}
	b.over()
	return nil
}

// hostError is an error of the host's without what leads to that.
type hostError struct {
	text    string
	timeout bool
}

func (e *hostError) Error() string { return e.text }
func (e *hostError) Timeout() bool { return e.timeout }

// timeoutError is what Go's client says when its time is over.
type timeoutError struct{ text string }

func (e *timeoutError) Error() string   { return e.text }
func (e *timeoutError) Timeout() bool   { return true }
func (e *timeoutError) Temporary() bool { return true }
func (e *timeoutError) Is(err error) bool {
	return err == context.DeadlineExceeded
}

// What scripts meet in interfaces.
var (
	Body         = (*body)(nil)
	HostError    = (*hostError)(nil)
	TimeoutError = (*timeoutError)(nil)
)

func init() {
	shim.StandsIn[*body](shim.Stand{Name: func(any) string { return "*http.bodyEOFSignal" }})
	shim.StandsIn[*timeoutError](shim.Stand{Name: func(any) string { return "*http.timeoutError" }})
	shim.StandsIn[*hostError](shim.Stand{Name: func(any) string { return "*errors.errorString" }})
}
