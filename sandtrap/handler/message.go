package handler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Request is one that a script is called with. The zero value is GET / by HTTP/1.1.
type Request struct {
	Method     string // GET if empty
	URI        string // what net/http has as RequestURI: a path and a query; "/" if empty
	Host       string
	Proto      string // HTTP/1.1 if empty
	RemoteAddr string
	Header     http.Header
	Body       []byte

	chunked bool // its length was not known before
}

// length is the one of the body as the script sees it.
func (r *Request) length() int64 {
	if r.chunked {
		return -1
	}
	return int64(len(r.Body))
}

// check fills in what is empty, and holds r against the bounds.
func (r *Request) check(o Options) error {
	for field, value := range map[*string]string{&r.Method: http.MethodGet, &r.URI: "/", &r.Proto: "HTTP/1.1"} {
		if *field == "" {
			*field = value
		}
	}
	switch {
	case int64(len(r.Body)) > o.MaxBody:
		return o.bodyTooLarge()
	case headerSize(r.Header)+len(r.URI)+len(r.Host) > o.MaxHeader:
		return &refusal{http.StatusRequestHeaderFieldsTooLarge, fmt.Errorf("%w: the header has more than %d bytes", ErrTooLarge, o.MaxHeader)}
	}
	return nil
}

func (o Options) bodyTooLarge() error {
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Errorf("%w: the body has more than %d bytes", ErrTooLarge, o.MaxBody)}
}

// A refusal is an error that is not the script's fault.
type refusal struct {
	status int
	error
}

func (r *refusal) Unwrap() error { return r.error }

// record reads a request of a server.
func (o Options) record(w http.ResponseWriter, r *http.Request) (Request, error) {
	req := Request{
		Method: r.Method, URI: r.URL.RequestURI(), Host: r.Host, Proto: r.Proto, RemoteAddr: r.RemoteAddr, Header: r.Header, chunked: r.ContentLength < 0,
	}
	if req.URI != "*" && !strings.HasPrefix(req.URI, "/") { // a prefix was taken away
		req.URI = "/" + req.URI
	}
	if r.Body == nil {
		return req, nil
	}
	var err error
	req.Body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, o.MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return req, o.bodyTooLarge()
	}
	if err != nil {
		return req, &refusal{http.StatusBadRequest, fmt.Errorf("handler: the body cannot be read: %w", err)}
	}
	return req, nil
}

// A Response is what a script answers. Its header is without what belongs to the connection, which is the host's, and has
// no line ends and no invalid names.
type Response struct {
	Status  int // from 200 to 999
	Header  http.Header
	Body    []byte      // what the handler wrote; also for HEAD
	Trailer http.Header // with http.TrailerPrefix before names that the header does not announce

	flushed bool // before it was whole
}

// response reads what the script returned, which may be anything: its process is not trusted.
func (h *Handler) response(ctx context.Context, res *sandtrap.Result) (*Response, error) {
	o, resp, body, size, over, problem := h.o, &Response{}, "", int64(0), false, ""
	var sent, trailer map[string][]string
	for i, into := range []any{&resp.Status, &sent, &trailer, &body, &size, &resp.flushed, &over, &problem} {
		if err := res.DecodeReturned(i, into); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	resp.Header, resp.Trailer = clean(sent), clean(trailer)
	switch {
	case problem != "":
		return nil, &refusal{http.StatusBadRequest, fmt.Errorf("%w request: %s", ErrInvalid, problem)}
	case over || size > o.MaxResponse || int64(len(body)) > size:
		return nil, fmt.Errorf("%w: the response has more than %d bytes", ErrTooLarge, o.MaxResponse)
	case headerSize(resp.Header)+headerSize(resp.Trailer) > o.MaxHeader:
		return nil, fmt.Errorf("%w: the header of the response has more than %d bytes", ErrTooLarge, o.MaxHeader)
	case resp.Status < 200 || resp.Status > 999:
		return nil, fmt.Errorf("%w status: %d", ErrInvalid, resp.Status)
	}
	var err error
	resp.Body, err = h.rest(ctx, []byte(body), size)
	return resp, err
}

// rest is a body of which there is a part.
func (h *Handler) rest(ctx context.Context, body []byte, size int64) ([]byte, error) {
	for int64(len(body)) < size {
		res, err := h.more.Call(ctx, int64(len(body)))
		if err != nil {
			return nil, err
		}
		var next string
		if err := res.DecodeReturned(0, &next); err != nil || next == "" || int64(len(body)+len(next)) > size {
			return nil, fmt.Errorf("%w: the body has an invalid part", ErrInvalid)
		}
		body = append(body, next...)
	}
	return body, nil
}

// ofConnection are the fields of a header that are about the connection.
var ofConnection = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Transfer-Encoding", "Upgrade"}

// clean is a header as it may be sent.
func clean(h map[string][]string) http.Header {
	out := http.Header{}
	for name, values := range h {
		bare := strings.TrimPrefix(name, http.TrailerPrefix)
		field := http.CanonicalHeaderKey(bare)
		if !httpguts.ValidHeaderFieldName(bare) || slices.Contains(ofConnection, field) || field == contentLength && !(name == field && isLength(values)) {
			continue
		}
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = strings.Map(func(r rune) rune {
				if r < ' ' && r != '\t' || r == 0x7f {
					return ' '
				}
				return r
			}, v)
		}
		out[name] = list
	}
	return out
}

// contentLength is the field that a server sends as the handler sets it, in each spelling and with all of its values: who reads two
// takes the response after this one for a part of it.
const contentLength = "Content-Length"

// isLength reports one length that everybody reads alike.
func isLength(values []string) bool {
	return len(values) == 1 && values[0] != "" && strings.Trim(values[0], "0123456789") == ""
}

// headerSize is about what h takes, each value with its name.
func headerSize(h http.Header) (n int) {
	for name, values := range h {
		n += len(name)
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}

// send writes r to a server of the host's.
func (r *Response) send(w http.ResponseWriter) {
	header := w.Header()
	for name, values := range r.Header {
		header[name] = values
	}
	w.WriteHeader(r.Status)
	w.Write(r.Body) // a client that is gone needs no answer
	if f, ok := w.(http.Flusher); ok && r.flushed {
		f.Flush() // then trailers without announcement are sent too
	}
	for name, values := range r.Trailer {
		header[name] = values
	}
}

// refuse answers a request that the script has not.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // there is nobody to answer
	}
	status := http.StatusInternalServerError
	if own, ok := errors.AsType[*refusal](err); ok {
		status = own.status
	} else if errors.Is(err, ErrBusy) || errors.Is(err, sandtrap.ErrRunOver) || errors.Is(err, sandtrap.ErrClosed) {
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	}
	http.Error(w, http.StatusText(status), status)
}
