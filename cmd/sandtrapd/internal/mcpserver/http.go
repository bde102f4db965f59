package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// Bounds of what the clients of one tenant, and of all, may have open at a time.
const (
	maxStreams    = 256 // requests that are answered, or streams, of a tenant
	maxAllStreams = 2048
	maxSessions   = 64 // of a tenant, of the protocols with a handshake
	maxPolicies   = 64 // that the clients of a tenant have asked for
)

// maxBody bounds the body of a request, in bytes.
const maxBody = maxArgs

// idle is how long a session without requests is kept.
const idle = 30 * time.Minute

// An HTTP serves clients over streamable HTTP. It is safe for concurrent use.
type HTTP struct {
	of func(ctx context.Context, tenant, policy string) (*Options, error)

	mu      sync.Mutex
	tenants map[string]*clients
	streams int
	closed  bool
}

// Clients are those of a tenant, whose policies have the same bounds. The mutex of HTTP is for its fields.
type clients struct {
	webs             map[string]*web // by the policy that the address names
	streams, opening int
	calls            atomic.Int64 // of tools
}

// A web is the servers of a tenant and a policy: sessions of one tenant are not in the tables of another.
type web struct {
	*tenant
	stateless, stateful http.Handler
	sessions            *mcp.Server // the one of stateful
}

// NewHTTP makes one. What clients of a tenant see whose address names a policy, or "", is up to of; its error matches runs.ErrRequest if
// the tenant has no such policy.
func NewHTTP(of func(ctx context.Context, tenant, policy string) (*Options, error)) *HTTP {
	return &HTTP{of: of, tenants: map[string]*clients{}}
}

// Close ends all sessions, and takes no more requests.
func (h *HTTP) Close() {
	h.mu.Lock()
	h.closed = true
	var open []*mcp.ServerSession
	for _, c := range h.tenants {
		open = append(open, c.sessions()...)
	}
	h.mu.Unlock()
	var group sync.WaitGroup
	for _, s := range open {
		group.Go(func() { _ = s.Close() })
	}
	group.Wait()
}

// sessions are those that are open. The caller has the mutex.
func (c *clients) sessions() (open []*mcp.ServerSession) {
	for _, w := range c.webs {
		for s := range w.sessions.Sessions() {
			open = append(open, s)
		}
	}
	return open
}

// web is that of a policy, which is made when it is first asked for.
func (h *HTTP) web(ctx context.Context, c *clients, name, policy string) (*web, error) {
	h.mu.Lock()
	w := c.webs[policy]
	h.mu.Unlock()
	if w != nil {
		return w, nil
	}
	o, err := h.of(ctx, name, policy)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if w := c.webs[policy]; w != nil { // another request has made it meanwhile
		return w, nil
	}
	if len(c.webs) >= maxPolicies {
		c.forget()
	}
	if len(c.webs) >= maxPolicies {
		return nil, problem.New(problem.Limit, fmt.Sprintf("sessions of %d policies are open at a time: end one with DELETE", maxPolicies))
	}
	w = newWeb(&tenant{Options: o, name: name, calls: &c.calls})
	c.webs[policy] = w
	return w, nil
}

// forget removes the servers of policies without a session that is open. The caller has the mutex.
func (c *clients) forget() {
	for policy, w := range c.webs {
		if !w.hasSessions() {
			delete(c.webs, policy)
		}
	}
}

func (w *web) hasSessions() bool {
	for range w.sessions.Sessions() {
		return true
	}
	return false
}

func newWeb(t *tenant) *web {
	w := &web{tenant: t, sessions: t.server()}
	w.stateful = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return w.sessions },
		&mcp.StreamableHTTPOptions{SessionTimeout: idle, MaxRequestBodyBytes: maxBody})
	once := w.server()
	w.stateless = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return once },
		&mcp.StreamableHTTPOptions{Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true})
	return w
}

// ServeTenant serves a request of a client of a tenant.
func (h *HTTP) ServeTenant(w http.ResponseWriter, q *http.Request, tenant string) {
	c, fault := h.enter(tenant)
	if fault != nil {
		refuse(w, fault)
		return
	}
	defer h.leave(c)
	web, err := h.web(q.Context(), c, tenant, q.URL.Query().Get("policy"))
	if err != nil {
		if p := wrong(err); p.Code == problem.Limit {
			refuse(w, p)
		} else {
			p.Write(w)
		}
		return
	}
	head, fault := peek(w, q)
	if fault != nil {
		fault.Write(w)
		return
	}
	old := q.Header.Get("Mcp-Protocol-Version") < stateless
	switch {
	case q.Method != http.MethodPost, old && q.Header.Get("Mcp-Session-Id") != "":
		web.stateful.ServeHTTP(w, q)
	case !old, head.Params.Meta[mcp.MetaKeyProtocolVersion] != nil:
		web.stateless.ServeHTTP(w, q)
	case head.Method != "initialize":
		problem.New(problem.Invalid, "want the header Mcp-Session-Id of a session, or protocol "+stateless).Write(w)
	case !h.open(c):
		refuse(w, problem.New(problem.Limit, "too many sessions are open at a time: end one with DELETE"))
	default:
		defer h.opened(c)
		web.stateful.ServeHTTP(w, q)
	}
}

// refuse answers that the client may try again later.
func refuse(w http.ResponseWriter, p *problem.Problem) {
	w.Header().Set("Retry-After", "5")
	p.Write(w)
}

// wrong is about a policy that an address names.
func wrong(err error) *problem.Problem {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	if errors.Is(err, runs.ErrRequest) {
		return problem.New(problem.Invalid, strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": ")).About("policy")
	}
	return problem.New(problem.Internal, "the policy cannot be used; the log of the server says why")
}

// enter counts a request.
func (h *HTTP) enter(name string) (*clients, *problem.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, problem.New(problem.Draining, "the server ends")
	}
	c := h.tenants[name]
	if c == nil {
		c = &clients{webs: map[string]*web{}}
		h.tenants[name] = c
	}
	if h.streams >= maxAllStreams || c.streams >= maxStreams {
		return nil, problem.New(problem.Limit, "too many requests and streams are open at a time")
	}
	h.streams++
	c.streams++
	return c, nil
}

func (h *HTTP) leave(c *clients) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams--
	c.streams--
}

// open counts a request that makes a session, until opened.
func (h *HTTP) open(c *clients) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.opening+len(c.sessions()) >= maxSessions {
		return false
	}
	c.opening++
	return true
}

func (h *HTTP) opened(c *clients) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.opening--
}

// A head is what is read of a message before it is served.
type head struct {
	Method string `json:"method"`
	Params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
}

// peek reads the body of a request, which is there afterwards too. There are no batches: protocols since 2025-06-18 have none.
func peek(w http.ResponseWriter, q *http.Request) (h head, fault *problem.Problem) {
	if q.Method != http.MethodPost {
		return h, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return h, problem.New(problem.TooLarge, "the body is too large")
	}
	if err != nil {
		return h, problem.New(problem.Invalid, "the body cannot be read")
	}
	q.Body = io.NopCloser(bytes.NewReader(body))
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return h, problem.New(problem.Invalid, "the body: want one message; this protocol has no batches")
	}
	_ = json.Unmarshal(body, &h) // the handler says what is wrong with it
	return h, nil
}
