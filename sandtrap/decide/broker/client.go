package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/peercred"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// Options of a Client. The zero value is usable.
type Options struct {
	// Timeout bounds the wait for the answer to a decision, and the time in which the broker has to take a line; 10 seconds
	// if it is 0. An approval is waited for until its context ends.
	Timeout time.Duration

	// UID and GID are those that the broker's process must have had when it began to listen. Without UID it is the effective
	// user of this process; without GID any group will do.
	UID, GID *int

	// MaxLine bounds a line in bytes, with its end, in either direction: 1 MiB if it is 0, at most 16 MiB. A call that is
	// longer is denied.
	MaxLine int
}

// A Client asks a broker. It is a decide.Decider and a decide.Approver: whatever fails is an error, which denies. It has one
// connection, for any number of goroutines; if that was lost, the next call makes another one.
type Client struct {
	path string
	o    Options
	uid  int

	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu      sync.Mutex
	conn    *conn    // nil once the client is closed
	dialing *dialing // of which all calls wait that need it; nil if there is none
	running sync.WaitGroup
}

// A dialing makes a connection in the place of one that was lost.
type dialing struct {
	cancel context.CancelFunc
	done   chan struct{}
	conn   *conn // set before done is closed, and so is err
	err    error
}

var (
	_ decide.Decider  = (*Client)(nil)
	_ decide.Approver = (*Client)(nil)

	errClosed = errors.New("broker: the client is closed")
)

// Dial connects to the broker that listens at path. It fails if the broker is not there, is another user's, or the system does
// not say whose it is, which only Linux does: the error is then errors.ErrUnsupported.
func Dial(path string, o Options) (*Client, error) {
	switch {
	case o.Timeout < 0:
		return nil, fmt.Errorf("broker: Timeout is %v", o.Timeout)
	case o.MaxLine < 0 || o.MaxLine > longestLine:
		return nil, fmt.Errorf("broker: MaxLine is %d; it is 0 to %d", o.MaxLine, longestLine)
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.MaxLine == 0 {
		o.MaxLine = 1 << 20
	}
	c := &Client{path: path, o: o, uid: os.Geteuid(), dial: new(net.Dialer).DialContext}
	if o.UID != nil {
		c.uid = *o.UID
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
	defer cancel()
	var err error
	if c.conn, err = c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// connect makes a connection.
func (c *Client) connect(ctx context.Context) (*conn, error) {
	its, err := c.dial(ctx, "unix", c.path)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	socket := its.(*net.UnixConn)
	peer, err := peercred.Of(socket)
	switch {
	case err != nil:
	case peer.UID != c.uid:
		err = fmt.Errorf("it is user %d's, not user %d's", peer.UID, c.uid)
	case c.o.GID != nil && peer.GID != *c.o.GID:
		err = fmt.Errorf("its group is %d, not %d", peer.GID, *c.o.GID)
	}
	if err != nil {
		socket.Close()
		return nil, fmt.Errorf("broker: %s: %w", c.path, err)
	}
	k := newConn(socket, c.o)
	c.running.Go(k.read)
	c.running.Go(k.write)
	return k, nil
}

// connection is the one that there is, or another one if it was lost. A wait for it ends with ctx.
func (c *Client) connection(ctx context.Context) (*conn, error) {
	c.mu.Lock()
	if c.conn == nil {
		c.mu.Unlock()
		return nil, errClosed
	}
	if !c.conn.lost() {
		defer c.mu.Unlock()
		return c.conn, nil
	}
	if c.dialing == nil {
		c.redial()
	}
	d := c.dialing
	c.mu.Unlock()
	select {
	case <-d.done:
		return d.conn, d.err
	case <-ctx.Done():
		return nil, fmt.Errorf("broker: no connection: %w", context.Cause(ctx))
	}
}

// redial begins to make another connection. The lock is held.
func (c *Client) redial() {
	ctx, cancel := context.WithTimeout(context.Background(), c.o.Timeout)
	d := &dialing{cancel: cancel, done: make(chan struct{})}
	c.dialing = d
	c.running.Go(func() {
		defer cancel()
		k, err := c.connect(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil && c.conn == nil { // it was closed meanwhile
			k.fail(errClosed)
			err = errClosed
		}
		if err == nil {
			c.conn = k
		}
		d.conn, d.err = k, err
		c.dialing = nil
		close(d.done)
	})
}

// Close ends the connection. Calls that wait, and later ones, are denied. It returns when all goroutines of the client have ended.
func (c *Client) Close() error {
	c.mu.Lock()
	k, d := c.conn, c.dialing
	c.conn = nil
	c.mu.Unlock()
	if k != nil {
		k.fail(errClosed)
	}
	if d != nil {
		d.cancel()
	}
	c.running.Wait()
	return nil
}

// Decide is the broker's ruling on a call. It may be called from any goroutine.
func (c *Client) Decide(ctx context.Context, call decide.Call) (decide.Ruling, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	a, err := c.do(ctx, question{Kind: kindDecide, Call: &call})
	if err != nil {
		return decide.Ruling{}, err
	}
	return *a.Ruling, nil
}

// Ask is the broker's answers to a batch of requests. It may be called from any goroutine.
func (c *Client) Ask(ctx context.Context, requests []decide.Request) ([]decide.Answer, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	a, err := c.do(ctx, question{Kind: kindAsk, Requests: requests})
	if err != nil {
		return nil, err
	}
	return a.Answers, nil
}

// do asks, and waits for the answer.
func (c *Client) do(ctx context.Context, q question) (answer, error) {
	k, err := c.connection(ctx)
	if err != nil {
		return answer{}, err
	}
	w, err := k.ask(q)
	if err != nil {
		return answer{}, err
	}
	var a answer
	select {
	case a = <-w.answered:
	case <-ctx.Done():
	case <-k.ended:
		select {
		case a = <-w.answered: // before the connection was lost
		default:
			return a, k.err
		}
	}
	switch {
	case ctx.Err() != nil: // also if an answer came as well
		k.abandon(w)
		return answer{}, fmt.Errorf("broker: no answer: %w", context.Cause(ctx))
	case a.Error != "":
		return answer{}, fmt.Errorf("broker: %s", a.Error)
	}
	return a, nil
}

// fits is an error if a is no answer to q.
func (a *answer) fits(q *question) error {
	switch {
	case a.Error != "":
		return nil
	case (q.Kind == kindDecide) != (a.Ruling != nil):
		return fmt.Errorf("the answer to %q is of another kind", q.Kind)
	}
	open := map[int64]bool{}
	for i := range q.Requests {
		open[q.Requests[i].ID] = true
	}
	for i := range a.Answers {
		its := &a.Answers[i]
		if !open[its.ID] {
			return fmt.Errorf("an answer to request %d, which is unknown or answered", its.ID)
		}
		delete(open, its.ID)
		if !slices.Contains([]decide.Verdict{decide.Approve, decide.Deny, decide.Later}, its.Verdict) {
			return fmt.Errorf("unknown verdict %q", its.Verdict)
		}
	}
	return nil
}
