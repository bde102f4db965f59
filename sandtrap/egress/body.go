package egress

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// wrapBody counts what out sends.
func (x *exchange) wrapBody(out *http.Request) {
	if out.Body == nil || out.Body == http.NoBody {
		return
	}
	known := out.ContentLength > 0 // it was counted
	out.Body = &sentBody{out.Body, x, known}
	if get := out.GetBody; get != nil {
		out.GetBody = func() (io.ReadCloser, error) {
			body, err := get()
			if err != nil {
				return nil, err
			}
			return &sentBody{body, x, false}, nil
		}
	}
}

// A sentBody is the body of a request.
type sentBody struct {
	io.ReadCloser
	x       *exchange
	counted bool
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.counted {
		b.x.sent.Add(int64(n))
		if over := b.x.run.meters.send(int64(n)); over != nil {
			b.x.cancel(over)
			return 0, over
		}
	}
	return n, err
}

// respond makes resp what the script gets.
func (x *exchange) respond(resp *http.Response) error {
	g := x.run.gate
	x.status.Store(int64(resp.StatusCode))
	wire := resp.Body
	fail := func(err error) error {
		wire.Close()
		return err
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return fail(errors.New("egress: the server wants another protocol"))
	}
	size := headerSize(resp.Header) + int64(len(resp.Status))
	if size+fieldCost*headerFields(resp.Header) > g.limits.Header {
		return fail(&LimitError{Limit: Header, Max: g.limits.Header})
	}
	x.received.Add(size)
	if err := x.run.meters.receive(size); err != nil {
		return fail(err)
	}
	body := &receivedBody{x: x, wire: wire, from: wire, resp: resp}
	encoding := strings.ToLower(resp.Header.Get("Content-Encoding"))
	switch {
	case wire == http.NoBody || encoding == "" || encoding == "identity":
	case encoding == "gzip" && (g.secrets != nil || !x.encoded):
		body.from = &inflater{x: x, from: body.from}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed = -1, true
	case g.secrets != nil:
		return fail(fmt.Errorf("egress: the response is encoded by %q, in which secrets cannot be found", shown(encoding)))
	}
	x.scan(resp, body)
	resp.Request = x.req // without secrets
	if wire == http.NoBody {
		x.end(nil)
	} else {
		resp.Body = body
	}
	return nil
}

// A receivedBody is the body of a response.
type receivedBody struct {
	x    *exchange
	wire io.ReadCloser
	from io.Reader
	resp *http.Response
}

func (b *receivedBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if n > 0 {
		b.x.received.Add(int64(n))
		if over := b.x.run.meters.receive(int64(n)); over != nil {
			n, err = 0, over
			b.x.cancel(over)
		}
	}
	if err == nil {
		return n, nil
	}
	if err == io.EOF {
		b.x.scanTrailer(b.resp)
		b.x.end(nil)
		return n, err
	}
	err = b.x.failed(err)
	b.x.end(err)
	return n, err
}

// Close ends the exchange.
func (b *receivedBody) Close() error {
	err := b.wire.Close()
	b.x.end(nil)
	return err
}

// An inflater decompresses gzip.
type inflater struct {
	x    *exchange
	from io.Reader
	wire int64
	out  int64
	gzip *gzip.Reader
}

// ratioSlack is how many bytes a body may become whatever its ratio is.
const ratioSlack = 1 << 20

func (i *inflater) Read(p []byte) (int, error) {
	if i.gzip == nil {
		var err error
		if i.gzip, err = gzip.NewReader(countingReader{i}); err != nil {
			return 0, err
		}
	}
	n, err := i.gzip.Read(p)
	i.out += int64(n)
	if limit := i.x.run.gate.limits.Ratio; i.out > ratioSlack && i.out/limit > i.wire {
		over := &LimitError{Limit: Ratio, Max: limit}
		i.x.cancel(over)
		return 0, over
	}
	return n, err
}

// A countingReader is the compressed body of an inflater.
type countingReader struct{ i *inflater }

func (c countingReader) Read(p []byte) (int, error) {
	n, err := c.i.from.Read(p)
	c.i.wire += int64(n)
	return n, err
}
