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

// A Cluster is how a server has runs done by workers on other machines.
type Cluster struct {
	Mode    string   `json:"mode"` // none if the server does all runs, embedded if it has the server of NATS, external otherwise
	Queues  []Queue  `json:"queues"`
	Workers []Worker `json:"workers"`
	Again   int64    `json:"again"`   // runs that were sent to another worker, since the start of the server
	Servers []Peer   `json:"servers"` // that share runs, as this one has heard them in the last minute
	CutOff  string   `json:"cut_off"` // why the server does not reach its cluster; empty if it does
}

// A Peer is a server of a cluster.
type Peer struct {
	ID       string `json:"id"`   // of its data directory
	Name     string `json:"name"` // of its key; empty if it has none
	Version  string `json:"version"`
	Sessions int    `json:"sessions"` // that it has the lease of
	SeenMS   int64  `json:"seen_ms"`  // how long ago it was heard
	Own      bool   `json:"own"`      // it is the one that answers
}

// A Queue is where runs wait for their turn.
type Queue struct {
	Name    string    `json:"name"`  // here for runs that the server does, workers for those of workers
	Turns   int       `json:"turns"` // how many run at a time
	Waiting int       `json:"waiting"`
	Tenants []Waiting `json:"tenants"` // of those that wait, 100 at most, the one that has waited longest first
}

// Waiting are the runs of a tenant that wait.
type Waiting struct {
	Tenant   string `json:"tenant"`
	Waiting  int    `json:"waiting"`
	OldestMS int64  `json:"oldest_ms"` // how long the first one has waited
}

// A Worker does runs.
type Worker struct {
	Name      string `json:"name"`
	Slots     int    `json:"slots"` // how many runs it does at a time; 0 when it takes no more
	Running   int    `json:"running"`
	Memory    int64  `json:"memory"` // bytes that runs may have there, in all
	Free      int64  `json:"free"`   // of them, what none has
	Load      int    `json:"load"`   // of 100 for each processor of its machine
	Isolation string `json:"isolation"`
	Version   string `json:"version"`
	SeenMS    int64  `json:"seen_ms"` // how long ago it was heard
	Unfit     string `json:"unfit"`   // why it gets no runs; empty if it does
}

// Cluster is what the server knows of its workers, and of runs that wait. It needs the role operator.
func (c *Client) Cluster(ctx context.Context) (*Cluster, error) {
	var v Cluster
	if err := c.call(ctx, request{method: http.MethodGet, path: "/v1/cluster"}, &v); err != nil {
		return nil, err
	}
	return &v, nil
}
