package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
	shimruntime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/runtime"
	"github.com/sandtrap-go/sandtrap/internal/feed"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// A transport makes the requests of one call of a client, by the transport of the run. It is called on the goroutine of the
// script, and waits beside it: other tasks go on. What the host gets of a request is its own: no reader, map or URL of the
// script is read on another goroutine.
type transport struct {
	env   *shim.Env
	until time.Time // when the time of the client is over; zero for never
}

// partSize is how much of a body is read at a time.
const partSize = 32 << 10

var errNoNetwork = errors.New("http: this policy gives scripts no network")

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	defer closeBody(req)
	to := t.env.Transport()
	if to == nil {
		return nil, errNoNetwork
	}
	if err := unsendable(req); err != nil {
		return nil, err
	}
	payRequest(t.env, req)
	up, err := t.upload(req)
	if err != nil {
		return nil, err
	}
	ctx, end := t.context(req.Context())
	if ctx.Err() != nil {
		err = t.failed(ctx, ctx.Err())
		end()
		return nil, err
	}
	resp, err := up.exchange(t.env, to, hostRequest(ctx, req, up))
	if err != nil {
		err = t.failed(ctx, err)
		end()
		return nil, err
	}
	return t.response(ctx, req, resp, func() { up.stop(); end() }), nil
}

// unsendable is what Go's transport says of a request that no server can get. The gate is not asked about one.
func unsendable(req *http.Request) error {
	switch {
	case req.URL == nil:
		return errors.New("http: nil Request.URL")
	case req.Header == nil:
		return errors.New("http: nil Request.Header")
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return fmt.Errorf("unsupported protocol scheme %q", req.URL.Scheme)
	case req.URL.Host == "":
		return errors.New("http: no Host in request URL")
	}
	return nil
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// hostRequest is what the host gets of req.
func hostRequest(ctx context.Context, req *http.Request, up *upload) *http.Request {
	u := *req.URL
	u.User = nil // Go's client has made a header of it, and no transport sends it
	out := (&http.Request{
		Method: req.Method, URL: &u, Host: req.Host, Header: req.Header.Clone(), Close: req.Close, ContentLength: up.length, Body: up.body,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if foreign(req) {
		out.Response = &http.Response{Request: &http.Request{URL: &url.URL{}}}
	}
	return out
}

// foreign reports that req follows a redirect from another host: no secret is sent with it.
func foreign(req *http.Request) bool {
	for n, resp := 0, req.Response; resp != nil && resp.Request != nil; n, resp = n+1, resp.Request.Response {
		from := resp.Request.URL
		if n == maxRedirects || from == nil || from.Scheme != req.URL.Scheme || !strings.EqualFold(from.Host, req.URL.Host) {
			return true
		}
	}
	return false
}

// maxRedirects is how many redirects are looked at: a script can make a circle.
const maxRedirects = 100

// context is that of a request for the host: it ends with the script's, with the time of the client, and with the run.
func (t *transport) context(of context.Context) (ctx context.Context, end func()) {
	lent, back := shimcontext.Lent(t.env, of)
	if t.env.Ordered {
		lent = script.WithCall(lent, script.Call{At: shimruntime.CallSite(t.env)})
	}
	if names := script.SecretsOf(of); len(names) > 0 {
		lent = script.WithSecret(lent, names...)
	}
	if t.until.IsZero() {
		return lent, back
	}
	timed, stop := context.WithDeadline(lent, t.until)
	return timed, func() { stop(); back() }
}

// failed is the error that the script gets for one of the host's.
func (t *transport) failed(ctx context.Context, err error) error {
	if t.timedOut() {
		return &timeoutError{context.DeadlineExceeded.Error() + " (Client.Timeout exceeded while awaiting headers)"}
	}
	return scriptError(ctx, err)
}

func (t *transport) timedOut() bool { return !t.until.IsZero() && !time.Now().Before(t.until) }

// scriptError is err without what of it is the host's: its types, and what they lead to.
func scriptError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return err
	}
	timed, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return &hostError{err.Error(), ok && timed.Timeout()}
}

// response is what the script gets of the host's. end is called when its body is read or closed.
func (t *transport) response(ctx context.Context, req *http.Request, of *http.Response, end func()) *http.Response {
	size := int64(responseBytes)
	for name, values := range of.Header {
		for _, v := range values {
			size += int64(len(name) + len(v) + headerEntry)
		}
	}
	t.env.Charge(size)
	resp := &http.Response{
		Status: of.Status, StatusCode: of.StatusCode, Proto: of.Proto, ProtoMajor: of.ProtoMajor, ProtoMinor: of.ProtoMinor,
		Header: of.Header, ContentLength: of.ContentLength, TransferEncoding: of.TransferEncoding, Close: of.Close,
		Uncompressed: of.Uncompressed, Request: req, Body: http.NoBody,
	}
	if of.Body == nil || of.Body == http.NoBody {
		end()
		return resp
	}
	if of.Trailer != nil {
		resp.Trailer = of.Trailer.Clone()
	}
	resp.Body = &body{t: t, ctx: ctx, of: of, resp: resp, end: end}
	return resp
}

// What a response takes beside its header, and a header beside its text.
const (
	responseBytes = 1 << 10
	headerEntry   = 200
)

// payRequest charges for the copies of a request, and asks for the time that they take.
func payRequest(e *shim.Env, req *http.Request) {
	size := 0
	if req.URL != nil {
		size = urlSize(req.URL)
	}
	for name, values := range req.Header {
		for _, v := range values {
			size += len(name) + len(v) + headerEntry
		}
	}
	e.PayText(requestRate, size)
	e.PayCopies(requestCopies, size)
}

const (
	requestRate   = 60
	requestCopies = 3
)

func urlSize(u *url.URL) int {
	password, _ := u.User.Password()
	return len(u.Scheme) + len(u.Opaque) + len(u.User.Username()) + len(password) + len(u.Host) + len(u.Path) + len(u.RawPath) +
		len(u.RawQuery) + len(u.Fragment) + len(u.RawFragment)
}

// beside calls f while other tasks of the script go on.
func beside(e *shim.Env, f func()) {
	if e.Tasks == nil {
		f()
	} else {
		e.Tasks.Beside(func(int) { f() })
	}
	e.Check()
}

// upload reads the first part of the body of req. One that is no longer is sent with the request.
func (t *transport) upload(req *http.Request) (*upload, error) {
	up := &upload{length: req.ContentLength}
	if req.Body == nil || req.Body == http.NoBody {
		up.length = 0
		return up, nil
	}
	if up.length == 0 {
		up.length = -1
	}
	t.env.Charge(2 * partSize)
	up.from = &shim.HeldReader{Reader: req.Body, Env: t.env}
	part := make([]byte, partSize)
	var n int
	var err error
	if up.length > 0 || req.GetBody != nil { // it is in memory, or its length is known
		n, err = io.ReadFull(up.from, part)
	} else {
		n, err = up.from.Read(part)
	}
	switch {
	case err == io.EOF && n == 0 && up.length < 0:
		up.length = 0
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		up.body = io.NopCloser(bytes.NewReader(part[:n]))
	case err != nil:
		return nil, err
	case up.length > 0 && int64(n) == up.length:
		up.body = io.NopCloser(bytes.NewReader(part[:n]))
	default:
		up.parts = feed.New()
		up.body, up.part = up.parts, part[:n]
	}
	return up, nil
}
