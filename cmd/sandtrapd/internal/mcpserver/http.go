package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// Bounds of what the clients of one tenant, and of all, may have open at a time.
const (
	maxStreams    = 256 // requests that are answered, or streams, of a tenant
	maxAllStreams = 2048
	maxSessions   = 64 // of a tenant, of the protocols with a handshake
)

// maxBody bounds the body of a request, in bytes.
const maxBody = maxArgs

// idle is how long a session without requests is kept.
const idle = 30 * time.Minute

// readTime bounds how long a client may take to send the head of a message.
const readTime = 30 * time.Second

// An HTTP serves clients over streamable HTTP. It is safe for concurrent use.
type HTTP struct {
	o Options

	mu      sync.Mutex
	tenants map[string]*web
	streams int
	closed  bool
}

// A web is the servers of a tenant: sessions of one tenant are not in the tables of another.
type web struct {
	*tenant
	stateless, stateful http.Handler
	sessions            *mcp.Server // the one of stateful
	streams, opening    int         // under the mutex of HTTP
}

// NewHTTP makes one.
func NewHTTP(o Options) *HTTP { return &HTTP{o: o, tenants: map[string]*web{}} }

// Close ends all sessions, and takes no more requests.
func (h *HTTP) Close() {
	h.mu.Lock()
	h.closed = true
	var open []*mcp.ServerSession
	for _, w := range h.tenants {
		for s := range w.sessions.Sessions() {
			open = append(open, s)
		}
	}
	h.mu.Unlock()
	var group sync.WaitGroup
	for _, s := range open {
		group.Go(func() { _ = s.Close() })
	}
	group.Wait()
}

// web is that of a tenant. The caller has the mutex.
func (h *HTTP) web(name string) *web {
	if w := h.tenants[name]; w != nil {
		return w
	}
	w := &web{tenant: &tenant{Options: &h.o, name: name}}
	w.sessions = w.server()
	w.stateful = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return w.sessions },
		&mcp.StreamableHTTPOptions{SessionTimeout: idle, MaxRequestBodyBytes: maxBody})
	once := w.server()
	w.stateless = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return once },
		&mcp.StreamableHTTPOptions{Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true})
	h.tenants[name] = w
	return w
}

// ServeTenant serves a request of a client of a tenant.
func (h *HTTP) ServeTenant(w http.ResponseWriter, q *http.Request, tenant string) {
	web, fault := h.enter(tenant)
	if fault != nil {
		refuse(w, fault)
		return
	}
	defer h.leave(web)
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTime)) // a recorder in a test has none
	head, err := peek(w, q)
	if err != nil {
		err.Write(w)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	old := q.Header.Get("Mcp-Protocol-Version") < stateless
	switch {
	case q.Method != http.MethodPost, old && q.Header.Get("Mcp-Session-Id") != "":
		web.stateful.ServeHTTP(w, q)
	case !old, head.Params.Meta[mcp.MetaKeyProtocolVersion] != nil:
		web.stateless.ServeHTTP(w, q)
	case head.Method != "initialize":
		problem.New(problem.Invalid, "want the header Mcp-Session-Id of a session, or protocol "+stateless).Write(w)
	case !h.open(web):
		refuse(w, problem.New(problem.Limit, "too many sessions are open at a time: end one with DELETE"))
	default:
		defer h.opened(web)
		web.stateful.ServeHTTP(w, q)
	}
}

// refuse answers that the client may try again later.
func refuse(w http.ResponseWriter, p *problem.Problem) {
	w.Header().Set("Retry-After", "5")
	p.Write(w)
}

// enter counts a request.
func (h *HTTP) enter(name string) (*web, *problem.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, problem.New(problem.Draining, "the server ends")
	}
	w := h.web(name)
	if h.streams >= maxAllStreams || w.streams >= maxStreams {
		return nil, problem.New(problem.Limit, "too many requests and streams are open at a time")
	}
	h.streams++
	w.streams++
	return w, nil
}

func (h *HTTP) leave(w *web) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams--
	w.streams--
}

// open counts a request that makes a session, until opened.
func (h *HTTP) open(w *web) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := w.opening
	for range w.sessions.Sessions() {
		n++
	}
	if n >= maxSessions {
		return false
	}
	w.opening++
	return true
}

func (h *HTTP) opened(w *web) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.opening--
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
