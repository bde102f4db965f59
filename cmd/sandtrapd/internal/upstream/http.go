package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// dialHTTP is a connection over HTTP. It follows no redirection: the headers are for one server.
func (s *Server) dialHTTP(c *conn) mcp.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if s.c.Loopback {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if err == nil && !isLoopback(host) {
				err = errors.New("loopback is set, and the host has another address")
			}
			return err
		}
	}
	base := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true,
		ResponseHeaderTimeout: s.c.Timeout, MaxResponseHeaderBytes: 64 << 10, MaxConnsPerHost: s.c.AtOnce + 2, IdleConnTimeout: idleAfter,
	}
	life, cancel := context.WithCancel(context.Background())
	c.stop = sync.OnceFunc(func() {
		defer time.AfterFunc(grace, cancel).Stop()
		if session := c.session.Load(); session != nil {
			_ = session.Close() // it tells the server
		}
		cancel()
		base.CloseIdleConnections()
	})
	return &mcp.StreamableClientTransport{
		Endpoint: s.c.URL, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: int(s.c.messageLimit()),
		HTTPClient: &http.Client{
			Transport:     &bounded{base, s.c, c, life},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// A bounded transport adds headers to requests, and bounds the bodies of responses.
type bounded struct {
	base http.RoundTripper
	c    *Config
	conn *conn
	life context.Context // of the connection
}

func (b *bounded) RoundTrip(q *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(q.Context())
	stop := context.AfterFunc(b.life, cancel)
	q = q.Clone(ctx)
	for _, h := range b.c.Headers {
		q.Header.Set(h.Name, h.Text)
	}
	res, err := b.base.RoundTrip(q)
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	body := &boundedBody{ReadCloser: res.Body, conn: b.conn, done: func() { stop(); cancel() }}
	body.left.Store(b.c.messageLimit())
	res.Body = body
	return res, nil
}

type boundedBody struct {
	io.ReadCloser
	conn *conn
	left atomic.Int64
	done func()
}

func (b *boundedBody) Read(p []byte) (int, error) {
	left := b.left.Load()
	if left <= 0 {
		b.conn.end(ErrLarge)
		return 0, ErrLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), left)])
	b.left.Add(-int64(n))
	return n, err
}

func (b *boundedBody) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
