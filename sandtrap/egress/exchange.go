package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// An exchange is a request and its response.
type exchange struct {
	run   *Run
	req   *http.Request
	began time.Time

	method  string
	address Address
	rule    *rule
	attach  []*secret
	event   Event       // what all events of it have
	later   func(Event) // of the Watch; nil until it has allowed the request

	ctx    context.Context
	cancel context.CancelCauseFunc
	timers []func() bool // stop what would cancel ctx
	handed bool          // the body is the transport's to close

	encoded bool // the script gets the body of the response as it is encoded

	sent, received atomic.Int64
	status         atomic.Int64
	replaced       []string // secrets that the response had
	ended          sync.Once
}

func (x *exchange) do() (*http.Response, error) {
	if x.run.ctx.Err() != nil {
		return nil, ErrClosed
	}
	denied := x.decide()
	if !x.run.enter() {
		return nil, ErrClosed
	}
	if denied = x.watched(denied); denied != nil {
		x.tell(Event{Kind: KindDecision, Denied: denied})
		x.run.open.Done()
		return nil, denied
	}
	x.tell(Event{Kind: KindDecision})
	out, err := x.request()
	if err == nil {
		err = x.run.meters.begin(x.run.gate.options.Clock(), x.sent.Load())
	}
	if err != nil {
		x.tell(Event{Kind: KindEnd, Error: err.Error()})
		x.run.open.Done()
		return nil, err
	}
	for _, s := range x.attach {
		x.tell(Event{Kind: KindAttached, Secret: s.name})
	}
	return x.send(out)
}

// send makes a request that is decided and counted.
func (x *exchange) send(out *http.Request) (*http.Response, error) {
	g := x.run.gate
	x.start()
	x.handed = true
	late := func() { x.cancel(&LimitError{Limit: FirstByte, Max: int64(g.limits.FirstByte)}) }
	first, began := time.AfterFunc(g.limits.FirstByte, late), time.Now()
	resp, err := g.transport(x.run.subject.Tenant, x.rule).RoundTrip(out.WithContext(context.WithValue(x.ctx, wantedBy{}, x.ctx)))
	if err != nil && time.Since(began) >= g.limits.FirstByte { // dialing and the handshake have the same time, and may end first
		late()
	}
	if !first.Stop() && err == nil {
		resp.Body.Close()
		err = context.Cause(x.ctx)
	}
	if err == nil {
		err = x.respond(resp)
	}
	if err != nil {
		err = x.failed(err)
		x.end(err)
		return nil, err
	}
	return resp, nil
}

// start begins the time of the exchange. It ends with the request's context, the run, or by itself.
func (x *exchange) start() {
	g := x.run.gate
	x.ctx, x.cancel = context.WithCancelCause(x.req.Context())
	x.timers = []func() bool{
		time.AfterFunc(g.limits.Total, func() { x.cancel(&LimitError{Limit: Total, Max: int64(g.limits.Total)}) }).Stop,
		context.AfterFunc(x.run.ctx, func() { x.cancel(ErrClosed) }),
	}
	context.AfterFunc(x.ctx, func() { x.end(context.Cause(x.ctx)) })
}

// end ends the exchange, once.
func (x *exchange) end(err error) {
	x.ended.Do(func() {
		for _, stop := range x.timers {
			stop()
		}
		x.cancel(err)
		x.run.meters.end()
		e := Event{Kind: KindEnd, Status: int(x.status.Load()), Sent: x.sent.Load(), Received: x.received.Load(), Duration: x.run.gate.options.Clock().Sub(x.began)}
		if err != nil {
			e.Error = x.run.gate.secrets.text(err.Error())
		}
		x.tell(e)
		x.run.open.Done()
	})
}

// tell tells the host of an event of the exchange.
func (x *exchange) tell(e Event) {
	all := x.event
	all.Kind, all.Denied, all.Secret = e.Kind, e.Denied, e.Secret
	all.Status, all.Sent, all.Received, all.Duration, all.Error = e.Status, e.Sent, e.Received, e.Duration, e.Error
	observe := x.run.gate.options.Observe
	if observe == nil && x.later == nil {
		return
	}
	all.Time = x.run.gate.options.Clock()
	if observe != nil {
		observe(all)
	}
	if x.later != nil {
		x.later(all)
	}
}

// denied is the refusal of an address.
func (x *exchange) denied(err *addressError) *decide.Denied {
	return refused(x.method, &x.address, err.reason(), wayForward(err.ip, err.is))
}

// failed is the error for the script. A limit is the reason rather than what follows from it.
func (x *exchange) failed(err error) error {
	if cause := context.Cause(x.ctx); errors.Is(cause, ErrLimit) || errors.Is(cause, ErrClosed) {
		return cause
	}
	if address, ok := errors.AsType[*addressError](err); ok {
		denied := x.denied(address)
		x.tell(Event{Kind: KindDecision, Denied: denied})
		return denied
	}
	limit := &LimitError{Limit: Header, Max: x.run.gate.limits.Header}
	switch text := err.Error(); {
	case slices.ContainsFunc(headerErrors, func(part string) bool { return strings.Contains(text, part) }):
		return limit
	case text == protocolError:
		return fmt.Errorf("%w, or the server does not speak HTTP/2", limit)
	}
	err = withoutHost(err)
	if text := err.Error(); x.run.gate.secrets.text(text) != text {
		return errors.New(x.run.gate.secrets.text(text))
	}
	return err
}

// withoutHost is an error of the network without the addresses of the host and of its resolver.
func withoutHost(err error) error {
	if failed, ok := errors.AsType[*net.DNSError](err); ok {
		clean := *failed
		clean.Server, clean.UnwrapErr = "", nil
		return &clean
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		clean := *failed
		clean.Source = nil
		return &clean
	}
	return err
}

// headerErrors are parts of the errors of net/http for a header that is too long.
var headerErrors = []string{"server response headers exceeded", "response header list larger than advertised limit"}

// protocolError is that of HTTP/2 for a header that is far too long, and for servers that break the protocol.
const protocolError = "connection error: PROTOCOL_ERROR"
