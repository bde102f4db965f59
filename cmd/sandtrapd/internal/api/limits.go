package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func limitRoutes() []route {
	return []route{
		{"GET", "/v1/limits", keys.User, "getLimits", "Get the limits of the tenant, and what of them is in use.", []parameter{
			{"tenant", "whose: a tenant; other ones than that of the key need the role operator"},
		}, nil, limits.Use{}, (*Server).getLimits},
	}
}

func (s *Server) getLimits(c *call) error {
	tenant, err := c.ofTenant()
	if err != nil {
		return err
	}
	if tenant == store.All {
		return problem.New(problem.Invalid, "tenant: want the name of one tenant").About("tenant")
	}
	use, err := s.Limits.Use(c.q.Context(), tenant)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, use)
}

// limitProblem is the problem of a limit that was met, whose name is its field. Retry-After says when there is room, if time alone makes some.
func limitProblem(w http.ResponseWriter, e *limits.Error) *problem.Problem {
	if e.After > 0 {
		retryAfter(w, e.After)
	}
	return problem.New(problem.Limit, e.Error()).About(e.Name)
}

// busyProblem is that of a tenant with too many runs, or of a server.
func busyProblem(w http.ResponseWriter, e *runs.Busy) *problem.Problem {
	retryAfter(w, e.After)
	if e.Tenant {
		return problem.New(problem.Limit, e.Error())
	}
	return problem.New(problem.Busy, e.Error())
}

// retryAfter says when to try again, in whole seconds.
func retryAfter(w http.ResponseWriter, after time.Duration) {
	w.Header().Set("Retry-After", strconv.FormatInt(int64((after+time.Second-1)/time.Second), 10))
}
