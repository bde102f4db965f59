package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A State says how far a run is. There may be more of them in newer servers.
type State string

// The states.
const (
	Running   State = "running"
	Pending   State = "pending" // it waits for answers
	Done      State = "done"
	Failed    State = "failed" // Result.Error says why
	Cancelled State = "cancelled"
)

// A RunRequest begins a run.
type RunRequest struct {
	Code           string         `json:"code"`
	Inputs         map[string]any `json:"inputs,omitempty"`  // variables of the script, as JSON
	Session        string         `json:"session,omitempty"` // the ID of the session that it runs in
	Policy         string         `json:"policy,omitempty"`  // empty is the default one
	TimeoutMS      int64          `json:"timeout_ms,omitempty"`
	Tools          string         `json:"tools,omitempty"`           // Go declarations of functions whose calls wait for answers
	IdempotencyKey string         `json:"idempotency_key,omitempty"` // a request with the same one gets the same run
}

// A Run is one as it was when the server answered.
type Run struct {
	ID      string    `json:"id"`
	State   State     `json:"state"`
	Created time.Time `json:"created"`
	Ended   time.Time `json:"ended"` // zero before its end
	Parent  string    `json:"parent"`
	Session string    `json:"session"`
	Policy  string    `json:"policy"`
	Result  *Result   `json:"result"` // nil while it goes on, and in lists
	Pending []Call    `json:"pending"`
}

// A Result is what a script has done.
type Result struct {
	Stdout     string                     `json:"stdout"`
	Stderr     string                     `json:"stderr"`
	Vars       map[string]json.RawMessage `json:"vars"`
	Types      map[string]string          `json:"types"` // of Vars, as Go writes them
	Echo       []Echo                     `json:"echo"`
	Artifacts  []Artifact                 `json:"artifacts"`
	Error      *ScriptError               `json:"error"` // nil if it ended well
	Warnings   []string                   `json:"warnings"`
	Ticks      int64                      `json:"ticks"`
	PeakBytes  int64                      `json:"peak_bytes"`
	DurationMS float64                    `json:"duration_ms"`
}

// An Echo is the value of a bare expression.
type Echo struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// An Artifact is a file that the script left; Client.Artifact gets what is in it.
type Artifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
}

// A ScriptError says why a script was refused or did not end well.
type ScriptError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"` // what to do
	Line    int    `json:"line"` // of the code as sent, from 1; 0 if it is about no line
	Column  int    `json:"column"`
	Excerpt string `json:"excerpt"`
}

// A Call is one that waits for its answer.
type Call struct {
	ID   int             `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // an object, by the names of the parameters
	At   string          `json:"at"`
	Ask  string          `json:"ask"` // why it needs approval, if that is what it waits for
}

// An Answer answers a Call: with a value, an error, or a verdict.
type Answer struct {
	ID      int    `json:"id"`
	Value   any    `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
	Verdict string `json:"verdict,omitempty"` // approve or deny
}

// Run runs a script, and returns when it has ended or waits. A script that fails is no error: State and Result.Error say so. When ctx
// ends, so does the run.
func (c *Client) Run(ctx context.Context, q RunRequest) (*Run, error) {
	return c.run(ctx, request{method: http.MethodPost, path: "/v1/runs", body: q})
}

// Start begins a run, and returns when it is on the server's disk. Stream and Wait follow it.
func (c *Client) Start(ctx context.Context, q RunRequest) (*Run, error) {
	return c.run(ctx, request{method: http.MethodPost, path: "/v1/runs", body: q, header: map[string]string{"Prefer": "respond-async"}})
}

func (c *Client) run(ctx context.Context, r request) (*Run, error) {
	var run Run
	if err := c.call(ctx, r, &run); err != nil {
		return nil, err
	}
	return &run, nil
}

// GetRun is a run as it is now.
func (c *Client) GetRun(ctx context.Context, id string) (*Run, error) {
	return c.run(ctx, request{method: http.MethodGet, path: in("/v1/runs/%s", id)})
}

// Wait returns when a run has ended or waits.
func (c *Client) Wait(ctx context.Context, id string) (*Run, error) {
	for _, err := range c.Stream(ctx, id, 0) {
		if err != nil {
			return nil, err
		}
	}
	return c.GetRun(ctx, id)
}

// Source is the script of a run, as it was sent.
func (c *Client) Source(ctx context.Context, id string) (string, error) {
	text, _, err := c.bytes(ctx, request{method: http.MethodGet, path: in("/v1/runs/%s/source", id)})
	return string(text), err
}

// Request is what a run was begun with, without its idempotency key: Start begins the same one again. Numbers of its inputs are of the
// type json.Number.
func (c *Client) Request(ctx context.Context, id string) (*RunRequest, error) {
	text, _, err := c.bytes(ctx, request{method: http.MethodGet, path: in("/v1/runs/%s/request", id)})
	if err != nil {
		return nil, err
	}
	var q RunRequest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&q); err != nil {
		return nil, fmt.Errorf("the request of run %s: %w", id, err)
	}
	return &q, nil
}

// Artifact is what is in a file that a run has left, and its media type.
func (c *Client) Artifact(ctx context.Context, id, name string) (data []byte, mediaType string, err error) {
	return c.bytes(ctx, request{method: http.MethodGet, path: in("/v1/runs/%s/artifacts/%s", id, name)})
}

// Answer answers calls that a run waits for, and returns when it has ended or waits again. An answer that does not fit its call is a
// *Problem with the code invalid, and changes nothing.
func (c *Client) Answer(ctx context.Context, id string, answers ...Answer) (*Run, error) {
	body := map[string]any{"answers": answers}
	return c.run(ctx, request{method: http.MethodPost, path: in("/v1/runs/%s/answers", id), body: body})
}

// Cancel ends a run. One that has ended stays as it is.
func (c *Client) Cancel(ctx context.Context, id string) (*Run, error) {
	return c.run(ctx, request{method: http.MethodPost, path: in("/v1/runs/%s/cancel", id)})
}

// DeleteRun deletes a run that has ended, with its events and artifacts. Its forks stay. One that goes on or waits is a *Problem with the
// code conflict: Cancel ends it.
func (c *Client) DeleteRun(ctx context.Context, id string) error {
	return c.call(ctx, request{method: http.MethodDelete, path: in("/v1/runs/%s", id)}, nil)
}

// Fork makes n runs of one that waits: each waits where it does, and goes its own way from there.
func (c *Client) Fork(ctx context.Context, id string, n int) ([]Run, error) {
	var list runList
	err := c.call(ctx, request{method: http.MethodPost, path: in("/v1/runs/%s/fork", id), body: map[string]int{"n": n}}, &list)
	return list.Runs, err
}

type runList struct {
	Runs []Run  `json:"runs"`
	Next string `json:"next_cursor"`
}

// A Query says which runs a list has. The zero Query is for all of the tenant.
type Query struct {
	States     []State
	Text       string    // in the source
	Since      time.Time // after which they began
	AllTenants bool      // needs a key of an operator
	Page       int       // how many are asked for at a time: 1 to 200, 0 is 50
}

func (q *Query) values() url.Values {
	var states []string
	for _, s := range q.States {
		states = append(states, string(s))
	}
	v := set("state", strings.Join(states, ","), "q", q.Text, "since", at(q.Since))
	if q.AllTenants {
		v.Set("tenant", "*")
	}
	if q.Page > 0 {
		v.Set("limit", strconv.Itoa(q.Page))
	}
	return v
}

// Runs are the runs that match, the newest first, without their results. Pages are got as they are needed. An error is the last element.
func (c *Client) Runs(ctx context.Context, q Query) iter.Seq2[Run, error] {
	return pages(ctx, c, "/v1/runs", q.values(), func(p *runList) ([]Run, string) { return p.Runs, p.Next })
}
