package client

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// A SessionRequest makes a session.
type SessionRequest struct {
	Name     string `json:"name,omitempty"`     // no two sessions of a tenant have the same
	Policy   string `json:"policy,omitempty"`   // empty is the default one
	Snapshot string `json:"snapshot,omitempty"` // the ID of the one that it begins with
	Tools    string `json:"tools,omitempty"`    // Go declarations of functions whose calls Answer answers, in each run of it
}

// A Session is one as it was when the server answered. Runs in it share variables and files.
type Session struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Policy    string     `json:"policy"`
	State     string     `json:"state"` // idle, ready with a worker, running a cell, or pending: a run of it waits
	Waits     string     `json:"waits"` // the run that waits: until it has ended the session takes no other
	Created   time.Time  `json:"created"`
	Used      time.Time  `json:"used"`
	Bytes     int64      `json:"bytes"`     // of its files and the values of its variables
	Parent    string     `json:"parent"`    // the session that it is a fork of
	Tools     string     `json:"tools"`     // not in lists
	Variables []Variable `json:"variables"` // not in lists
}

// A Variable is what a session has declared.
type Variable struct {
	Kind string `json:"kind"` // import, var, const, func or type
	Name string `json:"name"`
	Type string `json:"type"`
}

// A Snapshot is what a session had when it was saved. It stays when the session is deleted.
type Snapshot struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	Policy  string    `json:"policy"`
	Created time.Time `json:"created"`
	Bytes   int64     `json:"bytes"`
}

// CreateSession makes a session; RunRequest.Session is for its ID.
func (c *Client) CreateSession(ctx context.Context, q SessionRequest) (*Session, error) {
	return c.session(ctx, request{method: http.MethodPost, path: "/v1/sessions", body: q})
}

func (c *Client) session(ctx context.Context, r request) (*Session, error) {
	var s Session
	if err := c.call(ctx, r, &s); err != nil {
		return nil, err
	}
	return &s, nil
}

// GetSession is a session as it is now, with its variables.
func (c *Client) GetSession(ctx context.Context, id string) (*Session, error) {
	return c.session(ctx, request{method: http.MethodGet, path: in("/v1/sessions/%s", id)})
}

// DeleteSession deletes a session, and ends its run. Its snapshots stay.
func (c *Client) DeleteSession(ctx context.Context, id string) error {
	return c.call(ctx, request{method: http.MethodDelete, path: in("/v1/sessions/%s", id)}, nil)
}

type sessionList struct {
	Sessions []Session `json:"sessions"`
	Next     string    `json:"next_cursor"`
}

// Sessions are those with a name, or all if it is empty, the newest first. An error is the last element.
func (c *Client) Sessions(ctx context.Context, name string) iter.Seq2[Session, error] {
	return pages(ctx, c, "/v1/sessions", set("name", name), func(p *sessionList) ([]Session, string) { return p.Sessions, p.Next })
}

type snapshotName struct {
	Snapshot string `json:"snapshot"`
}

// SaveSession makes a snapshot of what a session has after its last run, and gives its ID.
func (c *Client) SaveSession(ctx context.Context, id string) (snapshot string, err error) {
	var out snapshotName
	err = c.call(ctx, request{method: http.MethodPost, path: in("/v1/sessions/%s/save", id)}, &out)
	return out.Snapshot, err
}

// LoadSession has a session have what a snapshot of it, or of a session that it is a fork of, has.
func (c *Client) LoadSession(ctx context.Context, id, snapshot string) (*Session, error) {
	return c.session(ctx, request{method: http.MethodPost, path: in("/v1/sessions/%s/load", id), body: snapshotName{snapshot}})
}

// ForkSession makes n sessions that have what this one has after its last run.
func (c *Client) ForkSession(ctx context.Context, id string, n int) ([]Session, error) {
	var list sessionList
	err := c.call(ctx, request{method: http.MethodPost, path: in("/v1/sessions/%s/fork", id), body: map[string]int{"n": n}}, &list)
	return list.Sessions, err
}

type snapshotList struct {
	Snapshots []Snapshot `json:"snapshots"`
	Next      string     `json:"next_cursor"`
}

// Snapshots are those of the tenant, the newest first. An error is the last element.
func (c *Client) Snapshots(ctx context.Context) iter.Seq2[Snapshot, error] {
	return pages(ctx, c, "/v1/snapshots", set(), func(p *snapshotList) ([]Snapshot, string) { return p.Snapshots, p.Next })
}

// DeleteSnapshot deletes a snapshot, and the contents that nothing else needs.
func (c *Client) DeleteSnapshot(ctx context.Context, id string) error {
	return c.call(ctx, request{method: http.MethodDelete, path: in("/v1/snapshots/%s", id)}, nil)
}

// A CloneRequest is a commit of a git repository, and where its files go.
type CloneRequest struct {
	URL string `json:"url"`           // https, of a host that the server lists
	Ref string `json:"ref,omitempty"` // a branch, a tag or a commit; empty is the server's HEAD
	Dir string `json:"dir,omitempty"` // empty or missing; "" is the root of the session's files
}

// A Clone says what was brought.
type Clone struct {
	Commit  string   `json:"commit"`
	Files   int      `json:"files"`
	Bytes   int64    `json:"bytes"`
	Skipped []string `json:"skipped"` // submodules
}

// Clone brings the files of a git commit into those of a session.
func (c *Client) Clone(ctx context.Context, session string, q CloneRequest) (*Clone, error) {
	var out Clone
	if err := c.call(ctx, request{method: http.MethodPost, path: in("/v1/sessions/%s/clone", session), body: q}, &out); err != nil {
		return nil, err
	}
	return &out, nil
}
