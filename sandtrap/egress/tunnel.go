package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Tunnel is a connection of which the gate sees the bytes alone. Reads may go on beside writes, and Close beside both; any end
// of its run, of its context or of a limit ends it.
type Tunnel struct {
	x    *exchange
	conn net.Conn
}

// Connect connects to a target of the form host:port, for a client that speaks TLS in the connection. The gate cannot see methods,
// paths and the name that the client verifies then, so a rule allows it only if it has the method CONNECT; Mode Public allows it on port 443.
// No secret is sent. It counts as one request of the limits: FirstByte bounds the time until it is connected, Total that until it is closed.
//
// Errors are those of RoundTrip, and a *ParseError for a target that is not of this form.
func (r *Run) Connect(ctx context.Context, target string) (*Tunnel, error) {
	g := r.gate
	x := &exchange{run: r, req: (&http.Request{}).WithContext(ctx), began: g.options.Clock(), method: http.MethodConnect}
	if r.ctx.Err() != nil {
		return nil, ErrClosed
	}
	denied, err := x.decideTunnel(target)
	if !r.enter() {
		return nil, ErrClosed
	}
	if denied != nil {
		x.tell(Event{Kind: KindDecision, Denied: denied})
		r.open.Done()
		return nil, err
	}
	x.tell(Event{Kind: KindDecision})
	if err := r.meters.begin(g.options.Clock(), 0); err != nil {
		x.tell(Event{Kind: KindEnd, Error: err.Error()})
		r.open.Done()
		return nil, err
	}
	x.start()
	conn, err := g.connect(x.ctx, x.rule, x.address.authority(), nil)
	if errors.Is(err, context.DeadlineExceeded) && x.ctx.Err() == nil {
		x.cancel(&LimitError{Limit: FirstByte, Max: int64(g.limits.FirstByte)})
	}
	if err != nil {
		err = x.failed(err)
		x.end(err)
		return nil, err
	}
	context.AfterFunc(x.ctx, func() { conn.Close() })
	return &Tunnel{x, conn}, nil
}

// decideTunnel reads the target, and finds the rule that allows it. The error is the refusal, or that of the target.
func (x *exchange) decideTunnel(target string) (*decide.Denied, error) {
	g := x.run.gate
	text := shown(withoutQuery(target))
	x.event = Event{Subject: x.run.subject, Method: x.method, URL: text}
	a, reason := tunnelTarget(target)
	if reason != "" {
		return &decide.Denied{Code: decide.PolicyRefuses, Member: fmt.Sprintf("%s %q", x.method, text), Reason: reason}, &ParseError{text, reason}
	}
	x.address = a
	x.event.URL, x.event.Host = shown(a.authority()), a.Host
	if x.rule = g.rules.tunnel(&a); x.rule == nil {
		denied := g.rules.refusal(x.method, &a)
		return denied, denied
	}
	if denied := x.allowed(); denied != nil {
		return denied, denied
	}
	denied := x.ask()
	return denied, denied
}

// tunnelTarget reads host:port, or says why it cannot.
func tunnelTarget(text string) (a Address, reason string) {
	if reason := unreadable(text); reason != "" {
		return a, reason
	}
	a.Scheme = "https"
	if reason := a.setHost(text); reason != "" {
		return a, reason
	}
	if a.Port == 0 {
		return a, "it has no port"
	}
	return a, ""
}

// Read reads what the server sends.
func (t *Tunnel) Read(p []byte) (int, error) {
	n, err := t.conn.Read(p)
	if n > 0 {
		t.x.received.Add(int64(n))
		if over := t.x.run.meters.receive(int64(n)); over != nil {
			n, err = 0, over
			t.x.cancel(over)
		}
	}
	return n, t.failed(err)
}

// Write sends to the server. What is more than a limit allows is not sent.
func (t *Tunnel) Write(p []byte) (int, error) {
	if over := t.x.run.meters.send(int64(len(p))); over != nil {
		t.x.cancel(over)
		return 0, t.failed(over)
	}
	n, err := t.conn.Write(p)
	t.x.sent.Add(int64(n))
	return n, t.failed(err)
}

// failed ends the tunnel for an error that is one.
func (t *Tunnel) failed(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if cause := context.Cause(t.x.ctx); cause != nil {
		return cause
	}
	err = t.x.failed(err)
	t.x.end(err)
	return err
}

// CloseWrite tells the server that nothing more is sent. Where that cannot be told, the error is errors.ErrUnsupported.
func (t *Tunnel) CloseWrite() error {
	if half, ok := t.conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close ends the tunnel.
func (t *Tunnel) Close() error {
	t.x.end(context.Cause(t.x.ctx))
	return t.conn.Close()
}
