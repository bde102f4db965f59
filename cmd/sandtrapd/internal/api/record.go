package api

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

func recordRoutes() []route {
	filters := []parameter{
		{"run", "the id of a run"}, {"member", "of calls, as mail.Send; mail.* is all that begins so"}, {"kind", "of events, as decision"},
		{"decision", "allow, deny, ask or later"}, {"since", "from this time on, as RFC 3339 has it"}, {"until", "before this time"},
		tenantParameter,
	}
	return []route{
		{"GET", "/v1/record", keys.User, "listRecord", "List decisions and steps of runs, the oldest first.", append(filters, pageParameters()...), nil, recordList{}, (*Server).listRecord},
		{"GET", "/v1/runs/{id}/record", keys.User, "getRecord", "List decisions and steps of a run, the oldest first.", pageParameters(), nil, recordList{}, (*Server).getRecord},
		{"POST", "/v1/record/verify", keys.Operator, "verifyRecord", "Check that no line of the record was changed, removed, moved or cut off.", nil, nil, verified{}, (*Server).verifyRecord},
	}
}

type recordList struct {
	Events []record.Event `json:"events"`
	Next   string         `json:"next_cursor,omitempty"` // of the next page, which may be empty and have another one; empty if there is none
}

func (s *Server) listRecord(c *call) error {
	values := c.q.URL.Query()
	q := record.Query{Run: values.Get("run"), Member: values.Get("member"), Kind: values.Get("kind"), Decision: values.Get("decision")}
	of, err := c.ofTenant()
	if err != nil {
		return err
	}
	if q.Tenant = of; of == store.All {
		q.Tenant = ""
	}
	if q.Kind != "" && !slices.Contains(record.Kinds(), record.Kind(q.Kind)) {
		return problem.New(problem.Invalid, "kind: no kind "+strconv.Quote(q.Kind)).About("kind")
	}
	for name, to := range map[string]*time.Time{"since": &q.Since, "until": &q.Until} {
		text := values.Get(name)
		if text == "" {
			continue
		}
		if *to, err = time.Parse(time.RFC3339, text); err != nil {
			return problem.New(problem.Invalid, name+": want a time as 2026-01-02T15:04:05Z").About(name)
		}
	}
	return s.recordPage(c, q)
}

func (s *Server) getRecord(c *call) error {
	r, err := c.run(s)
	if err != nil {
		return err
	}
	v := r.View()
	q := record.Query{Tenant: v.Tenant, Run: r.ID(), Since: v.Created.Add(-time.Minute)}
	if v.Ended != nil {
		q.Until = v.Ended.Add(time.Minute)
	}
	return s.recordPage(c, q)
}

func (s *Server) recordPage(c *call, q record.Query) error {
	limit, err := c.limit()
	if err != nil {
		return err
	}
	page, err := s.Trail.Read(c.q.Context(), q, c.q.URL.Query().Get("cursor"), limit)
	switch {
	case c.q.Context().Err() != nil:
		return nil // nobody is there
	case errors.Is(err, trail.ErrCursor):
		return problem.New(problem.Invalid, "cursor: "+err.Error()).About("cursor")
	case err != nil:
		return err
	}
	for i := range page.Events {
		if !c.key.Role.May(keys.Operator) {
			page.Events[i].Process = 0 // of the machine
		}
	}
	return c.answer(http.StatusOK, recordList{page.Events, page.Next})
}

type verified struct {
	OK     bool       `json:"ok"`
	Files  int        `json:"files"`
	First  int64      `json:"first"`  // number of the first line that is kept
	Last   int64      `json:"last"`   // number of the last line
	Signed int64      `json:"signed"` // number of the last line that the checkpoint covers
	Error  *badRecord `json:"error"`  // about the first line that is bad
}

type badRecord struct {
	File    string `json:"file"`
	Line    int64  `json:"line"` // in the file, from 1; 0 if it is about no line
	Message string `json:"message"`
}

func (s *Server) verifyRecord(c *call) error {
	sum, err := s.Trail.Verify(c.q.Context())
	if bad, ok := errors.AsType[*record.BadLine](err); ok {
		s.Log.Error("the record is not as it was written", "error", err)
		return c.answer(http.StatusOK, verified{Error: &badRecord{bad.File, bad.Line, bad.Reason}})
	}
	if c.q.Context().Err() != nil {
		return nil // nobody is there
	}
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, verified{true, sum.Files, sum.First, sum.Last, sum.Signed, nil})
}
