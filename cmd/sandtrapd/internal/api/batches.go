package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// jsonLines is a body with a value of JSON in each line.
const jsonLines media = "application/x-ndjson"

// maxBatch bounds the body of a batch, in bytes; a line has maxBody at most.
const maxBatch = 256 << 20

func batchRoutes() []route {
	return []route{
		{"POST", "/v1/batches", keys.User, "createBatch", "Run each line of the body, a JSON object, when nobody waits for other runs; the response comes when all lines are kept.", []parameter{
			{"idempotency_key", "the same key with the same lines is the same batch; 256 bytes at most"},
		}, jsonLines, reply{http.StatusAccepted, batches.Batch{}}, (*Server).createBatch},
		{"GET", "/v1/batches", keys.User, "listBatches", "List batches, the newest first.", pageParameters(), nil, batchList{}, (*Server).listBatches},
		{"GET", "/v1/batches/{id}", keys.User, "getBatch", "Get a batch, with how many of its lines are in each state.", []parameter{
			{"wait", "true for a response when it has ended, or after 30 seconds"},
		}, nil, batches.Batch{}, (*Server).getBatch},
		{"DELETE", "/v1/batches/{id}", keys.User, "deleteBatch", "Delete a batch that has ended, with its runs.", nil, nil, nil, (*Server).deleteBatch},
		{"POST", "/v1/batches/{id}/cancel", keys.User, "cancelBatch", "Have no more lines of a batch begin, and end those that go on.", nil, nil, batches.Batch{}, (*Server).cancelBatch},
		{"GET", "/v1/batches/{id}/results", keys.User, "getResults", "Get the results in the order of the lines, up to the first line that has none, a JSON object in each line.", []parameter{
			{"after", "the number of the last line that is known"}, {"wait", "true to wait for those that have no result yet"},
		}, nil, jsonLines, (*Server).getResults},
		{"GET", "/v1/batches/{id}/dead", keys.User, "getDead", "Get the results of the lines that were given up.", nil, nil, jsonLines, (*Server).getDead},
	}
}

type batchList struct {
	Batches []batches.Batch `json:"batches"`
	Next    string          `json:"next_cursor,omitempty"` // of the next page; empty if there is none
}

func (s *Server) createBatch(c *call) error {
	if err := c.shares.read(c.key.Tenant, 2*maxBody); err != nil { // of lines that are not kept yet
		return err
	}
	defer c.shares.give(c.key.Tenant, 0, 2*maxBody)
	in := bufio.NewScanner(c.upload())
	in.Buffer(nil, maxBody)
	number := 0
	b, err := s.Batches.Create(c.q.Context(), c.key.Tenant, c.q.URL.Query().Get("idempotency_key"), func() (*batches.Line, error) {
		if !in.Scan() {
			err := in.Err()
			if errors.Is(err, bufio.ErrTooLong) {
				return nil, problem.New(problem.TooLarge, fmt.Sprintf("line %d has more than %d bytes", number+1, maxBody-1))
			} else if err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		number++
		var line batches.Line
		if err := decode(in.Bytes(), &line); err != nil {
			text, _ := problem.JSON(err, &line)
			return nil, problem.New(problem.Invalid, fmt.Sprintf("line %d: %s", number, text))
		}
		return &line, nil
	})
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", "/v1/batches/"+b.ID)
	return c.answer(http.StatusAccepted, b)
}

func (s *Server) listBatches(c *call) (err error) {
	page := store.Page{Tenant: c.key.Tenant}
	if page.Limit, page.Before, err = c.page(); err != nil {
		return err
	}
	list, next, err := s.Batches.List(c.q.Context(), page)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, batchList{append([]batches.Batch{}, list...), cursor(next)})
}

func (s *Server) getBatch(c *call) error {
	get, ctx := s.Batches.Get, c.q.Context()
	if c.q.URL.Query().Get("wait") == "true" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		get = s.Batches.Wait
	}
	b, err := get(ctx, c.sees(), c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, b)
}

func (s *Server) deleteBatch(c *call) error {
	return c.empty(s.Batches.Delete(c.q.Context(), c.changes(), c.q.PathValue("id")))
}

func (s *Server) cancelBatch(c *call) error {
	b, err := s.Batches.Cancel(c.q.Context(), c.changes(), c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, b)
}

func (s *Server) getResults(c *call) error {
	after := 0
	if text := c.q.URL.Query().Get("after"); text != "" {
		var err error
		if after, err = strconv.Atoi(text); err != nil || after < 0 {
			return problem.New(problem.Invalid, "after: want the number of a line").About("after")
		}
	}
	return s.lines(c, s.Batches.Results(c.q.Context(), c.sees(), c.q.PathValue("id"), after, c.q.URL.Query().Get("wait") == "true"))
}

func (s *Server) getDead(c *call) error {
	return s.lines(c, s.Batches.Dead(c.q.Context(), c.sees(), c.q.PathValue("id")))
}

// lines sends results, each in a line. An error after the first one ends the response.
func (s *Server) lines(c *call, list iter.Seq2[batches.Result, error]) error {
	if _, err := s.Batches.Get(c.q.Context(), c.sees(), c.q.PathValue("id")); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", string(jsonLines))
	c.w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(c.w)
	enc := json.NewEncoder(c.w)
	enc.SetEscapeHTML(false)
	for r, err := range list {
		if err != nil || enc.Encode(r) != nil || out.Flush() != nil {
			return nil // the client sees that lines are missing
		}
	}
	return nil
}
