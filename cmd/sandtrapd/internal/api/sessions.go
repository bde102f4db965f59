package api

import (
	"net/http"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func sessionRoutes() []route {
	return []route{
		{"POST", "/v1/sessions", keys.User, "createSession", "Make a session: runs in it share variables and files.", nil, sessions.Request{}, reply{http.StatusCreated, sessions.View{}}, (*Server).createSession},
		{"GET", "/v1/sessions", keys.User, "listSessions", "List sessions, the newest first.", append([]parameter{{"name", "that of the one that is looked for"}}, pageParameters()...), nil, sessionList{}, (*Server).listSessions},
		{"GET", "/v1/sessions/{id}", keys.User, "getSession", "Get a session, with its variables.", nil, nil, sessions.View{}, (*Server).getSession},
		{"DELETE", "/v1/sessions/{id}", keys.User, "deleteSession", "Delete a session, and end its run; its snapshots stay.", nil, nil, nil, (*Server).deleteSession},
		{"POST", "/v1/sessions/{id}/save", keys.User, "saveSession", "Save a session, as it is after its last run, as a snapshot.", nil, nil, reply{http.StatusCreated, saved{}}, (*Server).saveSession},
		{"POST", "/v1/sessions/{id}/load", keys.User, "loadSession", "Restore a session from a snapshot of it.", nil, snapshotName{}, sessions.View{}, (*Server).loadSession},
		{"POST", "/v1/sessions/{id}/fork", keys.User, "forkSession", "Make copies of a session, as it is after its last run.", nil, forks{}, reply{http.StatusCreated, sessionList{}}, (*Server).forkSession},
		{"GET", "/v1/sessions/{id}/files", keys.User, "listFiles", "List the files of a session, in the working directory of its runs and below.", nil, nil, fileList{}, (*Server).listFiles},
		{"GET", "/v1/sessions/{id}/files/{path...}", keys.User, "getFile", "Get a file of a session.", nil, nil, media("*/*"), (*Server).getFile},
		{"PUT", "/v1/sessions/{id}/files/{path...}", keys.User, "putFile", "Put a file, with the directories that it is in; the body is its content.", nil, media("application/octet-stream"), sessions.File{}, (*Server).putFile},
		{"DELETE", "/v1/sessions/{id}/files/{path...}", keys.User, "deleteFile", "Delete a file, or a directory with all that is in it.", nil, nil, nil, (*Server).deleteFile},
		{"GET", "/v1/sessions/{id}/tar", keys.User, "getTar", "Get the files of a session as a tar.", nil, nil, media("application/x-tar"), (*Server).getTar},
		{"PUT", "/v1/sessions/{id}/tar", keys.User, "putTar", "Put the files of a tar, all or none; others stay.", nil, media("application/x-tar"), fileList{}, (*Server).putTar},
		{"GET", "/v1/snapshots", keys.User, "listSnapshots", "List snapshots, the newest first.", pageParameters(), nil, snapshotList{}, (*Server).listSnapshots},
		{"DELETE", "/v1/snapshots/{id}", keys.User, "deleteSnapshot", "Delete a snapshot, and the contents that nothing else needs.", nil, nil, nil, (*Server).deleteSnapshot},
	}
}

type sessionList struct {
	Sessions []sessions.View `json:"sessions"`
	Next     string          `json:"next_cursor,omitempty"` // of the next page; empty if there is none
}

type snapshotList struct {
	Snapshots []sessions.Snapshot `json:"snapshots"`
	Next      string              `json:"next_cursor,omitempty"` // of the next page; empty if there is none
}

type snapshotName struct {
	Snapshot string `json:"snapshot"` // its ID
}

type saved struct {
	ID       string `json:"id"`       // of the snapshot, as the list has it
	Snapshot string `json:"snapshot"` // the same, as load takes it
}

func (s *Server) createSession(c *call) error {
	var in sessions.Request
	if err := c.read(&in, true); err != nil {
		return err
	}
	view, err := s.Sessions.Create(c.q.Context(), c.key.Tenant, in)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, view)
}

func (c *call) sessionPage() (p store.Page, err error) {
	p.Tenant, p.Name = c.key.Tenant, c.q.URL.Query().Get("name")
	p.Limit, p.Before, err = c.page()
	return p, err
}

func (s *Server) listSessions(c *call) error {
	page, err := c.sessionPage()
	if err != nil {
		return err
	}
	list, next, err := s.Sessions.List(c.q.Context(), page)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, sessionList{append([]sessions.View{}, list...), cursor(next)})
}

func (s *Server) getSession(c *call) error {
	view, err := s.Sessions.Get(c.q.Context(), c.key.Tenant, c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, view)
}

func (s *Server) deleteSession(c *call) error {
	return c.empty(s.Sessions.Delete(c.q.Context(), c.key.Tenant, c.q.PathValue("id")))
}

// empty answers that something was done.
func (c *call) empty(err error) error {
	if err == nil {
		c.w.WriteHeader(http.StatusNoContent)
	}
	return err
}

func (s *Server) saveSession(c *call) error {
	if err := c.read(&struct{}{}, true); err != nil { // such as a name, which it would ignore
		return err
	}
	id, err := s.Sessions.Save(c.q.Context(), c.key.Tenant, c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, saved{id, id})
}

func (s *Server) loadSession(c *call) error {
	var in snapshotName
	if err := c.read(&in, false); err != nil {
		return err
	}
	if in.Snapshot == "" {
		return problem.New(problem.Invalid, "snapshot: want the id of a snapshot of the session").About("snapshot")
	}
	view, err := s.Sessions.Load(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), in.Snapshot)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, view)
}

func (s *Server) forkSession(c *call) error {
	in := forks{N: 1}
	if err := c.read(&in, true); err != nil {
		return err
	}
	list, err := s.Sessions.Fork(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), in.N)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, sessionList{Sessions: list})
}

func (s *Server) listSnapshots(c *call) error {
	page, err := c.sessionPage()
	if err != nil {
		return err
	}
	list, next, err := s.Sessions.Snapshots(c.q.Context(), page)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, snapshotList{append([]sessions.Snapshot{}, list...), cursor(next)})
}

func (s *Server) deleteSnapshot(c *call) error {
	return c.empty(s.Sessions.DeleteSnapshot(c.q.Context(), c.key.Tenant, c.q.PathValue("id")))
}
