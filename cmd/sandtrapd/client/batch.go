package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// A Line is a request of a batch.
type Line struct {
	ID        string         `json:"id,omitempty"` // the client's own, which the result has too
	Code      string         `json:"code"`
	Inputs    map[string]any `json:"inputs,omitempty"`
	Policy    string         `json:"policy,omitempty"`
	TimeoutMS int64          `json:"timeout_ms,omitempty"`
}

// A Batch is one as it was when the server answered. Its State is running, done or cancelled.
type Batch struct {
	ID      string    `json:"id"`
	State   string    `json:"state"`
	Created time.Time `json:"created"`
	Ended   time.Time `json:"ended"` // zero before its end
	Lines   int       `json:"lines"`
	Counts  Counts    `json:"counts"`
}

// Counts are how many lines of a batch are in each state.
type Counts struct {
	Queued    int `json:"queued"`
	Running   int `json:"running"`
	Done      int `json:"done"`
	Failed    int `json:"failed"`
	Dead      int `json:"dead"` // that were given up
	Cancelled int `json:"cancelled"`
}

// A LineResult is what has become of a line.
type LineResult struct {
	Line   int     `json:"line"` // from 1
	ID     string  `json:"id"`
	Run    string  `json:"run"` // empty if the batch was cancelled before the line began
	State  State   `json:"state"`
	Result *Result `json:"result"`
}

// CreateBatch has the server keep lines, and run them when nobody waits for other runs. With a key it is safe to send the same lines again.
func (c *Client) CreateBatch(ctx context.Context, key string, lines ...Line) (*Batch, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return c.batch(ctx, request{method: http.MethodPost, path: "/v1/batches", query: set("idempotency_key", key), data: &body, once: true})
}

func (c *Client) batch(ctx context.Context, r request) (*Batch, error) {
	var b Batch
	if err := c.call(ctx, r, &b); err != nil {
		return nil, err
	}
	return &b, nil
}

// GetBatch is a batch as it is now.
func (c *Client) GetBatch(ctx context.Context, id string) (*Batch, error) {
	return c.batch(ctx, request{method: http.MethodGet, path: in("/v1/batches/%s", id)})
}

// WaitBatch returns when a batch has ended, or after some 30 seconds.
func (c *Client) WaitBatch(ctx context.Context, id string) (*Batch, error) {
	return c.batch(ctx, request{method: http.MethodGet, path: in("/v1/batches/%s", id), query: set("wait", "true")})
}

// CancelBatch has no more lines of a batch begin, and ends those that go on.
func (c *Client) CancelBatch(ctx context.Context, id string) (*Batch, error) {
	return c.batch(ctx, request{method: http.MethodPost, path: in("/v1/batches/%s/cancel", id)})
}

// DeleteBatch deletes a batch that has ended, with its runs.
func (c *Client) DeleteBatch(ctx context.Context, id string) error {
	return c.call(ctx, request{method: http.MethodDelete, path: in("/v1/batches/%s", id)}, nil)
}

type batchList struct {
	Batches []Batch `json:"batches"`
	Next    string  `json:"next_cursor"`
}

// Batches are those of the tenant, the newest first. An error is the last element.
func (c *Client) Batches(ctx context.Context) iter.Seq2[Batch, error] {
	return pages(ctx, c, "/v1/batches", set(), func(p *batchList) ([]Batch, string) { return p.Batches, p.Next })
}

// Results are those of the lines after one, in their order, as they come, up to the end of the batch. An error is the last element; one about
// the connection leaves the client to ask again after the last line that it has.
func (c *Client) Results(ctx context.Context, id string, after int) iter.Seq2[LineResult, error] {
	query := set("wait", "true", "after", strconv.Itoa(after))
	return c.lines(ctx, request{method: http.MethodGet, path: in("/v1/batches/%s/results", id), query: query})
}

// DeadLines are the results of the lines that were given up.
func (c *Client) DeadLines(ctx context.Context, id string) iter.Seq2[LineResult, error] {
	return c.lines(ctx, request{method: http.MethodGet, path: in("/v1/batches/%s/dead", id)})
}

func (c *Client) lines(ctx context.Context, r request) iter.Seq2[LineResult, error] {
	return func(yield func(LineResult, error) bool) {
		res, err := c.send(ctx, r)
		if err != nil {
			yield(LineResult{}, err)
			return
		}
		defer res.Body.Close()
		body := &io.LimitedReader{R: res.Body}
		for dec := json.NewDecoder(body); ; {
			body.N = maxResponse
			var l LineResult
			err := dec.Decode(&l)
			if err == io.EOF && body.N > 0 {
				return
			}
			if err != nil {
				yield(LineResult{}, fmt.Errorf("%s %s: %w", r.method, r.path, err))
				return
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}
