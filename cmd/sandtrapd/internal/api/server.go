package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/conns"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 1 << 20

// A Server answers requests.
type Server struct {
	Runs     *runs.Manager
	Sessions *sessions.Manager
	Batches  *batches.Manager
	Store    *store.Store
	Keys     *keys.Ring
	KeyStore KeyStore
	Limits   *limits.Set
	Log      *slog.Logger
	Hosts    []string // names of this server, besides those of the machine itself

	Policies *policies.Catalog
	Plans    *plans.Set
	Trail    *trail.Trail
	Metrics  http.Handler
	Machine  Machine
	Cluster  Cluster
	MCP      MCP // nil if there is none
	Clone    *clone.Cloner

	streams streams
	shares  shares
}

// Handler serves the API.
func (s *Server) Handler() http.Handler { return s.handler() }

// A call is a request to a route, whose role its key has.
type call struct {
	w   http.ResponseWriter
	q   *http.Request
	key keys.Key

	route  *route
	shares *shares
}

func (s *Server) serve(w http.ResponseWriter, q *http.Request, r route) {
	c := &call{w: w, q: q, route: &r, shares: &s.shares}
	w.Header().Set("Cache-Control", "no-store") // a page's request has a cookie in place of a key: caches would keep the response for others
	if r.role != "" {
		key, ok := s.Keys.Find(bearer(q))
		switch {
		case !ok && !s.Keys.Current():
			cutOff(w)
			return
		case !ok:
			w.Header().Set("WWW-Authenticate", "Bearer")
			problem.New(problem.Unauthorized, "want the header Authorization: Bearer and a key of this server").Write(w)
			return
		case !key.Role.May(r.role):
			problem.New(problem.Forbidden, fmt.Sprintf("this needs the role %s; the key has %s", r.role, key.Role)).Write(w)
			return
		}
		c.key = key.Key
		if err := s.shares.open(c.key.Tenant, mostOf(&r)); err != nil {
			s.fail(c, err)
			return
		}
		defer s.shares.give(c.key.Tenant, 1, 0)
		defer conns.Keyed(q.Context())()
		ctx, end := untilRevoked(q.Context(), key)
		defer end()
		c.q = q.WithContext(ctx)
	}
	// A run is part of the trace of its client, if that says which.
	c.q = c.q.WithContext(propagation.TraceContext{}.Extract(c.q.Context(), propagation.HeaderCarrier(q.Header)))
	c.q.Body = http.MaxBytesReader(w, c.q.Body, bodyBound(r))
	err := c.checkQuery()
	if err == nil {
		err = r.do(s, c)
	}
	if err != nil {
		s.fail(c, err)
	}
}

// bearer is the token of a request, empty if it has none.
func bearer(q *http.Request) string {
	scheme, token, ok := strings.Cut(q.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// fail answers with an error, if anybody is there.
func (s *Server) fail(c *call, err error) {
	if cause := context.Cause(c.q.Context()); errors.Is(cause, keys.ErrRevoked) {
		err = problem.New(problem.Unauthorized, cause.Error())
	} else if cause != nil {
		return
	}
	p := s.problemOf(c, err)
	if p.Code == problem.Draining || p.Code == problem.Storage || p.Code == problem.Cluster {
		c.w.Header().Set("Retry-After", "5")
	}
	p.Write(c.w)
}

// problemOf is the one table of errors.
func (s *Server) problemOf(c *call, err error) *problem.Problem {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*limits.Error](err); ok {
		return limitProblem(c.w, e)
	}
	if e, ok := errors.AsType[*runs.Busy](err); ok {
		return busyProblem(c.w, e)
	}
	large, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return problem.New(problem.TooLarge, fmt.Sprintf("the body is larger than %d bytes", large.Limit))
	case errors.Is(err, sessions.ErrTooLarge):
		return problem.New(problem.TooLarge, err.Error())
	case errors.Is(err, runs.ErrBusy): // one session, or one request that goes on
		retryAfter(c.w, time.Second)
		return problem.New(problem.Limit, err.Error())
	case errors.Is(err, store.ErrNone):
		return notFound()
	case errors.Is(err, runs.ErrRequest):
		return c.about(problem.Invalid, strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": "))
	case errors.Is(err, runs.ErrReused), errors.Is(err, store.ErrState), errors.Is(err, store.ErrExists):
		return c.about(problem.Conflict, err.Error())
	case errors.Is(err, plans.ErrTools):
		return problem.New(problem.Limit, err.Error()).About("tools")
	case errors.Is(err, runs.ErrDraining):
		return problem.New(problem.Draining, err.Error())
	}
	s.Log.Error("a request failed", "method", c.q.Method, "path", c.q.URL.Path, "tenant", c.key.Tenant, "error", err)
	if errors.Is(err, store.ErrCluster) {
		return problem.New(problem.Cluster, "the server does not reach its cluster now, so nothing is written: try again later, or at another server of the cluster; the log says why")
	}
	if errors.Is(err, store.ErrDisk) {
		return problem.New(problem.Storage, "the server cannot write to its disk now; its log says why")
	}
	if errors.Is(err, store.ErrCorrupt) {
		return problem.New(problem.Storage, "it is corrupt: a part of what is kept of it is missing or damaged; the log of the server says which")
	}
	return problem.New(problem.Internal, "the server could not do it; its log says why")
}

// about is a problem with the field of the body that its text begins with, if it does.
func (c *call) about(code problem.Code, text string) *problem.Problem {
	return problem.New(code, text).About(problem.FieldOf(text, c.route.in))
}

// notFound is the one answer for what is absent, malformed or another tenant's.
func notFound() *problem.Problem { return problem.New(problem.NotFound, "there is no such thing") }

// noRoute answers for paths and methods that no route has.
func (s *Server) noRoute(w http.ResponseWriter, q *http.Request) {
	var methods []string
	for _, r := range routes() {
		mux := http.NewServeMux()
		mux.Handle(r.path, http.NotFoundHandler())
		if _, pattern := mux.Handler(q); pattern != "" {
			methods = append(methods, r.method)
		}
	}
	if len(methods) > 0 {
		w.Header().Set("Allow", strings.Join(methods, ", "))
		problem.New(problem.Method, "want one of "+strings.Join(methods, ", ")).Write(w)
		return
	}
	notFound().Write(w)
}

// read reads the body: one value of JSON, without fields that are not known. An empty one is an error, unless it may be left out.
func (c *call) read(to any, optional bool) error {
	body := &sharedBody{ReadCloser: c.q.Body, shares: c.shares, tenant: c.key.Tenant}
	defer body.letGo()
	text, err := io.ReadAll(body)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return err
	}
	if _, met := errors.AsType[*limits.Error](err); met {
		return err
	}
	if optional && err == nil && len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if err == nil {
		err = decode(text, to)
	}
	if err != nil {
		text, field := problem.JSON(err, to)
		return problem.New(problem.Invalid, "the body: "+text).About(field)
	}
	return nil
}

// decode reads one value of JSON, without fields that are not known.
func decode(text []byte, to any) error {
	if err := checkJSON(text); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(to)
}

// answer answers with a value.
func (c *call) answer(status int, v any) error {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	enc := json.NewEncoder(c.w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the client is gone
	return nil
}

type health struct {
	Status string `json:"status"`
}

func (s *Server) health(c *call) error { return c.answer(http.StatusOK, health{"ok"}) }

// cutOff is the response of a server that has not heard of its cluster for some seconds.
func cutOff(w http.ResponseWriter) {
	retryAfter(w, 5*time.Second)
	problem.New(problem.Cluster, "the server does not reach its cluster, so it cannot tell which keys are good: try again later, or at another server of the cluster").Write(w)
}

func (s *Server) ready(c *call) error {
	if s.Runs.Draining() {
		return runs.ErrDraining
	}
	if !s.Keys.Current() {
		cutOff(c.w)
		return nil
	}
	if err := s.Store.Check(c.q.Context()); err != nil {
		return err
	}
	if err := s.Trail.Check(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrDisk, err)
	}
	if err := s.Runs.Unwritten(); err != nil {
		return err
	}
	return c.answer(http.StatusOK, health{"ok"})
}
