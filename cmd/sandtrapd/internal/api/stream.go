package api

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

func (s *Server) getEvents(c *call) error {
	r, err := c.run(s)
	if err != nil {
		return err
	}
	text := c.q.URL.Query().Get("after")
	if text == "" {
		text = c.q.Header.Get("Last-Event-ID")
	}
	var after int64
	if text != "" {
		if after, err = strconv.ParseInt(text, 10, 64); err != nil || after < 0 {
			return problem.New(problem.Invalid, "after: want the id of an event").About("after")
		}
	}
	return s.stream(c, r, after)
}

// stream sends the events of a run, as the HTML standard has server-sent events.
func (s *Server) stream(c *call, r *runs.Run, after int64) error {
	log, err := r.Events()
	if err != nil {
		return err
	}
	defer s.streams.begin()()
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.w.Header().Set("Cache-Control", "no-store")
	c.w.Header().Set("X-Run-Id", r.ID())
	c.w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(c.w)
	for {
		if err := out.Flush(); err != nil {
			return nil // the client is gone
		}
		list := log.After(c.q.Context(), after)
		if len(list) == 0 {
			if log.Kept() { // it has no number: the next one comes after the last
				fmt.Fprint(c.w, "retry: 5000\nevent: restart\ndata: {}\n\n")
			}
			return nil
		}
		for _, e := range list {
			after = e.ID
			if _, err := fmt.Fprintf(c.w, "id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Kind, e.Timed()); err != nil {
				return nil
			}
		}
	}
}
