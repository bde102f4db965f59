package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

func cloneRoutes() []route {
	return []route{
		{"POST", "/v1/sessions/{id}/clone", keys.User, "cloneRepository", "Bring the files of a commit of a git repository into those of a session.", nil, clone.Request{}, reply{http.StatusCreated, clone.Result{}}, (*Server).cloneRepository},
	}
}

func (s *Server) cloneRepository(c *call) (err error) {
	var in clone.Request
	if err := c.read(&in, false); err != nil {
		return err
	}
	session := c.q.PathValue("id")
	var res *clone.Result
	err = s.Sessions.Fill(c.q.Context(), c.key.Tenant, session, func(files afero.Fs) (err error) {
		res, err = s.Clone.Clone(c.q.Context(), decide.Subject{Tenant: c.key.Tenant, Session: session}, in, files)
		return err
	})
	if err != nil {
		return c.cloneProblem(err)
	}
	return c.answer(http.StatusCreated, res)
}

// cloneProblem is the problem of an error of a clone.
func (c *call) cloneProblem(err error) error {
	for _, of := range []struct {
		err  error
		code problem.Code
	}{
		{clone.ErrRequest, problem.Invalid}, {clone.ErrRepository, problem.Invalid}, {clone.ErrOff, problem.Forbidden},
		{clone.ErrLimit, problem.TooLarge}, {clone.ErrServer, problem.Upstream},
	} {
		if errors.Is(err, of.err) {
			return c.about(of.code, strings.TrimPrefix(err.Error(), clone.ErrRequest.Error()+": "))
		}
	}
	return err
}
