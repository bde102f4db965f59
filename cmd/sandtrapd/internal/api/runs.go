package api

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func (s *Server) startRun(c *call) error {
	var q runs.Request
	if err := c.read(&q, false); err != nil {
		return err
	}
	q.ToldAtEnd = !prefersAsync(c.q) && !accepts(c.q, "text/event-stream")
	r, err := s.Runs.Start(c.q.Context(), c.key.Tenant, q)
	if errors.Is(err, store.ErrNone) {
		return problem.New(problem.NotFound, "session: there is no such session").About("session")
	}
	if err != nil {
		return err
	}
	return s.follow(c, r, q.Key == "")
}

// follow answers with a run: at once, as a stream of its events, or when it waits or has ended. If it was begun by this request it ends
// with it, unless the client wants its answer at once, or has given a key to ask for the run again.
func (s *Server) follow(c *call, r *runs.Run, begun bool) error {
	if prefersAsync(c.q) {
		return c.accepted(r.View())
	}
	if begun {
		defer func() {
			if c.q.Context().Err() != nil {
				r.Abandon()
			}
		}()
	}
	if accepts(c.q, "text/event-stream") {
		return s.stream(c, r, 0)
	}
	view, err := r.Reply(c.q.Context())
	if errors.Is(err, store.ErrCluster) {
		s.Log.Warn("a client waits no more for a run", "run", r.ID(), "tenant", c.key.Tenant, "error", err)
		c.w.Header().Set("Location", "/v1/runs/"+r.ID())
		return problem.New(problem.Cluster, "the server does not reach its cluster, so what becomes of the run is not written yet: GET /v1/runs/"+r.ID()+" says later what has become of it")
	}
	if err != nil {
		return err
	}
	if view.State == store.Running { // the server ends
		return c.accepted(view)
	}
	return c.answer(http.StatusOK, view)
}

// accepted answers with a run that goes on, and where to get it later.
func (c *call) accepted(v runs.View) error {
	c.w.Header().Set("Location", "/v1/runs/"+v.ID)
	return c.answer(http.StatusAccepted, v)
}

// prefersAsync reads the header Prefer, as RFC 7240 has it.
func prefersAsync(q *http.Request) bool {
	return slices.ContainsFunc(strings.Split(q.Header.Get("Prefer"), ","), func(p string) bool { return strings.EqualFold(strings.TrimSpace(p), "respond-async") })
}

// accepts reports that a request names a media type.
func accepts(q *http.Request, media string) bool {
	return slices.ContainsFunc(strings.Split(q.Header.Get("Accept"), ","), func(a string) bool {
		name, _, _ := strings.Cut(a, ";")
		return strings.EqualFold(strings.TrimSpace(name), media)
	})
}

// run is the run that the path names, if the key may see it.
func (c *call) run(s *Server) (*runs.Run, error) {
	return s.Runs.Get(c.q.Context(), c.sees(), c.q.PathValue("id"))
}

func (s *Server) getRun(c *call) error {
	r, err := c.run(s)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, r.View())
}

func (s *Server) deleteRun(c *call) error {
	return c.empty(s.Runs.Delete(c.q.Context(), c.changes(), c.q.PathValue("id")))
}

func (s *Server) getSource(c *call) error {
	r, err := c.run(s)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = c.w.Write([]byte(r.Source()))
	return nil
}

func (s *Server) getArtifact(c *call) error {
	a, err := s.Store.Artifact(c.q.Context(), c.sees(), c.q.PathValue("id"), c.q.PathValue("name"))
	if err != nil {
		return err
	}
	// The script chose the type and the data: a browser shows them in a page without scripts, forms and origin.
	c.w.Header().Set("Content-Type", a.MediaType)
	c.w.Header().Set("X-Content-Type-Options", "nosniff")
	c.w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
	_, _ = c.w.Write(a.Data)
	return nil
}

type answers struct {
	Answers []runs.Answer `json:"answers"`
}

func (s *Server) answerRun(c *call) error {
	var in answers
	if err := c.read(&in, false); err != nil {
		return err
	}
	for i := range in.Answers {
		in.Answers[i].By = "key of " + c.key.Tenant
	}
	r, err := s.Runs.Answer(c.q.Context(), c.changes(), c.q.PathValue("id"), in.Answers)
	if err != nil {
		return err
	}
	return s.follow(c, r, false)
}

func (s *Server) cancelRun(c *call) error {
	r, err := s.Runs.Cancel(c.q.Context(), c.changes(), c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, r.View())
}

type forks struct {
	N int `json:"n"` // how many; 1 if it is left out
}

func (s *Server) forkRun(c *call) error {
	in := forks{N: 1}
	if err := c.read(&in, true); err != nil {
		return err
	}
	list, err := s.Runs.Fork(c.q.Context(), c.changes(), c.q.PathValue("id"), in.N)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, runList{Runs: list})
}

type runList struct {
	Runs []runs.View `json:"runs"`
	Next string      `json:"next_cursor,omitempty"` // of the next page, which may have no runs and another one after it; empty if there is none
}

func (s *Server) listRuns(c *call) error {
	query, err := c.runQuery()
	if err != nil {
		return err
	}
	rows, next, err := s.Store.Runs(c.q.Context(), query)
	if errors.Is(err, store.ErrQuery) {
		return problem.New(problem.Invalid, "q: "+strings.TrimPrefix(err.Error(), store.ErrQuery.Error()+": ")).About("q")
	}
	if err != nil {
		return err
	}
	list := runList{Runs: []runs.View{}, Next: cursor(next)}
	for _, row := range rows {
		list.Runs = append(list.Runs, runs.ViewOf(row))
	}
	return c.answer(http.StatusOK, list)
}

func (c *call) runQuery() (q store.Query, err error) {
	values := c.q.URL.Query()
	q = store.Query{Text: values.Get("q")}
	if q.Tenant, err = c.ofTenant(); err != nil {
		return q, err
	}
	if q.Tenant == store.All {
		q.Tenant = ""
	}
	if text := values.Get("state"); text != "" {
		for _, name := range strings.Split(text, ",") {
			if !slices.Contains(store.States(), store.State(name)) {
				return q, problem.New(problem.Invalid, "state: no state "+strconv.Quote(name)).About("state")
			}
			q.States = append(q.States, store.State(name))
		}
	}
	if text := values.Get("since"); text != "" {
		if q.Since, err = time.Parse(time.RFC3339, text); err != nil {
			return q, problem.New(problem.Invalid, "since: want a time as 2026-01-02T15:04:05Z").About("since")
		}
	}
	q.Limit, q.Before, err = c.page()
	return q, err
}
