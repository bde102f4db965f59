package api

import (
	"net/http"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

func requestRoutes() []route {
	return []route{
		{"GET", "/v1/runs/{id}/request", keys.User, "getRequest", "Get the request that began a run, without its idempotency key, to send it again.", nil, nil, runs.Request{}, (*Server).getRequest},
	}
}

func (s *Server) getRequest(c *call) error {
	r, err := c.run(s)
	if err != nil {
		return err
	}
	q, err := r.Request()
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, q)
}
