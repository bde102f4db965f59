package client

import (
	"context"
	"encoding/json"
	"net/http"
)

// Health is nil if the server lives.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, request{method: http.MethodGet, path: "/healthz"}, nil)
}

// Ready is nil if the server takes runs.
func (c *Client) Ready(ctx context.Context) error {
	return c.call(ctx, request{method: http.MethodGet, path: "/readyz", once: true}, nil)
}

// OpenAPI is the document of the server's API.
func (c *Client) OpenAPI(ctx context.Context) (json.RawMessage, error) {
	text, _, err := c.bytes(ctx, request{method: http.MethodGet, path: "/openapi.json"})
	return text, err
}

// Limits are those of a tenant, and what of them is in use.
type Limits struct {
	Tenant            string `json:"tenant"`
	RunsAtOnce        Amount `json:"runs_at_once"`
	RunsPerMinute     Amount `json:"runs_per_minute"`
	RunSecondsPerHour Amount `json:"run_seconds_per_hour"`
	Bytes             Amount `json:"bytes"`
	PendingRuns       Amount `json:"pending_runs"`
	QueuedLines       Amount `json:"queued_lines"` // of batches that have not ended
}

// An Amount is how much is in use of how much.
type Amount struct {
	Limit int64 `json:"limit"`
	Used  int64 `json:"used"`
}

// Limits are those of a tenant; empty is that of the key, and others need the role operator.
func (c *Client) Limits(ctx context.Context, tenant string) (*Limits, error) {
	var l Limits
	if err := c.call(ctx, request{method: http.MethodGet, path: "/v1/limits", query: set("tenant", tenant)}, &l); err != nil {
		return nil, err
	}
	return &l, nil
}
