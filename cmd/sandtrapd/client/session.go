package client

import (
	"context"
	"net/http"
)

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
