package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// SessionFiles has the files of sessions.
type SessionFiles interface {
	// Files are those of a session of a tenant, for changes until release, which keeps them. The error matches store.ErrNone if the tenant
	// has no such session.
	Files(ctx context.Context, tenant, session string) (files afero.Fs, release func() error, err error)
}

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
	if s.Files == nil {
		return store.ErrNone
	}
	session := c.q.PathValue("id")
	files, release, err := s.Files.Files(c.q.Context(), c.key.Tenant, session)
	if err != nil {
		return err
	}
	res, err := s.Clone.Clone(c.q.Context(), decide.Subject{Tenant: c.key.Tenant, Session: session}, in, files)
	if kept := release(); err == nil {
		err = kept
	}
	if err != nil {
		return cloneProblem(err)
	}
	return c.answer(http.StatusCreated, res)
}

// cloneProblem is the problem of an error of a clone.
func cloneProblem(err error) error {
	for _, of := range []struct {
		err  error
		code problem.Code
	}{
		{clone.ErrRequest, problem.Invalid}, {clone.ErrRepository, problem.Invalid}, {clone.ErrOff, problem.Forbidden},
		{clone.ErrLimit, problem.TooLarge}, {clone.ErrServer, problem.Upstream},
	} {
		if errors.Is(err, of.err) {
			return problem.New(of.code, err.Error())
		}
	}
	return err
}
