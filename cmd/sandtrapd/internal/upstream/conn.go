package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// The limits on a connection.
const (
	maxMessage = 8 << 20 // bytes, at least
	maxUnasked = 1000    // messages at once that nobody asked for
	perSecond  = 20      // such messages later
	maxPages   = 50      // of the list of tools
	grace      = time.Second
)

// A conn is a connection to a server.
type conn struct {
	session atomic.Pointer[mcp.ClientSession]
	stop    func() // ends it without waiting; may be called more than once
	unasked *rate.Limiter
	changed atomic.Bool  // the server says that its tools have changed
	heard   atomic.Int64 // when the last message came, in nanoseconds; stdio only

	once sync.Once
	over chan struct{} // closed when it is no use any more
	why  error         // set before that
}

// end gives up the connection, for a reason.
func (c *conn) end(why error) {
	c.once.Do(func() {
		c.why = why
		close(c.over)
		go c.stop()
	})
}

// notice counts a message that nobody asked for.
func (c *conn) notice(method string) error {
	if method == "notifications/tools/list_changed" {
		c.changed.Store(true)
	}
	if !c.unasked.Allow() {
		c.end(ErrFlood)
		return ErrFlood
	}
	return nil
}

// messageLimit bounds the bytes of a message: a result is in it twice, and as text.
func (c *Config) messageLimit() int64 { return max(maxMessage, 4*c.MaxResult) }

// connect makes a connection.
func (s *Server) connect(ctx context.Context) (*conn, error) {
	c := &conn{unasked: rate.NewLimiter(perSecond, maxUnasked), over: make(chan struct{})}
	var transport mcp.Transport
	var err error
	if s.c.Transport == Stdio {
		transport, err = s.start(c)
	} else {
		transport = s.dialHTTP(c)
	}
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "sandtrapd", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, q mcp.Request) (mcp.Result, error) {
			if err := c.notice(method); err != nil {
				return nil, err
			}
			return next(ctx, method, q)
		}
	})
	var session *mcp.ClientSession
	err = c.wait(ctx, func(ctx context.Context) (err error) {
		session, err = client.Connect(ctx, transport, nil)
		return err
	})
	if err != nil {
		c.end(err)
		return nil, err
	}
	c.session.Store(session)
	go func() {
		_ = session.Wait()
		c.end(ErrClosed)
	}()
	return c, nil
}

// wait does something that the server may hold up: when ctx has ended it gives up the connection, if do does not heed that.
func (c *conn) wait(ctx context.Context, do func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- do(ctx) }()
	select {
	case err := <-done:
		return c.cause(ctx, err)
	case <-c.over:
		return c.why
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return c.cause(ctx, err)
	case <-c.over:
	case <-time.After(grace):
		c.end(ErrTimeout)
	}
	return context.Cause(ctx)
}

// cause is why do has failed: an error of the connection or the end of ctx goes before what the SDK says.
func (c *conn) cause(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-c.over:
		return c.why
	default:
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, mcp.ErrConnectionClosed), errors.Is(err, io.EOF), errors.Is(err, mcp.ErrSessionMissing):
		c.end(ErrClosed)
		return ErrClosed
	}
	return err
}

// tools lists those of the server.
func (c *conn) tools(ctx context.Context) (all []*mcp.Tool, err error) {
	err = c.wait(ctx, func(ctx context.Context) error {
		params := &mcp.ListToolsParams{}
		var list []*mcp.Tool
		for range maxPages {
			page, err := c.session.Load().ListTools(ctx, params)
			if err != nil {
				return err
			}
			list = append(list, page.Tools...)
			if page.NextCursor == "" {
				all = list
				return nil
			}
			params = &mcp.ListToolsParams{Cursor: page.NextCursor}
		}
		return fmt.Errorf("its list of tools has more than %d pages", maxPages)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// call calls a tool.
func (c *conn) call(ctx context.Context, params *mcp.CallToolParams) (res *mcp.CallToolResult, err error) {
	began := time.Now().UnixNano()
	var got *mcp.CallToolResult
	err = c.wait(ctx, func(ctx context.Context) (err error) {
		got, err = c.session.Load().CallTool(ctx, params)
		return err
	})
	if errors.Is(err, ErrTimeout) && c.heard.Load() < began { // it says nothing at all
		c.end(ErrTimeout)
	}
	if err != nil {
		return nil, err
	}
	return got, nil
}
